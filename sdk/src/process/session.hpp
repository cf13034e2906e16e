// SPDX-License-Identifier: MIT
// The one job of this process: started by the first use, ended by finish() or by the process's own end.
// Recording itself (sdk/src/record) needs no session; a session reads what was recorded, sends it and prints it, from
// one thread named "macaw". Every function is thread-safe and never throws.
#pragma once

#include <string>
#include <string_view>

#include "sdk/src/console/snapshot.hpp"
#include "sdk/src/report/settings.hpp"
#include "sdk/src/wire/report.hpp"

namespace macaw::process {

// Names the binding in the hello: "python 3.11.7", "macaw 0.1.0". Called before start().
void set_language(std::string lang, std::string sdk);

// Starts the job unless one was started before in this process; in the child of a fork, one of its own that names its
// parent. False when MACAW_DISABLE is set or after the finish: then nothing is sent or printed.
bool start(const report::Wishes& wishes = {}) noexcept;
bool is_running() noexcept;
bool is_disabled() noexcept;  // by MACAW_DISABLE

std::string job_id() noexcept;          // UUID text; empty before the start
console::Snapshot snapshot() noexcept;  // everything recorded so far; also without a session
bool console_is_live() noexcept;
void print_above(std::string_view text) noexcept;

// What the process will end by, told by a binding that knows; the exit status adds the rest.
void set_error(std::string type, std::string message, std::string trace) noexcept;

// Ends the job now: last reports, last words on the console. At most 0.5 s; later calls do nothing.
void finish(wire::FinishState state, int code) noexcept;
void finish_by_signal(int signal) noexcept;

}  // namespace macaw::process
