// SPDX-License-Identifier: MIT
// macaw.stage: a context manager as a raw CPython type, since it stands in inner loops. An object may be entered again
// before it is left, and by several threads; each entry remembers its thread. Threads: with the GIL held.
#include <cstring>
#include <new>
#include <vector>

#include "python/src/job.hpp"
#include "python/src/stage_names.hpp"
#include "python/src/standing.hpp"
#include "python/src/types.hpp"

namespace macaw::python {
namespace {

using record::Entry;
using record::StageKind;
using record::StageNode;
using record::ThreadRecord;

struct Open {
  Entry entry;
  ThreadRecord* thread;
  PyObject* task;  // only to tell them apart
};

struct Stage {
  PyObject_HEAD PyObject* name;
  PyObject* note;     // null: none
  PyObject* sync;     // null: none
  StageNode* parent;  // where it was entered last …
  StageNode* node;    // … and the node it has there
  std::uint32_t depth;
  Open open;                 // the newest entry
  std::vector<Open>* older;  // entries below it
};

Stage* as_stage(PyObject* object) { return reinterpret_cast<Stage*>(object); }

PyObject* owned_unless_none(PyObject* object) {
  if (!object || object == Py_None) return nullptr;
  Py_INCREF(object);
  return object;
}

PyObject* make(PyTypeObject* type, PyObject* name, PyObject* note, PyObject* sync) {
  PyObject* text = PyUnicode_Check(name) ? owned_unless_none(name) : text_of(name);
  auto* self = text ? PyObject_New(Stage, type) : nullptr;
  if (!self) {
    Py_XDECREF(text);
    return nullptr;
  }
  self->name = text;
  self->note = owned_unless_none(note);
  self->sync = owned_unless_none(sync);
  self->parent = self->node = nullptr;
  self->depth = 0;
  self->older = nullptr;
  return reinterpret_cast<PyObject*>(self);
}

PyObject* stage_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"name", "note", "sync", nullptr};
  PyObject *name = nullptr, *note = nullptr, *sync = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OO:stage", const_cast<char**>(names), &name, &note, &sync))
    return nullptr;
  if (PyCallable_Check(name) || Py_TYPE(name)->tp_descr_get)  // what stands below a bare @macaw.stage
    return call_helper("_decorate", "bare_stage", name, nullptr, nullptr, nullptr);
  return make(type, name, note, sync);
}

PyObject* stage_vectorcall(PyObject* type, PyObject* const* args, std::size_t flagged, PyObject* keywords) {
  auto* as_type = reinterpret_cast<PyTypeObject*>(type);
  const Py_ssize_t count = PyVectorcall_NARGS(flagged);
  if (__builtin_expect(count == 1 && !keywords && PyUnicode_Check(args[0]), 1))
    return make(as_type, args[0], nullptr, nullptr);
  PyObject* positional = PyTuple_New(count);
  if (!positional) return nullptr;
  for (Py_ssize_t i = 0; i < count; ++i) {
    Py_INCREF(args[i]);
    PyTuple_SET_ITEM(positional, i, args[i]);
  }
  PyObject* named = nullptr;
  if (keywords && (named = PyDict_New())) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); ++i) {
      PyDict_SetItem(named, PyTuple_GET_ITEM(keywords, i), args[count + i]);
    }
  }
  PyObject* made = PyErr_Occurred() ? nullptr : stage_new(as_type, positional, named);
  Py_DECREF(positional);
  Py_XDECREF(named);
  return made;
}

void stage_dealloc(PyObject* object) {
  Stage* self = as_stage(object);
  Py_DECREF(self->name);
  Py_XDECREF(self->note);
  Py_XDECREF(self->sync);
  delete self->older;
  Py_TYPE(object)->tp_free(object);
}

// Waits for what runs elsewhere (a GPU), so that its time counts here. False: the program is asked to stop meanwhile.
bool synchronize(Stage* self) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyObject* result = PyObject_CallObject(self->sync, nullptr);
  Py_XDECREF(result);
  if (!result && !drop_error()) return false;
  PyErr_Restore(type, value, trace);
  return true;
}

void enter(Stage* self) noexcept {
  ThreadRecord& thread = ThreadRecord::mine();
  const Standing standing(thread);
  if (self->parent != thread.current()) {
    self->node = stage_node(thread, self->name, StageKind::stage);
    self->parent = thread.current();
  }
  if (__builtin_expect(self->depth != 0, 0)) {
    try {
      if (!self->older) self->older = new std::vector<Open>;
      self->older->push_back(self->open);
    } catch (...) {
      return;  // out of memory: this entry is not counted
    }
  }
  ++self->depth;
  self->open = {thread.enter(self->node), &thread, Standing::task()};
  standing.moved();
  if (self->note && self->node->note_wanted()) self->node->set_note(Utf8(self->note).view());
}

