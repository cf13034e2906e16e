// SPDX-License-Identifier: GPL-3.0-or-later
// Server-sent events. Ten times a second the newest snapshots are compared with what browsers were told last, and
// what differs goes out, once for all browsers. A browser that does not read is dropped and comes back to a snapshot;
// one that was away briefly gets what it missed from a ring.
// Writes on the raw socket after QHttpServer's responder has died: to keep a responder is a use after free on Qt 6.4
// and a leak on 6.11. Main thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTcpSocket>
#include <QTimer>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "collector/mirror/job_list.hpp"

namespace macaw {

class EventStream : public QObject {
  Q_OBJECT

 public:
  // Event numbers start above `first_id` and only grow.
  EventStream(quint64 first_id, QObject* parent);

  void apply(const model::ChangeSet& changes);

  // Takes the socket over: it is answered here, for as long as it lives. `after` is the last event that the browser
  // has.
  void attach(QTcpSocket& socket, const QByteArray& headers, std::optional<quint64> after);

  quint64 browsers() const { return m_clients.size(); }
  quint64 dropped() const { return m_dropped; }
  quint64 last_id() const { return m_id; }

  static constexpr qint64 max_backlog = 4 << 20;

 private:
  struct Frame {
    quint64 id = 0;
    QByteArray bytes;
  };
  struct Client {
    QPointer<QAbstractSocket> socket;  // as that it still says "disconnected" while it dies
    qint64 allowance = max_backlog;
  };
  struct Pending {
    model::JobPtr job;       // newest
    bool log_next = false;   // the last event was of the other kind
    bool log_again = false;  // lines were repaired
  };

  // What else browsers know of a job.
  struct Rest {
    std::uint64_t log = 0;  // last line
    double told_at = -1e9;  // when the last event was
  };

  void flush();
  bool flush_job(Pending& pending, Rest& rest, double now);
  void publish(const char* event, const std::string& json);
  void write(Client& client, const QByteArray& bytes);
  void forget(const QAbstractSocket* socket);
  QByteArray snapshot() const;
  bool has_listeners() const;

  std::string m_boot;
  quint64 m_id;
  JobList m_told;  // what browsers know
  std::unordered_map<model::JobId, Rest, model::JobIdHash> m_rest;
  std::unordered_map<model::JobId, Pending, model::JobIdHash> m_pending;
  std::deque<Frame> m_ring;
  qint64 m_ring_bytes = 0;
  std::list<Client> m_clients;
  double m_last_client = -1e9;  // when there was one
  quint64 m_dropped = 0;
  QTimer m_flush, m_beat;
};

}  // namespace macaw
