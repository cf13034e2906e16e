// SPDX-License-Identifier: MIT
// The job of this process. Thread-safe.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace macaw {

// What init() may say; empty: from the environment, then the defaults.
struct Options {
  std::string name, url, key, console;
  std::vector<std::pair<std::string, std::string>> tags;
};

#ifndef MACAW_OFF
// Optional: the first use of anything starts the job too.
void init(const Options& options = {}) noexcept;
// Ends the job before the process ends. At most 0.5 s.
void finish() noexcept;
// UUID text; empty before the start.
std::string job_id() noexcept;
#else
inline void init(const Options& = {}) noexcept {}
inline void finish() noexcept {}
inline std::string job_id() noexcept { return {}; }
#endif

}  // namespace macaw
