// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/job_arrangement.hpp"

#include <QStringList>
#include <algorithm>
#include <array>
#include <map>

#include "widgets/format/format.hpp"
#include "widgets/models/moment.hpp"

namespace macaw::widgets {

using model::JobPtr;
using model::State;

namespace {

bool needs_a_look(State state) {
  return state == State::failed || state == State::stalled || state == State::no_contact || state == State::ended_early;
}

JobSection section_of(const model::Job& job, const ListMarks& marks) {
  if (needs_a_look(job.state) && !marks.seen.contains(job.id)) return JobSection::needs_a_look;
  return model::is_terminal(job.state) ? JobSection::ended : JobSection::running;
}

// The worst first, then the newest.
int urgency(State state) {
  switch (state) {
    case State::failed: return 0;
    case State::stalled: return 1;
    case State::no_contact: return 2;
    case State::ended_early: return 3;
    default: return 4;
  }
}

bool before(JobSection section, const JobPtr& a, const JobPtr& b) {
  if (section == JobSection::needs_a_look && urgency(a->state) != urgency(b->state))
    return urgency(a->state) < urgency(b->state);
  const double time_a = section == JobSection::running ? a->started : ended_unix(*a);
  const double time_b = section == JobSection::running ? b->started : ended_unix(*b);
  return time_a != time_b ? time_a > time_b : a->id < b->id;
}

// Who stands under whom. A parent that is unknown, or that is its own descendant, counts as none.
class Family {
 public:
  explicit Family(const std::vector<JobPtr>& jobs) {
    for (const JobPtr& job : jobs) m_parent[job->id] = job->identity ? job->identity->parent : std::nullopt;
    for (const JobPtr& job : jobs)
      if (!is_top(*job)) m_children[*m_parent[job->id]].push_back(job);
  }
  bool is_top(const model::Job& job) const {
    auto id = parent(job.id);
    if (!id) return true;
    for (std::size_t steps = 0; id; id = parent(*id))
      if (++steps > m_parent.size()) return true;
    return false;
  }
  std::vector<JobPtr> children(const model::JobId& id) const {
    const auto found = m_children.find(id);
    return found == m_children.end() ? std::vector<JobPtr>{} : found->second;
  }

 private:
  std::optional<model::JobId> parent(const model::JobId& id) const {
    const auto& claimed = m_parent.at(id);
    return claimed && m_parent.contains(*claimed) ? claimed : std::nullopt;
  }

  std::map<model::JobId, std::optional<model::JobId>> m_parent;
  std::map<model::JobId, std::vector<JobPtr>> m_children;
};

}  // namespace

QString section_title(JobSection section) {
  static const QString titles[] = {QStringLiteral("Needs a look"), QStringLiteral("Running"), QStringLiteral("Ended")};
  return titles[static_cast<std::size_t>(section)];
}

JobRow::Key JobRow::key() const { return is_section ? Key{static_cast<int>(section), {}} : Key{-1, job->id}; }

bool matches(const model::Job& job, const JobFilter& filter) {
  if (filter.state && job.state != *filter.state) return false;
  if (filter.search.isEmpty() || !job.identity) return filter.search.isEmpty();
  QString all = QString::fromStdString(job.identity->name) + QLatin1Char(' ') +
                QString::fromStdString(job.identity->host) + QLatin1Char(' ') +
                QString::fromStdString(model::to_string(job.id));
  for (const auto& [key, value] : job.identity->tags) all += QLatin1Char(' ') + format::tag(key, value);
  const QStringList words = filter.search.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  return std::all_of(words.begin(), words.end(),
                     [&](const QString& w) { return all.contains(w, Qt::CaseInsensitive); });
}

std::vector<JobRow> arrange(const std::vector<JobPtr>& jobs, const JobFilter& filter, const ListMarks& marks) {
  const Family family(jobs);
  const bool filtered = !filter.search.isEmpty() || filter.state;
  std::array<std::vector<JobPtr>, 3> sections;
  for (const JobPtr& job : jobs) {
    // A child stands under its parent, unless a filter may have taken the parent away.
    if ((filtered || family.is_top(*job)) && matches(*job, filter))
      sections[static_cast<std::size_t>(section_of(*job, marks))].push_back(job);
  }

  std::vector<JobRow> rows;
  for (const JobSection section : {JobSection::needs_a_look, JobSection::running, JobSection::ended}) {
    auto& members = sections[static_cast<std::size_t>(section)];
    if (members.empty()) continue;
    std::sort(members.begin(), members.end(),
              [section](const auto& a, const auto& b) { return before(section, a, b); });
    const std::size_t head = rows.size();
    rows.push_back({true, section, 0, nullptr, 0, {}, false});
    const auto add = [&](const JobPtr& job, int depth, const auto& self) -> void {
      JobRow row{false, section, 0, job, depth, {}, marks.folded.contains(job->id)};
      if (!filtered) row.children = family.children(job->id);
      const auto children = row.folded ? std::vector<JobPtr>{} : row.children;
      rows.push_back(std::move(row));
      ++rows[head].count;
      for (const JobPtr& child : children) self(child, depth + 1, self);
    };
    for (const JobPtr& job : members) add(job, 0, add);
  }
  return rows;
}

}  // namespace macaw::widgets
