// SPDX-License-Identifier: GPL-3.0-or-later
// How much the model keeps; what is beyond is folded away and counted.
#pragma once

#include <cstddef>

namespace macaw::model {

struct Limits {
  std::size_t jobs = 10'000;
  std::size_t stages = 2'000, bars = 500, metrics = 1'000;  // of a job
  std::size_t log_lines = 50'000;                           // of a job
  std::size_t points = 10'000;                              // of a metric
};

}  // namespace macaw::model
