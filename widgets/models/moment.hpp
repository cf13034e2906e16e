// SPDX-License-Identifier: GPL-3.0-or-later
// "Now" on both clocks: ages are measured on the collector's monotonic clock, labels are told in wall time.
#pragma once

#include "collector/model/job.hpp"

namespace macaw::widgets {

struct Moment {
  double monotonic = 0;
  double unix_time = 0;

  double wall(double then_monotonic) const { return unix_time - (monotonic - then_monotonic); }
};

inline double ended_unix(const model::Job& job) { return job.started + job.ended.value_or(job.up); }

}  // namespace macaw::widgets
