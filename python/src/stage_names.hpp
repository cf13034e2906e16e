// SPDX-License-Identifier: MIT
// From a Python name to its node in the calling thread's stage tree. Threads: with the GIL held.
#pragma once

#include "python/src/text.hpp"
#include "sdk/src/record/thread_record.hpp"

namespace macaw::python {

record::StageNode* make_stage_node(record::ThreadRecord& thread, PyObject* name, record::StageKind kind) noexcept;

// The child of the thread's current stage. A literal name is one interned object, so comparing pointers finds it.
inline record::StageNode* stage_node(record::ThreadRecord& thread, PyObject* name, record::StageKind kind) noexcept {
  int looked = 0;
  for (auto* c = thread.current()->first_child(); c && looked < 8; c = c->next_sibling(), ++looked) {
    if (c->hint() == name && c->kind() == kind) return c;
  }
  return make_stage_node(thread, name, kind);
}

// `name` where it may serve as a hint: interned, and kept alive from now on; else null.
const void* pinned_hint(PyObject* name) noexcept;

}  // namespace macaw::python
