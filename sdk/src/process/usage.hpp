// SPDX-License-Identifier: MIT
// What this process and those below it use, from /proc, getrusage and NVML. Some 20 µs a reading, a few milliseconds
// for every fifth of them where there are hundreds of threads or children; for the reporter, never for the hot path.
// Threads: one. Its files are of the process that made it: a fork's child makes another.
#pragma once

#include "sdk/src/process/gpus.hpp"
#include "sdk/src/wire/report.hpp"

namespace macaw::process {

class UsageReader {
 public:
  UsageReader();
  ~UsageReader();
  UsageReader(const UsageReader&) = delete;
  UsageReader& operator=(const UsageReader&) = delete;

  // Resident bytes now and at most (VmHWM: unlike ru_maxrss never a parent's), CPU time, threads, children, devices.
  // Absent where unreadable.
  wire::Usage read();

 private:
  void read_children();

  static constexpr int children_every = 5;  // readings
  int status_;
  int readings_ = 0;
  std::int64_t children_ = 0, children_rss_ = 0;
  Gpus gpus_;
};

}  // namespace macaw::process
