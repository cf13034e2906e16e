// SPDX-License-Identifier: GPL-3.0-or-later
// What the mirror exports beside the job itself: metrics as CSV and JSON, the log by search, counters. Pure.
#pragma once

#include <limits>
#include <string>

#include "collector/collector.hpp"
#include "collector/model/job.hpp"

namespace macaw {

std::string metrics_csv(const model::Job& job);  // header `name,step,up_s,value`

// {name: {step, up, value}}; of one metric where `name` is given, thinned to `points` where that is not 0.
std::string metrics_json(const model::Job& job, const std::string& name, std::size_t points);

struct LogQuery {
  model::LogLevel level = model::LogLevel::debug;  // the least
  std::string search;                              // anywhere in the text, letter case ignored
  std::uint64_t after = 0, before = std::numeric_limits<std::uint64_t>::max();
  std::size_t limit = 1000;  // the newest so many
};
std::string log_json(const model::Job& job, const LogQuery& query);

std::string health_json(const Health& health);
std::string prometheus_text(const Health& health, const std::vector<model::JobPtr>& jobs, double now);

}  // namespace macaw
