// SPDX-License-Identifier: GPL-3.0-or-later
// The collector's two clocks: monotonic for ages, Unix time for labels. Any thread.
#pragma once

#include <chrono>

namespace macaw {

inline double monotonic_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double unix_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace macaw
