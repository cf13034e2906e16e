// SPDX-License-Identifier: MIT
#include "python/src/job.hpp"

#include <pthread.h>

#include "macaw/version.hpp"
#include "python/src/text.hpp"
#include "python/src/types.hpp"
#include "sdk/src/process/session.hpp"

namespace macaw::python {

Mode mode = Mode::idle;
bool interpreter_is_ending = false;

namespace {

// The script's file name; "python" at a prompt.
std::string script_name() {
  PyObject* argv = PySys_GetObject("argv");  // borrowed
  if (!argv || !PyList_Check(argv) || PyList_GET_SIZE(argv) == 0) return "python";
  const Utf8 path(PyList_GET_ITEM(argv, 0));
  const std::string name(path.view().substr(path.view().rfind('/') + 1));
  return name.empty() || name == "-c" || name == "-m" ? "python" : name;
}

// " ForkPoolWorker-1" where multiprocessing has made this process; it is not imported for that.
std::string worker_name() {
  PyObject* name = call_helper("_ends", "worker_name", nullptr, nullptr, nullptr, nullptr);
  if (!name) PyErr_Clear();
  const std::string text = name && PyUnicode_Check(name) ? std::string(Utf8(name).view()) : std::string();
  Py_XDECREF(name);
  return text;
}

// The child of a fork is a worker of its own from its first use on.
void in_fork_child() {
  if (mode == Mode::on) mode = Mode::idle;
  interpreter_is_ending = false;
}

std::string language() {
  const std::string version = Py_GetVersion();
  return "python " + version.substr(0, version.find(' '));
}

}  // namespace

bool start_job(report::Wishes wishes) noexcept {
  if (mode != Mode::idle) return mode == Mode::on;
  mode = Mode::on;  // at once: other threads may record already, and what runs below must not start it again
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  try {
    static const bool once = [] { return pthread_atfork(nullptr, nullptr, in_fork_child) == 0; }();
    (void)once;
    if (!wishes.name && !getenv("MACAW_NAME")) wishes.name = script_name() + worker_name();
    process::set_language(language(), "macaw " MACAW_VERSION);
    if (!process::start(wishes)) mode = Mode::off;
  } catch (...) {
    mode = Mode::off;  // out of memory: this process reports nothing
  }
  if (mode == Mode::on) {
    PyObject* prepared = call_helper("_ends", "job_started", nullptr, nullptr, nullptr, nullptr);
    Py_XDECREF(prepared);
    if (!prepared) PyErr_Clear();
  }
  PyErr_Restore(type, value, trace);
  return mode == Mode::on;
}

bool start_job() noexcept { return start_job(report::Wishes{}); }

}  // namespace macaw::python
