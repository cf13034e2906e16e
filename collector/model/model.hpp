// SPDX-License-Identifier: GPL-3.0-or-later
// All jobs: takes reports, gives ChangeSets. Pure: no socket, no file, no clock but the one that callers pass in, so
// that the same reports at the same times always give the same jobs. One thread (ingest); what it hands out is
// immutable and belongs to everybody.
//
//   model.apply(report, {now, unix_s});   // per datagram: cheap
//   if (auto changes = model.tick(now))   // up to 20 times a second: snapshots of what changed
#pragma once

#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "collector/model/job.hpp"
#include "collector/model/job_record.hpp"
#include "collector/model/limits.hpp"
#include "sdk/src/wire/report.hpp"

namespace macaw::model {

struct JobIdHash {
  std::size_t operator()(const JobId& id) const;
};

class Model {
 public:
  explicit Model(Limits limits = {}) : m_limits(limits) {}

  // False when this very datagram was here before.
  bool apply(const wire::Report& report, Arrival arrival);

  // Takes up a job from history, unless it is here already. False when there is no room for it.
  bool restore(const Job& kept);

  // Appends the answer to a report that was applied and has a hello or a finish, at most `limit` bytes.
  void answer(const wire::Report& report, std::size_t limit, std::string& out);

  // Null when nothing changed. `heard_until`: what was sent before then was applied, `now` if not said. Later silence
  // is the caller's own, who was stopped or busy.
  std::shared_ptr<const ChangeSet> tick(Seconds now, std::optional<Seconds> heard_until = std::nullopt);

  bool contains(const JobId& id) const { return m_index.count(id) != 0; }
  std::size_t size() const { return m_jobs.size(); }

 private:
  JobRecord& record(const JobId& id, Arrival arrival);
  void make_room();

  Limits m_limits;
  std::list<JobRecord> m_jobs;  // by first contact
  std::unordered_map<JobId, std::list<JobRecord>::iterator, JobIdHash> m_index;
  std::vector<JobId> m_gone;
  std::uint64_t m_number = 0;
  Seconds m_judged = -1e9;  // when all states were looked at last
};

}  // namespace macaw::model
