// SPDX-License-Identifier: GPL-3.0-or-later
// The newest snapshot of every job, in order of first contact, kept up to date by ChangeSets. Main thread.
#pragma once

#include <unordered_map>
#include <vector>

#include "collector/model/job.hpp"
#include "collector/model/model.hpp"

namespace macaw {

class JobList {
 public:
  void apply(const model::ChangeSet& changes) {
    for (const model::JobId& id : changes.gone) remove(id);
    for (const model::JobChange& change : changes.jobs) set(change.job);
  }

  void set(const model::JobPtr& job) {
    const auto [at, added] = m_index.emplace(job->id, m_jobs.size());
    if (added)
      m_jobs.push_back(job);
    else
      m_jobs[at->second] = job;
  }

  void remove(const model::JobId& id) {
    const auto found = m_index.find(id);
    if (found == m_index.end()) return;
    m_jobs.erase(m_jobs.begin() + static_cast<std::ptrdiff_t>(found->second));
    for (auto& [other, place] : m_index)
      if (place > found->second) --place;
    m_index.erase(found);
  }

  const std::vector<model::JobPtr>& all() const { return m_jobs; }

  model::JobPtr find(const model::JobId& id) const {
    const auto found = m_index.find(id);
    return found == m_index.end() ? nullptr : m_jobs[found->second];
  }

 private:
  std::vector<model::JobPtr> m_jobs;
  std::unordered_map<model::JobId, std::size_t, model::JobIdHash> m_index;
};

}  // namespace macaw