void leave(Stage* self, bool failed) noexcept {
  ThreadRecord& mine = ThreadRecord::mine();
  const Standing standing(mine);
  // The newest entry of this thread and task; of whichever, where a generator is closed by another one.
  const auto is_ours = [&](const Open& open) { return open.thread == &mine && open.task == Standing::task(); };
  if (__builtin_expect(self->depth > 1 && !is_ours(self->open), 0)) {
    for (auto it = self->older->rbegin(); it != self->older->rend(); ++it) {
      if (!is_ours(*it)) continue;
      std::swap(*it, self->open);
      break;
    }
  }
  if (is_ours(self->open)) {
    mine.leave(self->open.entry, failed);
    standing.moved();
  } else {
    self->open.thread->end(self->open.entry, failed);
  }
  if (--self->depth == 0) return;
  self->open = self->older->back();
  self->older->pop_back();
}

PyObject* stage_enter(PyObject* object, PyObject*) {
  Stage* self = as_stage(object);
  if (__builtin_expect(is_recording(), 1)) {
    if (self->sync && !synchronize(self)) return nullptr;
    enter(self);
  }
  Py_INCREF(object);
  return object;
}

// What is closed or cancelled while inside has not failed.
bool is_failure(PyObject* type) {
  if (type == Py_None || type == PyExc_GeneratorExit) return false;
  return !PyType_Check(type) || std::strcmp(reinterpret_cast<PyTypeObject*>(type)->tp_name, "CancelledError") != 0;
}

PyObject* stage_exit(PyObject* object, PyObject* const* args, Py_ssize_t count) {
  Stage* self = as_stage(object);
  if (__builtin_expect(self->depth != 0, 1)) {
    if (self->sync && !synchronize(self)) return nullptr;
    leave(self, count > 0 && is_failure(args[0]));
  }
  Py_RETURN_NONE;
}

PyObject* stage_aenter(PyObject* self, PyObject* none) {
  PyObject* entered = stage_enter(self, none);
  PyObject* done = entered ? make_done(entered) : nullptr;
  Py_XDECREF(entered);
  return done;
}

PyObject* stage_aexit(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  PyObject* left = stage_exit(self, args, count);
  PyObject* done = left ? make_done(left) : nullptr;
  Py_XDECREF(left);
  return done;
}

// As a decorator.
PyObject* stage_call(PyObject* object, PyObject* args, PyObject*) {
  PyObject* function = nullptr;
  if (!PyArg_ParseTuple(args, "O:stage", &function)) return nullptr;
  Stage* self = as_stage(object);
  return call_helper("_decorate", "stage", function, self->name, self->note ? self->note : Py_None,
                     self->sync ? self->sync : Py_None);
}

PyObject* stage_repr(PyObject* object) { return PyUnicode_FromFormat("macaw.stage(%R)", as_stage(object)->name); }

PyObject* stage_name(PyObject* object, void*) {
  Py_INCREF(as_stage(object)->name);
  return as_stage(object)->name;
}

PyMethodDef methods[] = {{"__enter__", stage_enter, METH_NOARGS, nullptr},
                         {"__exit__", fastcall(stage_exit), METH_FASTCALL, nullptr},
                         {"__aenter__", stage_aenter, METH_NOARGS, nullptr},
                         {"__aexit__", fastcall(stage_aexit), METH_FASTCALL, nullptr},
                         {nullptr, nullptr, 0, nullptr}};

PyGetSetDef properties[] = {{"name", stage_name, nullptr, "The name that it is counted under.", nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject type = [] {
  PyTypeObject t = {PyVarObject_HEAD_INIT(nullptr, 0)};
  t.tp_name = "macaw.stage";
  t.tp_doc =
      "stage(name, note=None, sync=None)\n--\n\n"
      "Counts and times what runs inside it: with stage(\"solve\"): ..., async with, or as a decorator.\n"
      "note stands beside the row; sync() is called before each reading of the clock.";
  t.tp_basicsize = sizeof(Stage);
  t.tp_flags = Py_TPFLAGS_DEFAULT;
  t.tp_new = stage_new;
  t.tp_vectorcall = stage_vectorcall;
  t.tp_dealloc = stage_dealloc;
  t.tp_call = stage_call;
  t.tp_repr = stage_repr;
  t.tp_methods = methods;
  t.tp_getset = properties;
  return t;
}();

}  // namespace

bool add_stage_type(PyObject* module) { return PyModule_AddType(module, &type) == 0; }

}  // namespace macaw::python
