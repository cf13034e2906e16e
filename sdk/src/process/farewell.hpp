// SPDX-License-Identifier: MIT
// The last datagram of a process that a signal ends: prepared by the reporter each round, sent by a handler that does
// nothing else, then restores the default and raises the signal again, so the shell sees what it would see without us.
// Only signals at their default are taken. Threads: prepare() is the reporter's; the handler runs anywhere.
#pragma once

#include <string>

namespace macaw::process {

inline constexpr int farewell_signals[] = {1, 2, 15};  // SIGHUP, SIGINT, SIGTERM

void install_farewell();
// `datagrams` in the order of farewell_signals; `descriptors` end with -1.
void prepare_farewell(const std::string (&datagrams)[3], const int* descriptors);
void disarm_farewell();

}  // namespace macaw::process
