// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/model/model.hpp"

#include <cstring>

namespace macaw::model {

std::size_t JobIdHash::operator()(const JobId& id) const {
  std::size_t halves[2];
  static_assert(sizeof halves == sizeof id);
  std::memcpy(halves, id.data(), sizeof halves);
  return halves[0] ^ (halves[1] * 0x9e3779b97f4a7c15u);  // ids are random, unless somebody makes them up
}

// The job that ended or fell silent longest ago leaves first; one that runs, only when all do.
void Model::make_room() {
  const auto rank = [](const JobRecord& record) {
    const JobPtr& job = record.published();
    if (!job) return 2;
    return is_terminal(job->state) ? 0 : job->state == State::no_contact ? 1 : 2;
  };
  auto leaves = m_jobs.begin();
  for (auto it = m_jobs.begin(); it != m_jobs.end() && rank(*leaves) > 0; ++it)
    if (rank(*it) < rank(*leaves)) leaves = it;
  for (auto it = m_index.begin(); it != m_index.end(); ++it) {
    if (it->second != leaves) continue;
    if (leaves->published()) m_gone.push_back(it->first);
    m_index.erase(it);
    break;
  }
  m_jobs.erase(leaves);
}

JobRecord& Model::record(const JobId& id, Arrival arrival) {
  const auto found = m_index.find(id);
  if (found != m_index.end()) return *found->second;
  if (m_jobs.size() >= m_limits.jobs) make_room();
  m_jobs.emplace_back(id, arrival);
  m_index.emplace(id, std::prev(m_jobs.end()));
  return m_jobs.back();
}

bool Model::restore(const Job& kept) {
  if (contains(kept.id)) return true;
  if (m_jobs.size() >= m_limits.jobs) return false;
  m_jobs.emplace_front(kept);  // before all that is new: the newest are given back first
  m_index.emplace(kept.id, m_jobs.begin());
  return true;
}

bool Model::apply(const wire::Report& report, Arrival arrival) {
  return record(report.job, arrival).apply(report, arrival, m_limits);
}

void Model::answer(const wire::Report& report, std::size_t limit, std::string& out) {
  const auto found = m_index.find(report.job);
  if (found != m_index.end()) found->second->answer(report, limit, out);
}

std::shared_ptr<const ChangeSet> Model::tick(Seconds now, std::optional<Seconds> heard_until) {
  constexpr Seconds judge_every = 0.5;
  const bool judge_all = now - m_judged >= judge_every;
  if (judge_all) m_judged = now;
  auto changes = std::make_shared<ChangeSet>();
  for (JobRecord& record : m_jobs) {
    if (!judge_all && !record.dirty()) continue;
    if (auto change = record.publish(now, heard_until.value_or(now), m_limits))
      changes->jobs.push_back(std::move(*change));
  }
  changes->gone.swap(m_gone);
  if (changes->jobs.empty() && changes->gone.empty()) return nullptr;
  changes->number = ++m_number;
  changes->now = now;
  return changes;
}

}  // namespace macaw::model
