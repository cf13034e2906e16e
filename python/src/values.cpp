// SPDX-License-Identifier: MIT
#include "python/src/values.hpp"

#include <cmath>
#include <limits>

namespace macaw::python {
namespace {

bool is_plain(PyObject* object) noexcept {
  return PyFloat_Check(object) || PyLong_Check(object) || PyUnicode_Check(object);  // a bool is an int
}

// Shown as text: float() would take the real part of it, and numpy warn of that.
bool is_complex_scalar(PyObject* item) noexcept {
  return item && (PyComplex_Check(item) || PyObject_HasAttrString(item, "__complex__"));
}

// `made` when it is plain, else null; takes the reference and any exception.
PyObject* if_plain(PyObject* made) noexcept {
  if (made && is_plain(made)) return made;
  Py_XDECREF(made);
  PyErr_Clear();
  return nullptr;
}

}  // namespace

PyObject* plain_value(PyObject* object) noexcept {
  if (is_plain(object)) {
    Py_INCREF(object);
    return object;
  }
  PyObject* item = PyObject_CallMethod(object, "item", nullptr);
  const bool is_complex = is_complex_scalar(item);
  if (PyObject* plain = if_plain(item)) return plain;
  if (PyIndex_Check(object)) {
    if (PyObject* whole = if_plain(PyNumber_Index(object))) return whole;
  }
  if (PyNumber_Check(object) && !is_complex) {
    if (PyObject* real = if_plain(PyNumber_Float(object))) return real;
  }
  if (PyObject* text = if_plain(PyObject_Str(object))) return text;
  PyObject* type = PyUnicode_FromString(Py_TYPE(object)->tp_name);
  if (type) return type;
  PyErr_Clear();
  Py_INCREF(Py_False);  // out of memory
  return Py_False;
}

wire::Number whole_number(PyObject* integer) noexcept {
  int overflow = 0;
  const long long whole = PyLong_AsLongLongAndOverflow(integer, &overflow);
  if (!overflow) return std::int64_t{whole};
  const double real = PyLong_AsDouble(integer);
  if (!PyErr_Occurred()) return real;
  PyErr_Clear();
  return overflow > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

std::optional<wire::Number> to_number(PyObject* object) noexcept {
  if (object == Py_None) return std::nullopt;
  PyObject* plain = plain_value(object);
  std::optional<wire::Number> number;
  if (PyLong_Check(plain)) {
    number = whole_number(plain);
  } else if (PyFloat_Check(plain)) {
    number = PyFloat_AS_DOUBLE(plain);
  }
  Py_DECREF(plain);
  if (number && number->index() == 1 && !std::isfinite(std::get<double>(*number))) number.reset();
  return number;
}

PyObject* from_number(const wire::Number& number) noexcept {
  if (const auto* whole = std::get_if<std::int64_t>(&number)) return PyLong_FromLongLong(*whole);
  return PyFloat_FromDouble(std::get<double>(number));
}

}  // namespace macaw::python
