// SPDX-License-Identifier: MIT
// A function that is counted and timed where it is called inside a stage or a track, and otherwise only passed on to.
// Everything else about it stays the original's: name, signature, documentation, attributes, pickling by name, binding
// as a method. The same type carries functions decorated with a stage, which count everywhere. Threads: with the GIL
// held.
#include "python/src/job.hpp"
#include "python/src/stage_names.hpp"
#include "python/src/standing.hpp"
#include "python/src/types.hpp"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace macaw::python {
namespace {

using record::StageKind;
using record::StageNode;
using record::ThreadRecord;

struct Call {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* wrapped;
  PyObject* name;
  PyObject* attributes;
  PyObject* weak_references;
  StageNode* parent;  // where it was called last …
  StageNode* node;    // … and the node it has there
  StageKind kind;
};

Call* as_call(PyObject* object) { return reinterpret_cast<Call*>(object); }

// Whether a property of this class only tells what it knows already. Whole packages would be too many: pandas'
// SeriesGroupBy.dtype applies a function to every group.
bool is_plain(PyTypeObject* cls) {
  static constexpr std::string_view plain[] = {"numpy.ma",
                                               "numpy.ma.core",
                                               "pandas",
                                               "pandas.core.base",
                                               "pandas.core.frame",
                                               "pandas.core.series",
                                               "pandas.core.indexes.base",
                                               "scipy.sparse._base",
                                               "scipy.sparse._data",
                                               "scipy.sparse._matrix"};
  PyObject* module = PyDict_GetItemString(cls->tp_dict, "__module__");
  if (!module || !PyUnicode_Check(module)) return false;
  const Utf8 name(module);
  return std::find(std::begin(plain), std::end(plain), name.view()) != std::end(plain);
}

// object.name where it is stored, or got in C or by a class known for plain properties; otherwise null. Other
// properties and __getattr__ may compute, wait for a device or raise. Never an exception.
PyObject* stored_attribute(PyObject* object, const char* name) {
  PyObject* mro = Py_TYPE(object)->tp_mro;
  for (Py_ssize_t i = 0; mro && i < PyTuple_GET_SIZE(mro); ++i) {
    auto* cls = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(mro, i));
    PyObject* found = cls->tp_dict ? PyDict_GetItemString(cls->tp_dict, name) : nullptr;
    if (!found) continue;
    PyTypeObject* kind = Py_TYPE(found);
    const bool in_c = kind == &PyGetSetDescr_Type || kind == &PyMemberDescr_Type || PyTuple_CheckExact(found);
    if (!in_c && !(kind == &PyProperty_Type && is_plain(cls))) return nullptr;
    break;
  }
  PyObject* key = PyUnicode_FromString(name);
  PyObject* value = key ? PyObject_GenericGetAttr(object, key) : nullptr;
  Py_XDECREF(key);
  if (!value) PyErr_Clear();
  return value;
}

// "(3, 4)", or nothing where a length is not known yet.
std::string text_of_shape(PyObject* shape) {
  std::string text = "(";
  const Py_ssize_t n = PyTuple_GET_SIZE(shape);
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* length = PyTuple_GET_ITEM(shape, i);
    if (!PyLong_CheckExact(length)) return "";
    const long long value = PyLong_AsLongLong(length);
    if (value == -1 && PyErr_Occurred()) PyErr_Clear();
    text += (i ? ", " : "") + std::to_string(value);
  }
  return text + (n == 1 ? ",)" : ")");
}

// "shape=(65536,) dtype=complex128" of a result that has a shape; the dtype where it differs from the first argument's.
std::string note_of(PyObject* result, PyObject* first_argument) {
  std::string note;
  PyObject* shape = stored_attribute(result, "shape");
  const std::string lengths = shape && PyTuple_Check(shape) ? text_of_shape(shape) : std::string();
  Py_XDECREF(shape);
  if (lengths.empty()) return note;
  note = "shape=" + lengths;
  PyObject* dtype = stored_attribute(result, "dtype");
  PyObject* former = first_argument && dtype ? stored_attribute(first_argument, "dtype") : nullptr;
  const int same = former ? PyObject_RichCompareBool(dtype, former, Py_EQ) : 0;
  if (same < 0) PyErr_Clear();
  if (dtype && same <= 0) note += " dtype=" + std::string(Utf8(dtype).view());
  PyErr_Clear();
  Py_XDECREF(former);
  Py_XDECREF(dtype);
  return note;
}

void write_note(StageNode* node, PyObject* result, PyObject* first_argument) noexcept {
  try {
    const std::string note = note_of(result, first_argument);
    if (!note.empty()) node->set_note(note);
  } catch (...) {
    // Out of memory: no note.
  }
}

bool counts_here(const Call* self, ThreadRecord& thread) {
  return self->kind == StageKind::stage || thread.current() != thread.root() || thread.innermost_bar();
}

PyObject* call(PyObject* object, PyObject* const* args, std::size_t flagged, PyObject* keywords) {
  Call* self = as_call(object);
  const bool records = self->kind == StageKind::call ? mode == Mode::on : is_recording();
  if (!records) return PyObject_Vectorcall(self->wrapped, args, flagged, keywords);
  ThreadRecord& thread = ThreadRecord::mine();
  const Standing standing(thread);
  if (!counts_here(self, thread)) return PyObject_Vectorcall(self->wrapped, args, flagged, keywords);
  if (self->parent != thread.current()) {
    self->node = stage_node(thread, self->name, self->kind);
    self->parent = thread.current();
  }
  const record::Entry entry = thread.enter(self->node);
  standing.moved();
  PyObject* result = PyObject_Vectorcall(self->wrapped, args, flagged, keywords);
  const Standing back(thread);
  thread.leave(entry, !result && !PyErr_ExceptionMatches(PyExc_StopIteration));  // the end of an iterator is no error
  back.moved();
  if (result && self->kind == StageKind::call && entry.node->note_wanted()) {
    write_note(entry.node, result, PyVectorcall_NARGS(flagged) > 0 ? args[0] : nullptr);
  }
  return result;
}

