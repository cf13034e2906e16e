// SPDX-License-Identifier: GPL-3.0-or-later
// Rows into snapshots, as they were when written. Belongs to the database's thread; errors are SqlError.
#pragma once

#include <vector>

#include "collector/history/database.hpp"
#include "collector/model/job.hpp"
#include "collector/model/limits.hpp"

namespace macaw::history {

// The collector's two clocks at one moment: what was heard at a Unix time was heard that long ago.
struct Moment {
  double now = 0, unix_s = 0;
};

class JobReader {
 public:
  JobReader(Database& database, Moment moment) : m_db(database), m_moment(moment) {}

  // Keys, the newest first.
  static std::vector<qint64> open_jobs(Database& database);
  static std::vector<qint64> ended_jobs(Database& database);

  model::Job read(qint64 key);

 private:
  void read_bars(qint64 key, model::Job& job);
  void read_stages(qint64 key, model::Job& job);
  void read_metrics(qint64 key, model::Job& job);
  void read_log(qint64 key, model::Job& job, std::uint64_t dropped);

  Database& m_db;
  Moment m_moment;
  const model::Limits m_limits;
};

}  // namespace macaw::history
