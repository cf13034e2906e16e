// SPDX-License-Identifier: GPL-3.0-or-later
// The collector as one object: listens, keeps the model, serves the mirror. Shared by macaw-desktop and
// macaw-collector, which differ by what they link only.
// Threads: a Collector lives in the main thread. Ingest runs in a thread of its own; its ChangeSets arrive here as
// queued signals, at most 20 a second, and stay valid for ever (values, shared).
#pragma once

#include <QObject>
#include <QString>
#include <QUrl>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "collector/model/job.hpp"

namespace macaw {

struct Options {
  QString bind = QStringLiteral("::");
  QString http_bind;      // empty: loopback, both families
  quint16 port = 6229;    // UDP and TCP; 0 picks one
  QString data_dir;       // empty: the XDG data folder
  QString key_file;       // empty: the data folder's `key`, if there is one
  bool make_key = false;  // when there is none
  bool accept_unsealed = false;
  double rate_limit = 0;  // datagrams a second from one address; 0: no limit
  bool history = true;
  double keep_days = 365, keep_gb = 4;  // history beyond these loses its oldest jobs
  QString record_file, replay_file;
  double replay_speed = 1.0;  // 0: as fast as possible
};

// Counters for /healthz and the status bar.
struct Health {
  quint64 received = 0, bytes = 0, applied = 0, lost = 0, kernel_drops = 0, answered = 0;
  quint64 replayed = 0;                    // datagrams that came a second time
  std::map<std::string, quint64> refused;  // by reason
  quint64 receive_buffer = 0;              // granted bytes
  std::string history = "off";             // "writing", "failing"
  quint64 jobs = 0, jobs_open = 0, browsers = 0, browsers_dropped = 0, memory = 0;
};

class Collector : public QObject {
  Q_OBJECT

 public:
  explicit Collector(Options options, QObject* parent = nullptr);
  ~Collector() override;

  // Opens both sockets. Returns an empty string, or one line that says what is wrong and what to do.
  QString start();

  quint16 port() const;
  QString udp_address() const;  // "[::]:6229"
  QUrl http_url() const;        // without token
  QString token() const;
  QString data_dir() const;
  std::string key() const;         // of sealed reports; empty: they cannot be opened
  QByteArray config_json() const;  // the line of --print-config

  std::vector<model::JobPtr> jobs() const;  // the latest snapshot, in order of first contact
  model::JobPtr job(const model::JobId& id) const;
  Health health() const;
  double now() const;  // the monotonic clock that ages in the model are measured against

 signals:
  void changed(std::shared_ptr<const macaw::model::ChangeSet> changes);
  void replay_finished();
  void problem(const QString& message);  // something a person should know, one line

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace macaw