PyObject* pass_on(PyObject* object, PyObject* const* args, std::size_t flagged, PyObject* keywords) {
  return PyObject_Vectorcall(as_call(object)->wrapped, args, flagged, keywords);
}

extern PyTypeObject type;  // below

PyObject* call_new(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"function", "name", "is_stage", nullptr};
  PyObject *function = nullptr, *name = nullptr;
  int is_stage = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OU|p", const_cast<char**>(names), &function, &name, &is_stage))
    return nullptr;
  auto* self = PyObject_GC_New(Call, &type);
  if (!self) return nullptr;
  self->vectorcall = call;
  Py_INCREF(function);
  self->wrapped = function;
  Py_INCREF(name);
  PyUnicode_InternInPlace(&name);
  self->name = name;
  self->attributes = self->weak_references = nullptr;
  self->parent = self->node = nullptr;
  self->kind = is_stage ? StageKind::stage : StageKind::call;
  PyObject_GC_Track(reinterpret_cast<PyObject*>(self));
  return reinterpret_cast<PyObject*>(self);
}

int call_clear(PyObject* object) {
  Py_CLEAR(as_call(object)->wrapped);
  Py_CLEAR(as_call(object)->attributes);
  return 0;
}

int call_traverse(PyObject* object, visitproc visit, void* arg) {
  Py_VISIT(as_call(object)->wrapped);
  Py_VISIT(as_call(object)->attributes);
  return 0;
}

void call_dealloc(PyObject* object) {
  PyObject_GC_UnTrack(object);
  if (as_call(object)->weak_references) PyObject_ClearWeakRefs(object);
  call_clear(object);
  Py_DECREF(as_call(object)->name);
  Py_TYPE(object)->tp_free(object);
}

// What the wrapper does not have itself (an lru_cache's cache_info, a dispatcher's attributes) the original answers.
PyObject* call_getattr(PyObject* object, PyObject* name) {
  PyObject* value = PyObject_GenericGetAttr(object, name);
  if (value || !PyErr_ExceptionMatches(PyExc_AttributeError) || !as_call(object)->wrapped) return value;
  PyErr_Clear();
  return PyObject_GetAttr(as_call(object)->wrapped, name);
}

PyObject* call_bind(PyObject* self, PyObject* object, PyObject*) {
  if (object && object != Py_None) return PyMethod_New(self, object);
  Py_INCREF(self);
  return self;
}

PyObject* call_repr(PyObject* object) { return PyObject_Repr(as_call(object)->wrapped); }

// By name, as functions are.
PyObject* call_reduce(PyObject* object, PyObject*) { return PyObject_GetAttrString(object, "__qualname__"); }

PyObject* call_stop(PyObject* object, PyObject*) {
  as_call(object)->vectorcall = pass_on;
  Py_RETURN_NONE;
}

PyObject* get_wrapped(PyObject* object, void*) {
  Py_INCREF(as_call(object)->wrapped);
  return as_call(object)->wrapped;
}

PyObject* get_doc(PyObject* object, void*) { return PyObject_GetAttrString(as_call(object)->wrapped, "__doc__"); }

PyObject* get_name(PyObject* object, void*) {
  Py_INCREF(as_call(object)->name);
  return as_call(object)->name;
}

// The original's: isinstance(f, types.FunctionType), inspect.isfunction and cloudpickle see what they know.
PyObject* get_class(PyObject* object, void*) {
  PyObject* seen = reinterpret_cast<PyObject*>(as_call(object)->wrapped ? Py_TYPE(as_call(object)->wrapped) : &type);
  Py_INCREF(seen);
  return seen;
}

PyMethodDef methods[] = {{"__reduce__", call_reduce, METH_NOARGS, nullptr},
                         {"__macaw_stop__", call_stop, METH_NOARGS, "Only passes on, from now on."},
                         {nullptr, nullptr, 0, nullptr}};

PyGetSetDef properties[] = {{"__wrapped__", get_wrapped, nullptr, "The original.", nullptr},
                            {"__macaw_name__", get_name, nullptr, "The name that it is counted under.", nullptr},
                            {"__class__", get_class, nullptr, nullptr, nullptr},
                            {"__doc__", get_doc, nullptr, nullptr, nullptr},
                            {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject type = [] {
  PyTypeObject t = {PyVarObject_HEAD_INIT(nullptr, 0)};
  t.tp_name = "macaw._core.Call";
  t.tp_basicsize = sizeof(Call);
  t.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR;
  t.tp_vectorcall_offset = offsetof(Call, vectorcall);
  t.tp_dictoffset = offsetof(Call, attributes);
  t.tp_weaklistoffset = offsetof(Call, weak_references);
  t.tp_new = call_new;
  t.tp_dealloc = call_dealloc;
  t.tp_traverse = call_traverse;
  t.tp_clear = call_clear;
  t.tp_free = PyObject_GC_Del;
  t.tp_call = PyVectorcall_Call;
  t.tp_getattro = call_getattr;
  t.tp_descr_get = call_bind;
  t.tp_repr = call_repr;
  t.tp_methods = methods;
  t.tp_getset = properties;
  return t;
}();

}  // namespace

bool add_call_type(PyObject* module) { return PyModule_AddType(module, &type) == 0; }

}  // namespace macaw::python
