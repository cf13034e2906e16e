// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows the job list has, in which order: sections, jobs, children under their parent. Pure, so that the whole of
// the list's behaviour can be tested as text.
#pragma once

#include <QString>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "collector/model/job.hpp"

namespace macaw::widgets {

enum class JobSection { needs_a_look, running, ended };
QString section_title(JobSection section);

struct JobFilter {
  QString search;                     // name, host, tags; words in any order
  std::optional<model::State> state;  // none: all
};

struct JobRow {
  bool is_section = false;
  JobSection section = JobSection::running;
  std::size_t count = 0;  // of a section: its jobs
  model::JobPtr job;      // of a job row
  int depth = 0;
  std::vector<model::JobPtr> children;
  bool folded = false;

  // What stays the same while the row's contents change.
  using Key = std::pair<int, model::JobId>;
  Key key() const;
};

// What the person did to the list.
struct ListMarks {
  std::set<model::JobId> seen;    // looked at long enough: no longer in "Needs a look"
  std::set<model::JobId> folded;  // parents whose children are hidden
};

bool matches(const model::Job& job, const JobFilter& filter);
std::vector<JobRow> arrange(const std::vector<model::JobPtr>& jobs, const JobFilter& filter, const ListMarks& marks);

}  // namespace macaw::widgets
