// SPDX-License-Identifier: MIT
// Python objects as UTF-8, for code that must not raise: whatever cannot be encoded is escaped, whatever is no str is
// asked for its str(), and an object that fails even there is shown by its type. Threads: with the GIL held.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string_view>

namespace macaw::python {

// The text of `object`, valid while this lives and `object` is referenced.
class Utf8 {
 public:
  explicit Utf8(PyObject* object) noexcept {
    if (__builtin_expect(PyUnicode_Check(object), 1)) {
      take(object);
    } else {
      take_str_of(object);
    }
  }
  ~Utf8() { Py_XDECREF(holder_); }
  Utf8(const Utf8&) = delete;
  Utf8& operator=(const Utf8&) = delete;

  std::string_view view() const noexcept { return text_; }

 private:
  void take(PyObject* unicode) noexcept {
    if (PyUnicode_IS_COMPACT_ASCII(unicode)) {  // is UTF-8 as it stands
      text_ = {static_cast<const char*>(PyUnicode_DATA(unicode)),
               static_cast<std::size_t>(PyUnicode_GET_LENGTH(unicode))};
      return;
    }
    Py_ssize_t size = 0;
    if (const char* data = PyUnicode_AsUTF8AndSize(unicode, &size)) {
      text_ = {data, static_cast<std::size_t>(size)};
    } else {
      take_escaped(unicode);
    }
  }
  void take_escaped(PyObject* unicode) noexcept;
  void take_str_of(PyObject* object) noexcept;

  PyObject* holder_ = nullptr;
  std::string_view text_;
};

// A new reference to the str of `object`, or to its type's name where it has none; null where the program is asked to
// stop meanwhile.
PyObject* text_of(PyObject* object) noexcept;

// Drops the current exception, except one that asks the program to stop (KeyboardInterrupt, SystemExit). True: dropped.
bool drop_error() noexcept;

}  // namespace macaw::python
