// SPDX-License-Identifier: MIT
// macaw._core: the SDK as Python sees it. Raw types for the inner loops, pybind11 for the rest.
#include "python/src/register.hpp"
#include "python/src/standing.hpp"
#include "python/src/types.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace macaw::python;
  if (!make_context_variable()) throw pybind11::error_already_set();
  for (const auto add : {add_done_type, add_stage_type, add_track_type, add_call_type, add_log_type}) {
    if (!add(module.ptr())) throw pybind11::error_already_set();
  }
  register_testing(module);
  register_job(module);
  register_run(module);
}
