// SPDX-License-Identifier: MIT
// Macaw for C++17: progress bars, timed stages, log lines and metrics that a collector shows and the console prints.
// The first use starts the job; its end is seen by itself. Nothing here throws, blocks or changes a result; with
// MACAW_DISABLE=1 in the environment it does nothing, with MACAW_OFF defined it compiles to nothing.
//
//   for (auto& x : macaw::track(items, "doing nothing")) { MACAW_STAGE("generate_data"); … }
//   macaw::Bar bar{"copy", total};  bar += k;
//   macaw::log::info("n = {}", n);  macaw::metric("loss", 0.3, step);
#pragma once

#include <macaw/bar.hpp>
#include <macaw/job.hpp>
#include <macaw/log.hpp>
#include <macaw/metric.hpp>
#include <macaw/stage.hpp>
#include <macaw/track.hpp>
#include <macaw/version.hpp>
