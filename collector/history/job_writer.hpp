// SPDX-License-Identifier: GPL-3.0-or-later
// Snapshots into rows. A snapshot shares with the one before it what did not change, so comparing the two tells which
// rows to write. Belongs to the database's thread; errors are SqlError, and the transaction is the caller's.
#pragma once

#include <unordered_map>

#include "collector/history/database.hpp"
#include "collector/model/job.hpp"
#include "collector/model/model.hpp"

namespace macaw::history {

class JobWriter {
 public:
  explicit JobWriter(Database& database) : m_db(database) {}

  // What the database holds of a job already, so that an unchanged one is not written again.
  void knows(const model::JobId& id, qint64 key, const model::Job& job);
  void forget() { m_held.clear(); }                          // the database was begun anew
  void forget(const model::JobId& id) { m_held.erase(id); }  // the transaction was rolled back

  // Stages of a job that runs change all the time: they are written when it ends, and every `stages_every`.
  static constexpr double stages_every = 10;
  void write(const model::JobPtr& job, double now);

 private:
  struct Held {
    qint64 key = 0;
    model::JobPtr last;  // as it was written; null when that is not known, or it has ended
    std::uint64_t seq = 0;
    model::State state = model::State::running;
    double stages_written = -stages_every;
    std::vector<std::shared_ptr<const model::Stage>> stages;  // as they were written
  };
  qint64 key_of(const model::JobId& id);
  void write_job(qint64 key, const model::Job& job);
  void write_bars(qint64 key, const model::Job& job, const model::Job* before);
  void write_stages(const model::Job& job, Held& held);
  void write_metric(qint64 key, int place, const model::Metric& metric, const model::Metric* before);
  void write_log(qint64 key, const model::Log& log, const model::Log* before);

  Database& m_db;
  std::unordered_map<model::JobId, Held, model::JobIdHash> m_held;
};

}  // namespace macaw::history
