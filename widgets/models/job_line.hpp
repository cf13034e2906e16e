// SPDX-License-Identifier: GPL-3.0-or-later
// One job as the list tells it, in words: two lines and a thread of progress. Pure; the delegate only paints it.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "widgets/models/moment.hpp"

namespace macaw::widgets {

struct JobLine {
  model::State state = model::State::running;
  QString name;
  QString best;   // what is known best: percent, "2 of 6", "3.41 M rows", the duration of an ended job
  QString about;  // host, elapsed
  QString next;   // what comes next: "2h 19m left", "silent for 4m", the time it ended
  bool progress_shown = false;
  std::optional<double> progress;  // of the thread; none is drawn dashed
  QString sentence;                // for screen readers
};

// `children` are the jobs that name this one as their parent.
JobLine job_line(const model::Job& job, const Moment& now, const std::vector<model::JobPtr>& children = {});

// What the job itself has done, of 1: its own bar, else the mean of its children.
std::optional<double> job_progress(const model::Job& job, const std::vector<model::JobPtr>& children = {});

// The age of a stage's oldest open entry, counted on since it was reported.
std::optional<double> open_for(const model::Job& job, const model::Stage& stage, const Moment& now);

// How long a stalled job has stood still, when that can be told from its open stages.
std::optional<double> still_for(const model::Job& job, const Moment& now);

QString job_name(const model::Job& job);

}  // namespace macaw::widgets
