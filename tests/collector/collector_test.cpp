// SPDX-License-Identifier: GPL-3.0-or-later
// The whole collector over real loopback sockets: reports in, HTTP and events out, refusals, bounds, restarts.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QtTest>

#include "collector/collector.hpp"
#include "collector/mirror/listener.hpp"
#include "sdk/src/wire/decode.hpp"
#include "tests/support/feed.hpp"
#include "tests/support/qt_messages.hpp"

using namespace macaw;
using test::datagram;

namespace {

// A sender on loopback, connected like a job's.
class Peer {
 public:
  explicit Peer(quint16 port) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(m_fd, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) qFatal("no loopback");
  }
  ~Peer() { ::close(m_fd); }

  void send(const std::string& bytes) const {
    while (::send(m_fd, bytes.data(), bytes.size(), 0) < 0 && errno == ENOBUFS) {
    }
  }
  // The next answer; empty when none came within 5 s.
  QByteArray receive() const {
    QByteArray bytes(2048, Qt::Uninitialized);
    ssize_t size = 0;
    const auto came = [&] {
      return (size = ::recv(m_fd, bytes.data(), static_cast<size_t>(bytes.size()), MSG_DONTWAIT)) >= 0;
    };
    return QTest::qWaitFor(came, 5000) ? bytes.left(size) : QByteArray();
  }

 private:
  int m_fd = ::socket(AF_INET, SOCK_DGRAM, 0);
};

struct Answer {
  int status = 0;
  QByteArray head, body;
  QByteArray header(const QByteArray& name) const {
    for (const QByteArray& line : head.split('\n'))
      if (line.toLower().startsWith(name.toLower() + ':')) return line.mid(name.size() + 1).trimmed();
    return {};
  }
  QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
};

// A client that says exactly what the test wants said, in the test's own event loop.
class Client {
 public:
  explicit Client(quint16 port) {
    socket.connectToHost(QHostAddress::LocalHost, port);
    QObject::connect(&socket, &QIODevice::readyRead, &socket, [this] {
      if (reading) received += socket.readAll();
    });
  }

  Answer ask(const QByteArray& start, const QByteArray& headers = "Host: localhost\r\n") {
    received.clear();
    socket.write(start + " HTTP/1.1\r\n" + headers + "\r\n");
    const bool is_head = start.startsWith("HEAD");
    const auto complete = [&] {
      const qsizetype end = received.indexOf("\r\n\r\n");
      if (end < 0) return false;
      if (is_head) return true;
      const Answer answer{0, received.left(end), {}};
      return received.size() >= end + 4 + answer.header("Content-Length").toInt();
    };
    if (!QTest::qWaitFor(complete, 5000)) return {};
    const qsizetype end = received.indexOf("\r\n\r\n");
    return {received.mid(9, 3).toInt(), received.left(end), received.mid(end + 4)};
  }
  Answer get(const QByteArray& path) { return ask("GET " + path); }

  QTcpSocket socket;
  QByteArray received;
  bool reading = true;
};

// What an event stream said so far.
struct Event {
  quint64 id = 0;
  QByteArray name;
  QJsonObject data;
};
QList<Event> events_in(const QByteArray& stream) {
  QList<Event> events;
  for (QByteArray frame : stream.mid(stream.indexOf("\r\n\r\n") + 4).replace("\n\n", "\x01").split('\x01')) {
    Event event;
    for (const QByteArray& line : frame.split('\n')) {
      if (line.startsWith("id: ")) event.id = line.mid(4).toULongLong();
      if (line.startsWith("event: ")) event.name = line.mid(7);
      if (line.startsWith("data: ")) event.data = QJsonDocument::fromJson(line.mid(6)).object();
    }
    if (!event.name.isEmpty()) events << event;
  }
  return events;
}

QList<std::string> refusable(const std::string& report) {
  return {"",
          "hello",
          std::string(65507, '\0'),
          std::string(65507, '['),
          report.substr(0, 30),
          "{\"v\":2,\"job\":\"" + test::job_text + "\",\"seq\":1}",
          "{\"v\":1}",
          "{\"v\":1,\"job\":\"x\",\"seq\":1}",
          "\xd0"};
}

}  // namespace

class CollectorTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_collector = make();
    QCOMPARE(m_collector->start(), QString());
  }
  void cleanup() {
    m_collector.reset();
    QCOMPARE(m_messages.take_unexpected(), QByteArrayList());
  }

  void one_number_serves_both_and_the_configuration_says_it() {
    const QJsonObject config = QJsonDocument::fromJson(m_collector->config_json()).object();
    QVERIFY(m_collector->port() > 0);
    QCOMPARE(config["port"].toInt(), m_collector->port());
    QCOMPARE(config["udp"].toString(), QStringLiteral("[::]:%1").arg(m_collector->port()));
    QCOMPARE(config["http"].toString(), QStringLiteral("http://127.0.0.1:%1").arg(m_collector->port()));
    QCOMPARE(QFile(config["data"].toString() + "/token").permissions() & QFile::Permissions(0x0077),
             QFile::Permissions());
    QVERIFY(!config["token"].toString().isEmpty());
  }

  void a_report_is_shown_and_answered() {
    const Peer peer(m_collector->port());
    peer.send(datagram(
        3, 1, R"("hello":{"name":"study.py"},"bars":[{"id":1,"n":4,"total":30}],"logs":[{"no":2,"text":"x"}])"));
    QTRY_COMPARE(m_collector->jobs().size(), 1u);
    const QByteArray bytes = peer.receive();
    QVERIFY(!bytes.isEmpty());
    wire::Answer answer;
    QCOMPARE(wire::decode_answer(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                                 static_cast<std::size_t>(bytes.size()), answer),
             wire::Decoded::ok);
    QCOMPARE(answer.ack, 3u);
    QCOMPARE(answer.want_logs.at(0).to, 1u);
    Client client(m_collector->port());
    const QJsonObject job = client.get("/api/jobs").json()["jobs"][0].toObject();
    QCOMPARE(job["name"].toString(), "study.py");
    QCOMPARE(client.get("/api/jobs/" + job["id"].toString().toLatin1()).json()["bars"][0]["n"].toInt(), 4);
  }

  void an_answer_is_never_larger_than_what_it_answers() {
    const Peer peer(m_collector->port());
    for (quint64 seq = 2; seq < 400; seq += 2)
      peer.send(datagram(seq, 1, R"("logs":[{"no":)" + std::to_string(seq) + R"(,"text":"x"}])"));
    const std::string report = datagram(401, 1, R"("finish":{})");
    peer.send(report);
    const QByteArray bytes = peer.receive();
    QVERIFY(!bytes.isEmpty());
    QVERIFY(static_cast<std::size_t>(bytes.size()) <= report.size());
  }

  void a_sender_that_is_gone_in_a_moment_is_shown() {
    Peer(m_collector->port()).send(datagram(1, 1, R"("hello":{"name":"short"},"finish":{"code":0})"));
    QTRY_COMPARE(m_collector->jobs().size(), 1u);
    QCOMPARE(m_collector->jobs()[0]->state, model::State::finished);
  }

  void what_is_no_report_is_counted_by_reason_and_nothing_else() {
    const Peer peer(m_collector->port());
    const std::string whole = datagram(1, 1, R"("hello":{"name":"x"})");
    const QList<std::string> garbage = refusable(whole);
    for (const std::string& bytes : garbage) peer.send(bytes);
    QTRY_COMPARE(m_collector->health().received, quint64(garbage.size()));
    const Health health = m_collector->health();
    QCOMPARE(health.refused.at("empty"), 1u);
    QCOMPARE(health.refused.at("unknown_encoding"), 3u);
    QCOMPARE(health.refused.at("wrong_version"), 1u);
    QCOMPARE(health.refused.at("missing_key"), 1u);
    QCOMPARE(health.refused.at("wrong_type"), 1u);
    QCOMPARE(health.refused.at("sealed"), 1u);
    QVERIFY(m_collector->jobs().empty());
    QCOMPARE(health.answered, 0u);
    Client client(m_collector->port());
    QCOMPARE(client.get("/healthz").json()["refused"].toObject()["empty"].toInt(), 1);
    peer.send(whole);
    QTRY_COMPARE(m_collector->jobs().size(), 1u);  // and it goes on
  }

  void a_foreign_host_or_origin_is_refused_everywhere_data() {
    QTest::addColumn<QByteArray>("path");
    for (const char* path : {"/", "/events", "/api/jobs", "/healthz", "/metrics", "/nowhere", "/assets/index.js"})
      QTest::newRow(path) << QByteArray(path);
  }
  void a_foreign_host_or_origin_is_refused_everywhere() {
    QFETCH(QByteArray, path);
    Client client(m_collector->port());
    for (const char* headers : {"Host: evil.example\r\n", "Host: localhost\r\nOrigin: http://evil.example\r\n", ""}) {
      const Answer answer = client.ask("GET " + path, headers);
      QCOMPARE(answer.status, 403);
      QCOMPARE(answer.header("Content-Type"), "application/problem+json");
      QVERIFY(answer.header("Access-Control-Allow-Origin").isEmpty());
    }
  }

  void tokens() {
    Client client(m_collector->port());
    const QByteArray token = m_collector->token().toLatin1();
    QCOMPARE(client.get("/api/jobs?token=wrong").status, 401);
    QCOMPARE(client.get("/events?token=wrong").status, 401);
    QCOMPARE(client.ask("GET /api/jobs", "Host: localhost\r\nAuthorization: Bearer wrong\r\n").status, 401);
    QCOMPARE(client.ask("GET /api/jobs", "Host: localhost\r\nAuthorization: Bearer " + token + "\r\n").status, 200);
    const Answer moved = client.get("/api/jobs?x=1&token=" + token);
    QCOMPARE(moved.status, 303);
    QCOMPARE(moved.header("Location"), "/api/jobs?x=1");
    QVERIFY(moved.header("Set-Cookie").contains("HttpOnly; SameSite=Strict"));
    QCOMPARE(client.get("//evil.example/?token=" + token).header("Location"), "/");
  }

  void methods_heads_and_unknown_places() {
    Client client(m_collector->port());
    QCOMPARE(client.ask("POST /api/jobs", "Host: localhost\r\nContent-Length: 0\r\n").status, 405);
    QCOMPARE(client.ask("POST /ingest", "Host: localhost\r\nContent-Length: 0\r\n").status, 400);
    QCOMPARE(client.ask("GET /ingest", "Host: localhost\r\n").status, 405);
    QCOMPARE(client.get("/nowhere").header("Content-Type"), "application/problem+json");
    QCOMPARE(client.get("/api/jobs/a3f2c1d0-5b7e-4c19-8f02-9d3e61b7a045").status, 404);
    QCOMPARE(client.get("/../../etc/passwd").status, 404);
    const Answer head = client.ask("HEAD /healthz");
    QCOMPARE(head.status, 200);
    QVERIFY(head.header("Content-Length").toInt() > 0);
    QTest::qWait(50);
    QVERIFY(client.received.endsWith("\r\n\r\n"));  // no body, and the connection lives
    QCOMPARE(client.get("/healthz").status, 200);
  }

  void the_page_and_its_headers() {
    Client client(m_collector->port());
    const Answer page = client.get("/");
    QCOMPARE(page.status, 200);
    QVERIFY(page.body.contains("<html"));
    QVERIFY(page.header("Content-Security-Policy").contains("default-src 'self'"));
    QVERIFY(!page.header("Content-Security-Policy").contains("unsafe"));
    QCOMPARE(page.header("X-Content-Type-Options"), "nosniff");
    const Answer packed = client.ask("GET /", "Host: localhost\r\nAccept-Encoding: gzip, br\r\n");
    QCOMPARE(packed.header("Content-Encoding"), "gzip");
    QVERIFY(packed.body.startsWith("\x1f\x8b"));
    QCOMPARE(client.ask("GET /", "Host: localhost\r\nIf-None-Match: " + page.header("ETag") + "\r\n").status, 304);
    QCOMPARE(client.get("/assets/index.js").header("Content-Type"), "text/javascript; charset=utf-8");
  }

  void events_begin_with_a_snapshot_and_tell_what_changes() {
    const Peer peer(m_collector->port());
    peer.send(datagram(1, 1, R"("hello":{"name":"a"},"bars":[{"id":1,"n":1,"total":9}])"));
    QTRY_COMPARE(m_collector->jobs().size(), 1u);
    Client browser(m_collector->port());
    browser.socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QTRY_COMPARE(events_in(browser.received).value(0).name, "snapshot");
    QVERIFY(browser.received.contains("X-Accel-Buffering: no"));
    QVERIFY(browser.received.contains("no-cache, no-transform"));
    peer.send(datagram(2, 2, R"("bars":[{"id":1,"n":9,"total":9,"state":"done"}],"logs":[{"no":1,"text":"hi"}])"));
    QTRY_COMPARE(events_in(browser.received).value(2).name, "log");
    const QList<Event> events = events_in(browser.received);
    QCOMPARE(events[1].name, "job");
    QCOMPARE(events[1].data["bars"][0]["n"].toInt(), 9);
    QVERIFY(!events[1].data.contains("name"));
    QCOMPARE(events[2].data["lines"][0]["text"].toString(), "hi");
    QVERIFY(events[0].id < events[1].id && events[1].id < events[2].id);

    // Gone for a moment: what was missed comes again, without a snapshot.
    browser.socket.abort();
    Client back(m_collector->port());
    back.socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: " + QByteArray::number(events[1].id) +
                      "\r\n\r\n");
    QTRY_COMPARE(events_in(back.received).value(0).id, events[2].id);
    QCOMPARE(events_in(back.received).size(), 1);
    Client stranger(m_collector->port());
    stranger.socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 7\r\n\r\n");
    QTRY_COMPARE(events_in(stranger.received).value(0).name, "snapshot");
  }

  void a_busy_job_makes_ten_events_a_second_at_most() {
    const Peer peer(m_collector->port());
    Client browser(m_collector->port());
    browser.socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QTRY_COMPARE(events_in(browser.received).size(), 1);
    QElapsedTimer timer;
    timer.start();
    for (quint64 seq = 1; timer.elapsed() < 1500; ++seq) {
      peer.send(datagram(seq, 1,
                         R"("bars":[{"id":1,"n":)" + std::to_string(seq) + R"(}],"logs":[{"no":)" +
                             std::to_string(seq) + R"(,"text":"x"}])"));
      QTest::qWait(5);
    }
    const auto count = events_in(browser.received).size() - 1;
    QVERIFY2(count > 4 && count <= timer.elapsed() / 100 + 2, qPrintable(QString::number(count)));
  }

  void a_browser_that_does_not_read_is_dropped() {
    const Peer peer(m_collector->port());
    Client slow(m_collector->port());
    slow.socket.setReadBufferSize(1024);
    slow.reading = false;
    slow.socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QTRY_COMPARE(m_collector->health().browsers, 1u);
    const std::string text(16000, 'x');
    quint64 no = 0;
    const auto dropped = [&] {
      for (int i = 0; i < 20; ++i, ++no)
        peer.send(datagram(no + 1, 1, R"("logs":[{"no":)" + std::to_string(no + 1) + R"(,"text":")" + text + R"("}])"));
      return m_collector->health().browsers_dropped == 1;
    };
    QTRY_VERIFY_WITH_TIMEOUT(dropped(), 30000);
    QCOMPARE(m_collector->health().browsers, 0u);
  }

  void a_request_without_end_is_cut_off() {
    Listener::idle_ms = 500;
    Client client(m_collector->port());
    client.socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + QByteArray(1 << 20, 'x'));
    QTRY_VERIFY_WITH_TIMEOUT(client.socket.state() == QAbstractSocket::UnconnectedState, 10000);
    Listener::idle_ms = 15000;
    Client other(m_collector->port());
    QCOMPARE(other.get("/healthz").status, 200);
  }

  void a_restart_keeps_the_token_and_lets_event_numbers_grow() {
    const QString token = m_collector->token();
    const auto first_id = [this] {
      Client browser(m_collector->port());
      browser.socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
      [&] { QTRY_VERIFY(!events_in(browser.received).isEmpty()); }();
      return events_in(browser.received).value(0).id;
    };
    const quint64 before = first_id();
    m_collector.reset();
    m_collector = make();
    QCOMPARE(m_collector->start(), QString());
    QCOMPARE(m_collector->token(), token);
    QVERIFY(first_id() > before);
  }

  void what_stands_in_the_way_is_one_clear_line() {
    auto second = make(m_collector->port());
    QVERIFY(second->start().contains(QStringLiteral("UDP port %1").arg(m_collector->port())));

    QTcpServer taken;
    QVERIFY(taken.listen(QHostAddress::LocalHost));
    auto third = make(taken.serverPort());
    QVERIFY(third->start().contains("TCP port"));

    Options options;
    options.port = 0;
    options.data_dir = QStringLiteral("/proc/none");
    Collector nowhere(options);
    QVERIFY(nowhere.start().contains("data folder"));
    options.data_dir = m_folder->path();
    options.bind = "no address";
    Collector unbound(options);
    QVERIFY(unbound.start().contains("no address"));
  }

  void a_recording_shows_the_same_jobs_again() {
    const QString file = m_folder->filePath("recording");
    m_collector.reset();
    Options options = options_for(0);
    options.record_file = file;
    m_collector = std::make_unique<Collector>(options);
    QCOMPARE(m_collector->start(), QString());
    {
      const Peer peer(m_collector->port());
      peer.send(datagram(1, 1, R"("hello":{"name":"kept"},"bars":[{"id":1,"n":3}])"));
      peer.send("garbage");
      peer.send(datagram(2, 2, R"("finish":{"code":4})"));
      QTRY_COMPARE(m_collector->health().applied, 2u);
    }
    m_collector.reset();
    options.record_file.clear();
    options.replay_file = file;
    options.replay_speed = 0;
    m_collector = std::make_unique<Collector>(options);
    QSignalSpy done(m_collector.get(), &Collector::replay_finished);
    QCOMPARE(m_collector->start(), QString());
    QTRY_COMPARE(done.count(), 1);
    QCOMPARE(m_collector->jobs().size(), 1u);
    QCOMPARE(m_collector->jobs()[0]->identity->name, "kept");
    QCOMPARE(m_collector->jobs()[0]->state, model::State::failed);
  }

  void starting_and_stopping_under_load_is_quiet() {
    const quint16 port = m_collector->port();
    const Peer peer(port);
    for (int i = 0; i < 40; ++i) {
      for (quint64 seq = 1; seq < 50; ++seq) peer.send(datagram(seq, 1, R"("bars":[{"id":1,"n":1}])"));
      Client browser(port);
      browser.socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
      QTest::qWait(5);
      m_collector.reset();
      m_collector = make(port);
      QCOMPARE(m_collector->start(), QString());
    }
  }

  void the_program_reports_its_configuration_and_ends_cleanly() {
    QProcess program;
    program.start(qEnvironmentVariable("MACAW_BIN_DIR") + "/macaw-collector",
                  {"--port", "0", "--data", m_folder->filePath("own"), "--print-config"});
    QVERIFY(program.waitForReadyRead(10000));
    QVERIFY(QJsonDocument::fromJson(program.readLine()).object()["port"].toInt() > 0);
    program.terminate();
    QVERIFY(program.waitForFinished(10000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);

    program.start(qEnvironmentVariable("MACAW_BIN_DIR") + "/macaw-collector",
                  {"--port", QString::number(m_collector->port()), "--data", m_folder->filePath("own")});
    QVERIFY(program.waitForFinished(10000));
    QCOMPARE(program.exitCode(), 2);
    QCOMPARE(program.readAllStandardError().count('\n'), 1);
  }

  void the_program_needs_no_display_libraries() {
    QProcess ldd;
    ldd.start("ldd", {qEnvironmentVariable("MACAW_BIN_DIR") + "/macaw-collector"});
    QVERIFY(ldd.waitForFinished(10000));
    const QByteArray libraries = ldd.readAllStandardOutput();
    QVERIFY(libraries.contains("libQt6Core"));
    for (const char* part : {"Qt6Gui", "Qt6Widgets", "libX11", "libxcb", "libGL", "libwayland"})
      QVERIFY2(!libraries.contains(part), part);
  }

 private:
  Options options_for(quint16 port) const {
    Options options;
    options.port = port;
    options.data_dir = m_folder->filePath("data");
    return options;
  }
  std::unique_ptr<Collector> make(quint16 port = 0) const { return std::make_unique<Collector>(options_for(port)); }

  test::QtMessages m_messages;
  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<Collector> m_collector;
};

QTEST_GUILESS_MAIN(CollectorTest)
#include "collector_test.moc"
