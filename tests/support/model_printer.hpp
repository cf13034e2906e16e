// SPDX-License-Identifier: GPL-3.0-or-later
// A job as text, to compare with what a test expects. Rows come in the order of their identity, not of their arrival,
// and what depends on how many reports arrived (trends) is left out.
#pragma once

#include <string>

#include "collector/model/job.hpp"

namespace macaw::test {

std::string print(const model::Job& job);

}  // namespace macaw::test
