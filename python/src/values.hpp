// SPDX-License-Identifier: MIT
// Python numbers and metric values as the record's. Whole numbers stay whole, numpy and torch scalars are asked for
// their item(); nothing here leaves an exception behind. Threads: with the GIL held.
#pragma once

#include <optional>

#include "python/src/text.hpp"
#include "sdk/src/wire/report.hpp"

namespace macaw::python {

// Nothing where `object` is None, no number, or not finite.
std::optional<wire::Number> to_number(PyObject* object) noexcept;
// A new reference.
PyObject* from_number(const wire::Number& number) noexcept;

// A new reference to the bool, int, float or str that `object` stands for.
PyObject* plain_value(PyObject* object) noexcept;
// An int, where it is too large for 64 bits as a float.
wire::Number whole_number(PyObject* integer) noexcept;

// Calls take() with a wire::Value that is valid during the call.
template <class Take>
void with_value(PyObject* object, Take&& take) noexcept {
  if (PyFloat_Check(object)) return take(wire::Value(PyFloat_AS_DOUBLE(object)));
  if (PyBool_Check(object)) return take(wire::Value(object == Py_True));
  if (PyLong_Check(object)) {
    return std::visit([&](auto number) { take(wire::Value(number)); }, whole_number(object));
  }
  if (PyUnicode_Check(object)) return take(wire::Value(Utf8(object).view()));
  PyObject* plain = plain_value(object);
  with_value(plain, take);
  Py_DECREF(plain);
}

}  // namespace macaw::python
