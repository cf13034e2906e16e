// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/job_store.hpp"

#include <utility>

namespace macaw::widgets {

namespace {
constexpr int flush_ms = 100, tick_ms = 1000;
}

JobStore::JobStore(Clock clock, QObject* parent) : QObject(parent), m_clock(std::move(clock)) {
  m_flush.setSingleShot(true);
  m_flush.setInterval(flush_ms);
  connect(&m_flush, &QTimer::timeout, this, &JobStore::flush);
  m_tick.setInterval(tick_ms);
  connect(&m_tick, &QTimer::timeout, this, &JobStore::ticked);
  m_tick.start();
}

void JobStore::reset(std::vector<model::JobPtr> jobs) {
  for (const auto& job : m_jobs) m_dirty.insert(job->id);
  m_jobs = std::move(jobs);
  m_index.clear();
  for (std::size_t i = 0; i < m_jobs.size(); ++i) {
    m_index[m_jobs[i]->id] = i;
    m_dirty.insert(m_jobs[i]->id);
  }
  m_added_or_gone = true;
  flush();
}

void JobStore::apply(const model::ChangeSet& changes) {
  for (const model::JobChange& change : changes.jobs) {
    const auto [place, added] = m_index.try_emplace(change.job->id, m_jobs.size());
    if (added) {
      m_jobs.push_back(change.job);
      m_added_or_gone = true;
    } else {
      m_jobs[place->second] = change.job;
    }
    m_dirty.insert(change.job->id);
  }
  if (!changes.gone.empty()) {
    const std::set<model::JobId> gone(changes.gone.begin(), changes.gone.end());
    std::erase_if(m_jobs, [&gone](const auto& job) { return gone.contains(job->id); });
    m_index.clear();
    for (std::size_t i = 0; i < m_jobs.size(); ++i) m_index[m_jobs[i]->id] = i;
    m_dirty.insert(gone.begin(), gone.end());
    m_added_or_gone = true;
  }
  if (!m_dirty.empty() && !m_flush.isActive()) m_flush.start();
}

void JobStore::flush() {
  m_flush.stop();
  const auto dirty = std::exchange(m_dirty, {});
  emit flushed(dirty, std::exchange(m_added_or_gone, false));
}

model::JobPtr JobStore::job(const model::JobId& id) const {
  const auto found = m_index.find(id);
  return found == m_index.end() ? nullptr : m_jobs[found->second];
}

}  // namespace macaw::widgets
