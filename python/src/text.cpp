// SPDX-License-Identifier: MIT
#include "python/src/text.hpp"

namespace macaw::python {

bool drop_error() noexcept {
  if (!PyErr_Occurred()) return true;
  if (!PyErr_ExceptionMatches(PyExc_Exception)) return false;
  PyErr_Clear();
  return true;
}

PyObject* text_of(PyObject* object) noexcept {
  if (PyObject* text = PyObject_Str(object)) return text;
  return drop_error() ? PyUnicode_FromString(Py_TYPE(object)->tp_name) : nullptr;
}

void Utf8::take_escaped(PyObject* unicode) noexcept {
  PyErr_Clear();
  PyObject* bytes = PyUnicode_AsEncodedString(unicode, "utf-8", "backslashreplace");
  if (!bytes) return PyErr_Clear();
  Py_XSETREF(holder_, bytes);
  text_ = {PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes))};
}

void Utf8::take_str_of(PyObject* object) noexcept {
  holder_ = PyObject_Str(object);
  if (holder_) return take(holder_);
  PyErr_Clear();
  text_ = Py_TYPE(object)->tp_name;
}

}  // namespace macaw::python
