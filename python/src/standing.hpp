// SPDX-License-Identifier: MIT
// Where the running code stands: the stage and the bar that new ones nest in. A plain program has one place a thread,
// which the thread's record holds. Where an asyncio loop runs, each task has its own, kept in its context: a task
// begins where it was created, and what others enter and leave meanwhile does not move it. The record then is set to
// the task's place before each use. Threads: with the GIL held.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "sdk/src/record/thread_record.hpp"

namespace macaw::python {

class Standing {
 public:
  explicit Standing(record::ThreadRecord& thread) noexcept : thread_(thread) {
    if (__builtin_expect(context() != base_ || in_task_, 0)) arrive();
  }
  // After a stage or a bar was opened or closed.
  void moved() const noexcept {
    if (__builtin_expect(in_task_, 0)) remember();
  }

  // Tells the tasks of a thread apart, as long as they live; null outside of any. Of the place arrived at last.
  static PyObject* task() noexcept { return in_task_ ? context() : nullptr; }
  static PyObject* context() noexcept { return PyThreadState_Get()->context; }

 private:
  void arrive() noexcept;
  void remember() const noexcept;

  record::ThreadRecord& thread_;

  // Of each thread: the context of what runs outside of any loop, and where that stands while a loop runs.
  static __thread PyObject* base_ __attribute__((tls_model("initial-exec")));
  static __thread bool in_task_ __attribute__((tls_model("initial-exec")));
  static __thread record::StageNode* base_node_;
  static __thread record::Bar* base_bar_;
  static __thread record::StageNode* floor_;  // of the task: where it was created
};

bool make_context_variable();  // once, as the module is loaded

}  // namespace macaw::python
