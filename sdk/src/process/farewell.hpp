// SPDX-License-Identifier: MIT
// The end of a process by a signal. A handler asks the reporter for the last words (the rows of the last moment, the
// finish, the console's) and waits for them, shortly; where the reporter cannot, it sends the last datagram, which is
// prepared each round. Then it restores the default and raises the signal again, so the shell sees what it would see
// without us. Only signals at their default are taken. Threads: all but the handler's part is the reporter's.
#pragma once

#include <string>

namespace macaw::process {

inline constexpr int farewell_signals[] = {1, 2, 15};  // SIGHUP, SIGINT, SIGTERM

void install_farewell();
// `datagrams` in the order of farewell_signals; `descriptors` end with -1.
void prepare_farewell(const std::string (&datagrams)[3], const int* descriptors);
void disarm_farewell();

// While a process says its last words by itself, a signal waits until they are said; then it ends the process.
void hold_signals();
void release_signals();
int held_signal();  // 0: none

// The signal whose handler waits for the last words; 0: none.
int ending_signal();
void last_words_said();

}  // namespace macaw::process
