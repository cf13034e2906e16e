// SPDX-License-Identifier: MIT
// Empties a Report for the next datagram, keeping the memory of its rows.
#include "sdk/src/wire/report.hpp"

namespace macaw::wire {

void Report::clear() noexcept {
  job = {};
  seq = 0;
  up = t = 0;
  next.reset();
  hello.reset();
  usage.reset();
  bars.clear();
  stages.clear();
  metrics.clear();
  logs.clear();
  finish.reset();
  names.clear();
  storage.clear();
  refused_rows = unknown_keys = 0;
}

}  // namespace macaw::wire
