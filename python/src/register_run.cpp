// SPDX-License-Identifier: MIT
// A stage that runs in pieces: a decorated generator between two of its items is no time of its own, and no place for
// its consumer's stages. Counted once, with the sum of its pieces. Threads: with the GIL held.
#include <pybind11/pybind11.h>

#include "python/src/job.hpp"
#include "python/src/register.hpp"
#include "python/src/stage_names.hpp"
#include "python/src/standing.hpp"
#include "python/src/text.hpp"
#include "python/src/types.hpp"

namespace macaw::python {
namespace py = pybind11;
namespace {

using record::ThreadRecord;

class Run {
 public:
  Run(py::str name, py::object note, py::object sync)
      : name_(std::move(name)), note_(std::move(note)), sync_(std::move(sync)) {}

  // Nests where it is first resumed; in another thread, in that one's tree.
  void resume() {
    if (!is_recording()) return;
    ThreadRecord& thread = ThreadRecord::mine();
    const Standing standing(thread);
    if (thread_ != &thread) {
      end(false);  // of the pieces in another thread
      thread_ = &thread;
      entry_.node = stage_node(thread, name_.ptr(), record::StageKind::stage);
      entry_.node->begin(record::ticks());
    }
    if (!note_.is_none() && entry_.node->note_wanted()) entry_.node->set_note(Utf8(note_.ptr()).view());
    synchronize();
    thread.resume(entry_);
    standing.moved();
  }

  void suspend() {
    if (!thread_ || thread_ != &ThreadRecord::mine()) return;
    synchronize();
    const Standing standing(*thread_);
    inside_ += thread_->suspend(entry_);
    standing.moved();
  }

  void end(bool failed) {
    suspend();
    if (!thread_) return;
    const std::uint64_t now = record::ticks();
    entry_.node->end(now - std::exchange(inside_, 0), now, failed);
    thread_ = nullptr;
  }

 private:
  // Waits for what runs elsewhere (a GPU), so that its time counts in this piece.
  void synchronize() const {
    if (sync_.is_none()) return;
    PyObject* result = PyObject_CallNoArgs(sync_.ptr());
    Py_XDECREF(result);
    if (!result && !drop_error()) throw py::error_already_set();
  }

  const py::str name_;
  const py::object note_, sync_;
  ThreadRecord* thread_ = nullptr;  // where it counts; null before the first piece and after the end
  record::Entry entry_;
  std::uint64_t inside_ = 0;  // ticks
};

}  // namespace

void register_run(py::module_& module) {
  py::class_<Run>(module, "Run")
      .def(py::init<py::str, py::object, py::object>())
      .def("resume", &Run::resume)
      .def("suspend", &Run::suspend)
      .def("end", &Run::end);
}

}  // namespace macaw::python
