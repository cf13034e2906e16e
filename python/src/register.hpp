// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace macaw::python {

void register_testing(pybind11::module_& module);
void register_job(pybind11::module_& module);
void register_run(pybind11::module_& module);

}  // namespace macaw::python
