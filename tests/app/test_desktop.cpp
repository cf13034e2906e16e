// SPDX-License-Identifier: GPL-3.0-or-later
// macaw-desktop as a whole program: its configuration line, its picture, its refusals, its one instance a folder.
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QUdpSocket>
#include <QtTest>

#include "tests/support/feed.hpp"

using namespace macaw;

namespace {

constexpr int patience_ms = 30'000;

class Desktop {
 public:
  explicit Desktop(const QStringList& options) {
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_folder.path());  // Qt warns where there is none
    m_process.setProcessEnvironment(environment);
    m_process.setProgram(qEnvironmentVariable("MACAW_BIN_DIR") + QStringLiteral("/macaw-desktop"));
    m_process.setArguments(QStringList{"--bind", "127.0.0.1", "--no-history", "--data", m_folder.path()} + options);
    m_process.start();
  }
  ~Desktop() {
    m_process.terminate();
    if (!m_process.waitForFinished(5000)) m_process.kill();
    m_process.waitForFinished();
  }

  // Of --print-config.
  QJsonObject config() {
    while (!m_process.canReadLine())
      if (!m_process.waitForReadyRead(patience_ms)) return {};
    return QJsonDocument::fromJson(m_process.readLine()).object();
  }
  bool ended() { return m_process.state() == QProcess::NotRunning || m_process.waitForFinished(patience_ms); }
  int code() const { return m_process.exitCode(); }
  QString complaint() { return QString::fromUtf8(m_process.readAllStandardError()); }
  QString folder() const { return m_folder.path(); }

 private:
  QTemporaryDir m_folder;
  QProcess m_process;
};

void send(quint16 port, const std::string& datagram) {
  QUdpSocket socket;
  socket.writeDatagram(QByteArray::fromStdString(datagram), QHostAddress::LocalHost, port);
}

bool has_color(const QImage& image, const QColor& wanted) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixelColor(x, y) == wanted) return true;
  return false;
}

}  // namespace

class TestDesktop : public QObject {
  Q_OBJECT

 private slots:
  void the_picture_of_a_failed_job() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("window.png"));
    Desktop desktop({"--port", "0", "--print-config", "--screenshot", file, "--size", "1000x700", "--select",
                     "research.py", "--tab", "overview", "--theme", "dark"});
    const QJsonObject config = desktop.config();
    QVERIFY2(config["port"].toInt() > 0, qPrintable(desktop.complaint()));
    send(static_cast<quint16>(config["port"].toInt()),
         test::datagram(1, 2.0,
                        R"("hello":{"name":"research.py"},"bars":[{"id":1,"n":30,"total":200,"elapsed":1.9}],)"
                        R"("finish":{"elapsed":2.0,"code":3,"state":"failed"})"));
    QVERIFY(desktop.ended());
    QCOMPARE(desktop.code(), 0);
    const QImage picture(file);
    QCOMPARE(picture.size(), QSize(1000, 700));
    QVERIFY(has_color(picture, QColor(QStringLiteral("#1C1F24"))));  // the dark surface
    QVERIFY(has_color(picture, QColor(QStringLiteral("#3B2225"))));  // the box that says why it failed
  }

  void the_picture_of_a_replay_is_taken_at_its_end() {
    const QTemporaryDir folder;
    const QString recording = folder.filePath(QStringLiteral("reports")),
                  file = folder.filePath(QStringLiteral("window.png"));
    {
      Desktop desktop(
          {"--port", "0", "--print-config", "--record", recording, "--screenshot", file, "--size", "800x600"});
      const auto port = static_cast<quint16>(desktop.config()["port"].toInt());
      send(port,
           test::datagram(1, 1.0, R"("hello":{"name":"replayed.py"},"bars":[{"id":1,"n":1,"total":2,"elapsed":1}])"));
      send(port, test::datagram(2, 2.0, R"("finish":{"elapsed":2.0,"code":1,"state":"failed"})"));
      QVERIFY(desktop.ended());
      QCOMPARE(desktop.code(), 0);
    }
    QVERIFY(QFile::remove(file));
    Desktop desktop({"--port", "0", "--replay", recording, "--screenshot", file, "--size", "800x600", "--select",
                     "replayed.py", "--theme", "light"});
    QVERIFY(desktop.ended());
    QCOMPARE(desktop.code(), 0);
    QVERIFY(has_color(QImage(file), QColor(QStringLiteral("#FCEBEC"))));  // the box that says why it failed
  }

  void a_port_in_use_is_one_line_and_code_2() {
    QUdpSocket taken;
    QVERIFY(taken.bind(QHostAddress::LocalHost, 0));
    const QTemporaryDir folder;
    Desktop desktop(
        {"--port", QString::number(taken.localPort()), "--screenshot", folder.filePath(QStringLiteral("x.png"))});
    QVERIFY(desktop.ended());
    QCOMPARE(desktop.code(), 2);
    const QString complaint = desktop.complaint();
    QVERIFY2(complaint.startsWith(QStringLiteral("macaw-desktop: ")) &&
                 complaint.contains(QString::number(taken.localPort())),
             qPrintable(complaint));
    QCOMPARE(complaint.trimmed().count(QLatin1Char('\n')), 0);
  }

  void nonsense_on_the_command_line() {
    for (const QStringList& options :
         {QStringList{"--size", "big"}, {"--theme", "pink"}, {"--no-such-option"}, {"--port", "x"}}) {
      Desktop desktop(options);
      QVERIFY(desktop.ended());
      QCOMPARE(desktop.code(), 2);
      const QString complaint = desktop.complaint();
      QVERIFY2(complaint.contains(options[0].mid(2)), qPrintable(complaint));
    }
  }

  void a_second_instance_leaves_the_first_one_running() {
    Desktop first({"--port", "0", "--print-config"});
    QVERIFY(first.config()["port"].toInt() > 0);
    // The options that come last win: the same folder.
    Desktop second({"--port", "0", "--print-config", "--data", first.folder()});
    QVERIFY(second.ended());
    QCOMPARE(second.code(), 0);
    QVERIFY(second.config().isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestDesktop)
#include "test_desktop.moc"
