// SPDX-License-Identifier: MIT
// The raw CPython types of the extension module: those that stand in a program's inner loops, where a pybind11 call
// would cost several times as much. Each add_… puts one into the module; false: a Python exception is set.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace macaw::python {

// A METH_FASTCALL function as a method table takes it.
template <class Function>
PyCFunction fastcall(Function* function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}

bool add_stage_type(PyObject* module);
bool add_track_type(PyObject* module);
bool add_call_type(PyObject* module);
bool add_log_type(PyObject* module);
bool add_done_type(PyObject* module);

// An awaitable that is ready at once with `value`.
PyObject* make_done(PyObject* value);

// Calls macaw.<module>.<function> with the arguments up to the first null.
PyObject* call_helper(const char* module, const char* function, PyObject* a, PyObject* b, PyObject* c, PyObject* d);

// Wrong use: one line on stderr, the first time.
void warn_once(const char* text);

}  // namespace macaw::python
