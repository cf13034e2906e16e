// SPDX-License-Identifier: MIT
#include "python/src/standing.hpp"

#include <cstring>

namespace macaw::python {

using record::Bar;
using record::StageNode;
using record::ThreadRecord;

namespace {

// No thread's context, so that the first use looks where it is.
PyObject* const nowhere = reinterpret_cast<PyObject*>(1);

PyObject* variable = nullptr;

struct Place {
  StageNode* node;
  Bar* bar;
  StageNode* floor;
  PyObject* context;  // whose place it is, to tell it from what a new task inherits
};

// asyncio's own answer, where it is imported at all. Loops of other makes (uvloop) are running loops to it, too.
bool loop_runs() noexcept {
  static PyObject* ask = nullptr;
  if (!ask) {
    PyObject* name = PyUnicode_FromString("_asyncio");
    PyObject* module = name ? PyImport_GetModule(name) : nullptr;
    Py_XDECREF(name);
    if (module) ask = PyObject_GetAttrString(module, "_get_running_loop");
    Py_XDECREF(module);
    PyErr_Clear();
    if (!ask) return false;
  }
  PyObject* loop = PyObject_CallNoArgs(ask);
  const bool runs = loop && loop != Py_None;
  if (!loop) PyErr_Clear();
  Py_XDECREF(loop);
  return runs;
}

// A context that was copied into another thread (asyncio.to_thread): the same stages in that thread's own tree.
StageNode* same_place(ThreadRecord& thread, StageNode* node) noexcept {
  StageNode* names[record::max_depth];
  std::size_t depth = 0;
  for (; node->parent() && depth < record::max_depth; node = node->parent()) names[depth++] = node;
  if (node == thread.root()) return depth ? names[0] : node;
  StageNode* here = thread.root();
  while (depth > 0) {
    const StageNode* next = names[--depth];
    here = thread.child(here, next->name(), next->kind(), nullptr);
  }
  return here;
}

// Leaves `place` as it is where the context knows none.
bool read_place(Place& place) noexcept {
  PyObject* value = nullptr;
  if (PyContextVar_Get(variable, nullptr, &value) != 0) PyErr_Clear();
  if (!value) return false;
  std::memcpy(&place, PyBytes_AS_STRING(value), sizeof place);
  Py_DECREF(value);
  if (place.context != Standing::context()) place.floor = place.node;
  // What the task itself had entered, somebody else may have closed.
  while (place.node != place.floor && !place.node->is_open()) place.node = place.node->parent();
  return true;
}

}  // namespace

__thread PyObject* Standing::base_ __attribute__((tls_model("initial-exec"))) = nowhere;
__thread bool Standing::in_task_ __attribute__((tls_model("initial-exec"))) = false;
__thread StageNode* Standing::base_node_ = nullptr;
__thread Bar* Standing::base_bar_ = nullptr;
__thread StageNode* Standing::floor_ = nullptr;

bool make_context_variable() { return (variable = PyContextVar_New("macaw", nullptr)) != nullptr; }

// An exception that is under way (a stage that is left by one) stays.
void Standing::arrive() noexcept {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  if (!in_task_) {
    base_node_ = thread_.current();
    base_bar_ = thread_.innermost_bar();
  }
  Place place{base_node_, base_bar_, base_node_, nullptr};
  // A loop's tasks, and what they handed to another thread with a copy of their context.
  const bool in_task = read_place(place) || loop_runs();
  if (in_task) {
    StageNode* here = same_place(thread_, place.node);
    floor_ = here == place.node ? place.floor : here;
    thread_.stand(here, here == place.node ? place.bar : nullptr);
  } else {
    if (in_task_) thread_.stand(base_node_, base_bar_);
    PyObject* now = context();
    Py_XINCREF(now);
    if (base_ != nowhere) Py_XDECREF(base_);
    base_ = now;  // held, so that no task's context can come to lie at its address
  }
  in_task_ = in_task;
  PyErr_Restore(type, value, trace);
}

void Standing::remember() const noexcept {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  const Place place{thread_.current(), thread_.innermost_bar(), floor_, context()};
  PyObject* bytes = PyBytes_FromStringAndSize(reinterpret_cast<const char*>(&place), sizeof place);
  PyObject* token = bytes ? PyContextVar_Set(variable, bytes) : nullptr;
  Py_XDECREF(token);
  Py_XDECREF(bytes);
  PyErr_Restore(type, value, trace);
}

}  // namespace macaw::python
