// SPDX-License-Identifier: MIT
// macaw.log and macaw.metrics: stamped and put into the thread's ring, nothing else; formatting only where there are
// arguments, as in logging. Threads: with the GIL held.
#include "python/src/job.hpp"
#include "python/src/standing.hpp"
#include "python/src/types.hpp"
#include "python/src/values.hpp"
#include "sdk/src/record/thread_record.hpp"

namespace macaw::python {
namespace {

using record::ThreadRecord;
using wire::LogLevel;

// The thread's record, standing where the running task stands: a line knows its stage.
ThreadRecord& here() {
  ThreadRecord& thread = ThreadRecord::mine();
  const Standing standing(thread);
  return thread;
}

// message % args with logging's conventions; on a mismatch the message followed by the arguments. A new reference.
PyObject* formatted(PyObject* message, PyObject* const* args, Py_ssize_t count) {
  PyObject* format = text_of(message);
  PyObject* values = format ? PyTuple_New(count) : nullptr;
  if (!values) {
    Py_XDECREF(format);
    return nullptr;
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    Py_INCREF(args[i]);
    PyTuple_SET_ITEM(values, i, args[i]);
  }
  const bool by_name = count == 1 && PyDict_Check(args[0]) && PyDict_Size(args[0]) > 0;
  PyObject* text = PyUnicode_Format(format, by_name ? args[0] : values);
  if (!text && drop_error()) text = PyUnicode_FromFormat("%U %R", format, values);
  if (!text && drop_error()) {
    Py_INCREF(format);
    text = format;
  }
  Py_DECREF(format);
  Py_DECREF(values);
  return text;
}

// With a traceback behind it, where exc_info asks for one. Takes the reference.
PyObject* with_traceback(PyObject* text, PyObject* exc_info) {
  PyObject* joined = call_helper("_ends", "with_traceback", text, exc_info, nullptr, nullptr);
  if (!joined) {
    if (!drop_error()) return Py_DECREF(text), nullptr;
    return text;
  }
  Py_DECREF(text);
  return joined;
}

PyObject* write(LogLevel level, PyObject* const* args, Py_ssize_t count, PyObject* exc_info) {
  if (count < 1) {
    PyErr_SetString(PyExc_TypeError, "log: a message is missing");
    return nullptr;
  }
  if (!is_recording()) Py_RETURN_NONE;
  if (__builtin_expect(count == 1 && !exc_info && PyUnicode_Check(args[0]), 1)) {
    here().log(level, Utf8(args[0]).view());
    Py_RETURN_NONE;
  }
  PyObject* text = count > 1 ? formatted(args[0], args + 1, count - 1) : text_of(args[0]);
  if (text && exc_info) text = with_traceback(text, exc_info);
  if (text) {
    here().log(level, Utf8(text).view());
    Py_DECREF(text);
  } else if (!drop_error()) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

// exc_info= is looked at; stacklevel=, extra= and whatever else loggers take is not.
PyObject* exc_info_in(PyObject* const* values, PyObject* keywords, PyObject* otherwise) {
  for (Py_ssize_t i = 0; keywords && i < PyTuple_GET_SIZE(keywords); ++i) {
    if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, i), "exc_info") != 0) continue;
    const int wanted = PyObject_IsTrue(values[i]);
    if (wanted < 0) PyErr_Clear();
    return wanted > 0 ? values[i] : nullptr;
  }
  return otherwise;
}

template <LogLevel level>
PyObject* log_method(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  return write(level, args, count, keywords ? exc_info_in(args + count, keywords, nullptr) : nullptr);
}

PyObject* log_exception(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  return write(LogLevel::error, args, count, exc_info_in(args + count, keywords, Py_True));
}

constexpr int flags = METH_FASTCALL | METH_KEYWORDS;

PyMethodDef methods[] = {{"debug", fastcall(log_method<LogLevel::debug>), flags, nullptr},
                         {"info", fastcall(log_method<LogLevel::info>), flags, nullptr},
                         {"warning", fastcall(log_method<LogLevel::warning>), flags, nullptr},
                         {"error", fastcall(log_method<LogLevel::error>), flags, nullptr},
                         {"critical", fastcall(log_method<LogLevel::critical>), flags, nullptr},
                         {"exception", fastcall(log_exception), flags, "An error with the current traceback."},
                         {nullptr, nullptr, 0, nullptr}};

PyTypeObject type = [] {
  PyTypeObject t = {PyVarObject_HEAD_INIT(nullptr, 0)};
  t.tp_name = "macaw._core.Log";
  t.tp_basicsize = sizeof(PyObject);
  t.tp_flags = Py_TPFLAGS_DEFAULT;
  t.tp_methods = methods;
  return t;
}();

// Where among the keywords `step` is; their number where it is not. Keywords of a call are interned, those of a
// dictionary may not be.
Py_ssize_t index_of_step(PyObject* keywords) {
  static PyObject* const step = PyUnicode_InternFromString("step");
  const Py_ssize_t size = PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* keyword = PyTuple_GET_ITEM(keywords, i);
    if (keyword == step) return i;
    if (!PyUnicode_CHECK_INTERNED(keyword) && PyUnicode_Compare(keyword, step) == 0) return i;
  }
  return size;
}

// metrics(**values, step=None)
PyObject* metrics(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  if (count > 0) {
    PyErr_SetString(PyExc_TypeError, "metrics() takes keyword arguments: metrics(loss=0.3, step=12)");
    return nullptr;
  }
  if (!keywords || !is_recording()) Py_RETURN_NONE;
  ThreadRecord& thread = ThreadRecord::mine();
  const Py_ssize_t size = PyTuple_GET_SIZE(keywords);
  const std::uint64_t when = record::ticks();
  const Py_ssize_t step_at = index_of_step(keywords);
  const auto step = step_at < size ? to_number(args[step_at]) : std::nullopt;
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (i == step_at) continue;
    const Utf8 name(PyTuple_GET_ITEM(keywords, i));
    with_value(args[i], [&](const wire::Value& value) { thread.metric(name.view(), value, step, when); });
  }
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"metrics", fastcall(metrics), flags,
                            "metrics(*, step=None, **values)\n--\n\n"
                            "The newest values of the job: numbers, truth values or texts."},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_log_type(PyObject* module) {
  if (PyModule_AddType(module, &type) < 0) return false;
  PyObject* log = PyObject_New(PyObject, &type);
  if (!log || PyModule_AddObject(module, "log", log) < 0) return false;
  return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace macaw::python
