// SPDX-License-Identifier: MIT
#include "python/src/stage_names.hpp"

#include <unordered_set>

namespace macaw::python {

const void* pinned_hint(PyObject* name) noexcept {
  constexpr std::size_t max_pinned = 4096;
  static auto* pinned = new std::unordered_set<PyObject*>;  // outlives every destructor: stages end late
  if (!PyUnicode_CheckExact(name) || !PyUnicode_CHECK_INTERNED(name)) return nullptr;
  try {
    if (pinned->count(name)) return name;
    if (pinned->size() >= max_pinned) return nullptr;
    pinned->insert(name);
  } catch (...) {
    return nullptr;
  }
  Py_INCREF(name);
  return name;
}

record::StageNode* make_stage_node(record::ThreadRecord& thread, PyObject* name, record::StageKind kind) noexcept {
  return thread.child(thread.current(), Utf8(name).view(), kind, pinned_hint(name));
}

}  // namespace macaw::python
