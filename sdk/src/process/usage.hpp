// SPDX-License-Identifier: MIT
// What this process uses, from /proc/self and getrusage. About 30 µs; for the reporter, never for the hot path.
#pragma once

#include "sdk/src/wire/report.hpp"

namespace macaw::process {

// Resident bytes now and at most (VmHWM: unlike ru_maxrss never a parent's), CPU time, threads. Absent where
// unreadable.
wire::Usage read_usage();

}  // namespace macaw::process
