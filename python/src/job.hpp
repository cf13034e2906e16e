// SPDX-License-Identifier: MIT
// Whether this process records, as the hot paths ask it: the first use of anything starts the job.
// Threads: with the GIL held. The child of a fork is idle again.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>

#include "sdk/src/report/settings.hpp"

namespace macaw::python {

enum class Mode : std::uint8_t { idle, on, off };
extern Mode mode;

// Starts the job unless there is one. False: switched off, or over.
bool start_job(report::Wishes wishes) noexcept;
bool start_job() noexcept;

inline bool is_recording() noexcept {
  if (__builtin_expect(mode == Mode::on, 1)) return true;
  return mode == Mode::idle && start_job();
}

// From the interpreter's exit on, what is still open stays open: the end of the job is not the end of a loop.
extern bool interpreter_is_ending;

}  // namespace macaw::python
