// SPDX-License-Identifier: MIT
// What the raw types share: a ready awaitable, and the way into the Python half of the package.
#include "python/src/types.hpp"

namespace macaw::python {
namespace {

struct Done {
  PyObject_HEAD PyObject* value;
};

PyObject* done_self(PyObject* self) {
  Py_INCREF(self);
  return self;
}

PyObject* done_next(PyObject* object) {
  PyErr_SetObject(PyExc_StopIteration, reinterpret_cast<Done*>(object)->value);
  return nullptr;
}

void done_dealloc(PyObject* object) {
  Py_DECREF(reinterpret_cast<Done*>(object)->value);
  Py_TYPE(object)->tp_free(object);
}

PyAsyncMethods awaiting = [] {
  PyAsyncMethods m = {};
  m.am_await = done_self;
  return m;
}();

PyTypeObject done_type = [] {
  PyTypeObject t = {PyVarObject_HEAD_INIT(nullptr, 0)};
  t.tp_name = "macaw._core._Done";
  t.tp_basicsize = sizeof(Done);
  t.tp_flags = Py_TPFLAGS_DEFAULT;
  t.tp_dealloc = done_dealloc;
  t.tp_as_async = &awaiting;
  t.tp_iter = done_self;
  t.tp_iternext = done_next;
  return t;
}();

}  // namespace

bool add_done_type(PyObject*) { return PyType_Ready(&done_type) == 0; }

PyObject* make_done(PyObject* value) {
  auto* self = PyObject_New(Done, &done_type);
  if (!self) return nullptr;
  Py_INCREF(value);
  self->value = value;
  return reinterpret_cast<PyObject*>(self);
}

PyObject* call_helper(const char* module, const char* function, PyObject* a, PyObject* b, PyObject* c, PyObject* d) {
  PyObject* name = PyUnicode_FromFormat("macaw.%s", module);
  PyObject* imported = name ? PyImport_Import(name) : nullptr;
  Py_XDECREF(name);
  PyObject* helper = imported ? PyObject_GetAttrString(imported, function) : nullptr;
  Py_XDECREF(imported);
  PyObject* result = helper ? PyObject_CallFunctionObjArgs(helper, a, b, c, d, nullptr) : nullptr;
  Py_XDECREF(helper);
  return result;
}

void warn_once(const char* text) {
  PyObject* words = PyUnicode_FromString(text);
  PyObject* said = words ? call_helper("_misuse", "warn_once", words, nullptr, nullptr, nullptr) : nullptr;
  Py_XDECREF(words);
  Py_XDECREF(said);
  if (!said) PyErr_Clear();
}

}  // namespace macaw::python
