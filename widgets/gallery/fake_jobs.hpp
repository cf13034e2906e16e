// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs that never ran, for the gallery, for pictures and for tests: every state, and every shape of data that has ever
// made a window look wrong. Always the same, given the same moment.
#pragma once

#include <vector>

#include "widgets/models/moment.hpp"

namespace macaw::widgets::fake {

// 1 December 2026, 14:43:18 in UTC, and a monotonic clock that has run for a day.
inline constexpr Moment moment{86400.0, 1796136198.0};

// Something running of every kind: known, resumed, over-run and unknown totals, open stages, metrics with a NaN, a log
// with a gap.
model::JobPtr training();
// Failed with an exception and a traceback that passes through a library.
model::JobPtr failed();
model::JobPtr killed();
model::JobPtr stalled();
model::JobPtr silent();
model::JobPtr ended_early();
model::JobPtr finished();
model::JobPtr interrupted();
model::JobPtr without_total();
// A loop over nothing: 0 of 0.
model::JobPtr empty_loop();
// A job that has said no more than hello.
model::JobPtr just_started();
// Names too long for any column, 200 stages, 40 metrics.
model::JobPtr overfull();

// All of the above with a parent and its children: what a busy day looks like.
std::vector<model::JobPtr> day();
std::vector<model::JobPtr> hundred();

}  // namespace macaw::widgets::fake
