// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs as JSON, whole or as what changed between two snapshots (API.md). Pure: `now` is the monotonic clock that ages
// are measured against.
#pragma once

#include <string>

#include "collector/mirror/json_writer.hpp"
#include "collector/model/job.hpp"

namespace macaw {

std::string iso_time(double unix_s);  // "2026-12-01T10:27:00.123Z"

// All keys of a job.
void write_job(JsonWriter& json, const model::Job& job, double now);

// "id" and the keys that changed since `before`. Snapshots share what did not change, so this compares pointers.
void write_job_changes(JsonWriter& json, const model::Job& job, const model::Job& before, double now);

void write_stages(JsonWriter& json, const model::Job& job, double now);  // the array
void write_log_line(JsonWriter& json, const model::LogLine& line, double started);

}  // namespace macaw
