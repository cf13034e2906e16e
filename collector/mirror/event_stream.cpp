// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/mirror/event_stream.hpp"

#include <QRandomGenerator>

#include "collector/clock.hpp"
#include "collector/mirror/job_json.hpp"

namespace macaw {

namespace {

constexpr int flush_every_ms = 50;
constexpr double between_events = 0.1;  // s, of one job
constexpr int beat_every_ms = 15'000;
constexpr qint64 max_ring_bytes = 4 << 20;
constexpr double ring_outlives_clients = 60;  // s
constexpr std::size_t max_lines = 1000;       // in one event

}  // namespace

EventStream::EventStream(quint64 first_id, QObject* parent)
    : QObject(parent),
      m_boot(QString::number(QRandomGenerator::system()->generate64(), 16).toStdString()),
      m_id(first_id) {
  connect(&m_flush, &QTimer::timeout, this, &EventStream::flush);
  m_flush.setInterval(flush_every_ms);
  connect(&m_beat, &QTimer::timeout, this, [this] {
    for (auto client = m_clients.begin(); client != m_clients.end();) write(*client++, ":\n\n");
  });
  m_beat.start(beat_every_ms);
}

bool EventStream::has_listeners() const {
  return !m_clients.empty() || monotonic_now() - m_last_client < ring_outlives_clients;
}

void EventStream::apply(const model::ChangeSet& changes) {
  for (const model::JobChange& change : changes.jobs) {
    Pending& pending = m_pending[change.job->id];
    pending.job = change.job;
    pending.log_again |= change.log_repaired;
  }
  for (const model::JobId& id : changes.gone) {
    m_pending.erase(id);
    m_rest.erase(id);
    m_told.remove(id);
    publish("gone", "{\"id\":\"" + model::to_string(id) + "\"}");
  }
  // What a job says after a quiet time goes out at once; from then on, ten times a second.
  flush();
  if (!m_pending.empty() && !m_flush.isActive()) m_flush.start();
}

void EventStream::flush() {
  if (m_pending.empty()) return m_flush.stop();
  if (!has_listeners()) {
    for (auto& [id, pending] : m_pending) {
      m_told.set(pending.job);
      m_rest[id].log = pending.job->log->last_no;
    }
    m_pending.clear();
    m_ring.clear();
    m_ring_bytes = 0;
    return;
  }
  const double now = monotonic_now();
  for (auto at = m_pending.begin(); at != m_pending.end();) {
    Rest& rest = m_rest[at->first];
    if (now - rest.told_at >= between_events && flush_job(at->second, rest, now))
      at = m_pending.erase(at);
    else
      ++at;
  }
}

// One event of a job at a time, its state and its log in turn: that keeps it to ten a second. True when nothing is
// left.
bool EventStream::flush_job(Pending& pending, Rest& rest, double now) {
  const model::Job& job = *pending.job;
  const model::JobPtr told = m_told.find(job.id);
  const bool log_waits = pending.log_again || job.log->last_no > rest.log;
  const bool state_waits = told != pending.job;

  std::string data;
  JsonWriter json(data);
  json.begin_object();
  if (state_waits && !(pending.log_next && log_waits && told)) {
    if (told) {
      write_job_changes(json, job, *told, now);
    } else {
      write_job(json, job, now);
      json.pair("added", true);
    }
    json.end_object();
    m_told.set(pending.job);
    rest.told_at = now;
    pending.log_next = true;
    publish("job", data);
    return !log_waits;
  }
  if (!log_waits) return true;
  rest.told_at = now;
  json.pair("id", model::to_string(job.id));
  std::vector<const model::LogLine*> lines;
  const auto& chunks = job.log->chunks;
  for (auto chunk = chunks.rbegin(); chunk != chunks.rend() && lines.size() <= max_lines; ++chunk)
    for (auto line = (*chunk)->rbegin(); line != (*chunk)->rend() && lines.size() <= max_lines && line->no > rest.log;
         ++line)
      lines.push_back(&*line);
  const bool again = pending.log_again || lines.size() > max_lines;
  json.key("lines");
  json.begin_array();
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) write_log_line(json, **line, job.started);
  json.end_array();
  json.pair("last", job.log->last_no);
  if (again) json.pair("again", true);
  json.end_object();
  rest.log = job.log->last_no;
  pending.log_again = pending.log_next = false;
  publish("log", data);
  return !state_waits;
}

void EventStream::publish(const char* event, const std::string& json) {
  QByteArray bytes = "id: " + QByteArray::number(++m_id) + "\nevent: " + event + "\ndata: ";
  bytes.append(json.data(), static_cast<qsizetype>(json.size()));
  bytes += "\n\n";
  for (auto client = m_clients.begin(); client != m_clients.end();) write(*client++, bytes);
  m_ring_bytes += bytes.size();
  m_ring.push_back({m_id, std::move(bytes)});
  while (m_ring_bytes > max_ring_bytes) {
    m_ring_bytes -= m_ring.front().bytes.size();
    m_ring.pop_front();
  }
}

QByteArray EventStream::snapshot() const {
  std::string data = "id: " + std::to_string(m_id) + "\nevent: snapshot\ndata: ";
  JsonWriter json(data);
  json.begin_object();
  json.pair("boot", m_boot);
  json.pair("version", MACAW_VERSION);
  json.pair("now", iso_time(unix_now()));
  json.key("jobs");
  json.begin_array();
  const double now = monotonic_now();
  for (const model::JobPtr& job : m_told.all()) {
    json.begin_object();
    write_job(json, *job, now);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  data += "\n\n";
  return QByteArray::fromStdString(data);
}

void EventStream::attach(QTcpSocket& socket, const QByteArray& headers, std::optional<quint64> after) {
  QByteArray bytes =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache, no-transform\r\n"
      "X-Accel-Buffering: no\r\nConnection: close\r\n" +
      headers + "\r\nretry: 1000\n\n";
  const quint64 oldest = m_ring.empty() ? m_id + 1 : m_ring.front().id;
  if (after && *after + 1 >= oldest && *after <= m_id) {
    for (const Frame& frame : m_ring)
      if (frame.id > *after) bytes += frame.bytes;
  } else {
    bytes += snapshot();
  }
  QAbstractSocket* const s = &socket;
  connect(s, &QAbstractSocket::disconnected, this, [this, s] { forget(s); });
  connect(s, &QObject::destroyed, this, [this, s] { forget(s); });
  // Queued, because QHttpServer listens to the socket again when the responder dies: from then on nobody reads
  // requests.
  QMetaObject::invokeMethod(
      s,
      [s] {
        QObject::disconnect(s, &QIODevice::readyRead, nullptr, nullptr);
        QObject::connect(s, &QIODevice::readyRead, s, [s] { s->readAll(); });
        s->readAll();
      },
      Qt::QueuedConnection);
  m_clients.push_back({s, max_backlog + bytes.size()});
  m_last_client = monotonic_now();
  s->write(bytes);
}

void EventStream::write(Client& client, const QByteArray& bytes) {
  QAbstractSocket* const socket = client.socket;
  if (!socket || socket->state() != QAbstractSocket::ConnectedState) return;
  if (socket->bytesToWrite() + bytes.size() > client.allowance) {
    ++m_dropped;
    socket->abort();  // which forgets the client
    return;
  }
  socket->write(bytes);
}

void EventStream::forget(const QAbstractSocket* socket) {
  m_last_client = monotonic_now();
  m_clients.remove_if([socket](const Client& client) { return !client.socket || client.socket == socket; });
}

}  // namespace macaw
