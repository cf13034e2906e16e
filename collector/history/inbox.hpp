// SPDX-License-Identifier: GPL-3.0-or-later
// Changed jobs on their way to the disk. Whoever offers never waits for it: of each job the newest snapshot is kept,
// so a disk that stalls costs no more memory than the jobs themselves. Any thread.
#pragma once

#include <mutex>
#include <unordered_map>
#include <utility>

#include "collector/model/job.hpp"
#include "collector/model/model.hpp"

namespace macaw::history {

class Inbox {
 public:
  using Jobs = std::unordered_map<model::JobId, model::JobPtr, model::JobIdHash>;

  void offer(const model::ChangeSet& changes) {
    const std::lock_guard lock(m_mutex);
    for (const model::JobChange& change : changes.jobs) m_jobs[change.job->id] = change.job;
  }
  Jobs take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_jobs, {});
  }
  // What could not be written, unless there is something newer.
  void put_back(Jobs jobs) {
    const std::lock_guard lock(m_mutex);
    m_jobs.merge(jobs);
  }

 private:
  std::mutex m_mutex;
  Jobs m_jobs;
};

}  // namespace macaw::history
