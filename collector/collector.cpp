// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/collector.hpp"

#include <unistd.h>
#include <QFile>
#include <QHostAddress>
#include <QNetworkProxyFactory>
#include <QThread>

#include "collector/clock.hpp"
#include "collector/data_folder.hpp"
#include "collector/history/history.hpp"
#include "collector/ingest/ingest.hpp"
#include "collector/key_file.hpp"
#include "collector/mirror/job_list.hpp"
#include "collector/mirror/json_writer.hpp"
#include "collector/mirror/mirror.hpp"

namespace macaw {

namespace {

constexpr int free_port_tries = 32;

quint64 resident_bytes() {
  QFile file(QStringLiteral("/proc/self/statm"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  return file.readAll().split(' ').value(1).toULongLong() * static_cast<quint64>(sysconf(_SC_PAGESIZE));
}

QString shown(const QHostAddress& address, quint16 port) {
  const bool v6 = address.protocol() != QAbstractSocket::IPv4Protocol;
  return (v6 ? QStringLiteral("[%1]:%2") : QStringLiteral("%1:%2")).arg(address.toString()).arg(port);
}

}  // namespace

struct Collector::Private {
  Options options;
  DataFolder data;
  std::string key;
  QHostAddress udp;
  JobList jobs;
  Mirror* mirror = nullptr;
  Ingest* ingest = nullptr;  // lives in `thread`, which deletes it
  QThread thread;
  History* history = nullptr;  // lives in `history_thread`, which deletes it; null: switched off
  QThread history_thread;
  quint16 port = 0;

  QString open_key();
  std::optional<QByteArray> take_body(const QByteArray& body);
  QString open_sockets(Collector* self, std::unique_ptr<UdpSocket>& socket);
  void start_history(Collector* self);
};

// Waits for the ingest thread, which itself waits for nobody.
std::optional<QByteArray> Collector::Private::take_body(const QByteArray& body) {
  std::optional<QByteArray> answers;
  if (ingest)
    QMetaObject::invokeMethod(
        ingest, [&] { answers = ingest->take_body(body); }, Qt::BlockingQueuedConnection);
  return answers;
}

QString Collector::Private::open_key() {
  const QString path = options.key_file.isEmpty() ? data.key_path() : options.key_file;
  const bool exists = QFile::exists(path);
  if (!exists && options.key_file.isEmpty() && !options.make_key) return {};
  QString error;
  if (!exists && options.make_key) error = write_key(path, new_key());
  if (error.isEmpty()) key = read_key(path, error);
  return error;
}

// One number for both: where a free one is asked for, UDP picks and TCP must agree.
QString Collector::Private::open_sockets(Collector* self, std::unique_ptr<UdpSocket>& socket) {
  QString error;
  for (int i = 0; i < (options.port == 0 ? free_port_tries : 1); ++i) {
    socket = std::make_unique<UdpSocket>();
    error = socket->bind(udp, options.port);
    if (!error.isEmpty())
      return QStringLiteral(
                 "cannot listen on UDP port %1 (%2): another collector may be running; choose one with --port")
          .arg(options.port)
          .arg(error);
    Mirror::Settings settings{data.token(), data.first_event(), [self] { return self->health(); },
                              [this](const QByteArray& body) { return take_body(body); }};
    auto made = std::make_unique<Mirror>(jobs, std::move(settings), self);
    error = made->listen(options.http_bind, socket->port());
    if (error.isEmpty()) {
      mirror = made.release();
      port = socket->port();
      return {};
    }
  }
  const QString port_text =
      options.port == 0 ? QStringLiteral("any port") : QStringLiteral("TCP port %1").arg(options.port);
  return QStringLiteral("cannot serve browsers on %1 (%2): choose another --port or --http-bind").arg(port_text, error);
}

Collector::Collector(Options options, QObject* parent) : QObject(parent), d(std::make_unique<Private>()) {
  d->options = std::move(options);
  qRegisterMetaType<std::shared_ptr<const macaw::model::ChangeSet>>();
  qRegisterMetaType<std::vector<macaw::model::Job>>();
}

Collector::~Collector() {
  d->thread.quit();
  d->thread.wait();
  d->history_thread.quit();  // after it has what ingest had left
  d->history_thread.wait();
  if (d->mirror) d->data.save_last_event(d->mirror->events().last_id());
  delete d->mirror;  // before the jobs that it shows
}

QString Collector::start() {
  QNetworkProxyFactory::setUseSystemConfiguration(false);  // else Qt starts a proxy thread at the first bind
  d->udp = QHostAddress(d->options.bind);
  if (d->udp.isNull()) return QStringLiteral("\"%1\" is no address to bind to").arg(d->options.bind);
  QString error = d->data.open(d->options.data_dir);
  if (!error.isEmpty()) return error;
  error = d->open_key();
  if (!error.isEmpty()) return error;
  std::unique_ptr<UdpSocket> socket;
  error = d->open_sockets(this, socket);
  if (!error.isEmpty()) return error;

  auto ingest = std::make_unique<Ingest>(std::move(socket),
                                         Ingest::Settings{d->options.accept_unsealed, d->key, d->options.rate_limit});
  if (!d->options.record_file.isEmpty()) {
    error = ingest->record_to(d->options.record_file);
    if (!error.isEmpty()) return QStringLiteral("cannot record to %1: %2").arg(d->options.record_file, error);
  }
  if (!d->options.replay_file.isEmpty()) {
    error = ingest->replay_from(d->options.replay_file, d->options.replay_speed);
    if (!error.isEmpty()) return QStringLiteral("cannot replay %1: %2").arg(d->options.replay_file, error);
  }
  d->ingest = ingest.release();
  connect(d->ingest, &Ingest::changed, this, [this](const std::shared_ptr<const model::ChangeSet>& changes) {
    d->jobs.apply(*changes);
    d->mirror->apply(*changes);
    d->ingest->changes_taken();
    emit changed(changes);
  });
  connect(d->ingest, &Ingest::replay_finished, this, &Collector::replay_finished);
  // Nothing is received before the jobs that run are back from history.
  const bool keeps = d->options.history && d->options.replay_file.isEmpty();
  if (keeps)
    d->start_history(this);
  else
    connect(&d->thread, &QThread::started, d->ingest, &Ingest::start);
  connect(&d->thread, &QThread::finished, d->ingest, &QObject::deleteLater);
  d->ingest->moveToThread(&d->thread);
  d->thread.setObjectName(QStringLiteral("ingest"));
  d->thread.start(QThread::HighPriority);
  return {};
}

void Collector::Private::start_history(Collector* self) {
  History::Settings settings;
  settings.folder = data.path();
  settings.keep_days = options.keep_days;
  settings.max_bytes = static_cast<qint64>(options.keep_gb * 1e9);
  history = new History(settings);
  connect(history, &History::restored, ingest, &Ingest::restore);
  connect(history, &History::ready, ingest, &Ingest::start);
  connect(history, &History::problem, self, &Collector::problem);
  connect(
      ingest, &Ingest::changed, history, [to = history](const auto& changes) { to->offer(*changes); },
      Qt::DirectConnection);
  connect(&history_thread, &QThread::started, history, &History::start);
  connect(&history_thread, &QThread::finished, history, &QObject::deleteLater);
  history->moveToThread(&history_thread);
  history_thread.setObjectName(QStringLiteral("history"));
  history_thread.start();
}

quint16 Collector::port() const { return d->port; }
QString Collector::udp_address() const { return shown(d->udp, d->port); }
QUrl Collector::http_url() const { return QUrl(QStringLiteral("http://") + d->mirror->address()); }
QString Collector::token() const { return QString::fromLatin1(d->data.token()); }
std::string Collector::key() const { return d->key; }
QString Collector::data_dir() const { return d->data.path(); }

QByteArray Collector::config_json() const {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.pair("port", std::int64_t{port()});
  json.pair("udp", udp_address().toStdString());
  json.pair("http", http_url().toString().toStdString());
  json.pair("token", token().toStdString());
  json.pair("data", data_dir().toStdString());
  json.end_object();
  return QByteArray::fromStdString(out);
}

std::vector<model::JobPtr> Collector::jobs() const { return d->jobs.all(); }
model::JobPtr Collector::job(const model::JobId& id) const { return d->jobs.find(id); }

Health Collector::health() const {
  Health health;
  if (d->ingest) d->ingest->add_health(health);
  for (const model::JobPtr& job : d->jobs.all()) {
    health.lost += job->lost.datagrams;
    ++health.jobs;
    if (!model::is_terminal(job->state)) ++health.jobs_open;
  }
  health.browsers = d->mirror->events().browsers();
  health.browsers_dropped = d->mirror->events().dropped();
  health.memory = resident_bytes();
  health.history = d->history ? d->history->status_name() : "off";
  return health;
}

double Collector::now() const { return monotonic_now(); }

}  // namespace macaw
