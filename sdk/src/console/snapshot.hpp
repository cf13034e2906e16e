// SPDX-License-Identifier: MIT
// What the console prints, as plain values: the same record that is reported, at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace macaw::console {

using Number = std::variant<std::int64_t, double>;
using Value = std::variant<std::int64_t, double, bool, std::string>;

struct Bar {
  std::string desc, unit;
  Number n = std::int64_t{0};
  std::optional<Number> total;
  std::optional<double> rate, eta;  // 1/s, s
  double elapsed = 0;
  bool running = true;
  bool outermost = false;
};

// Times in seconds. In tree order: a parent before its children, siblings by first entry.
struct Stage {
  std::uint32_t depth = 0;
  std::vector<std::string> path;
  bool is_call = false;
  bool is_parallel = false;  // ran at the same time more than once: its total is more than the time that passed
  std::uint64_t count = 0, errors = 0;
  double total = 0, open_for = 0;  // of the entries that were left; of those that are open
  double self = 0, min = 0, max = 0, last = 0, std_dev = 0;
  std::string note;
  double spent() const { return total + open_for; }
  double avg() const { return count ? total / static_cast<double>(count) : 0; }
};

struct Snapshot {
  std::string name, job_id;
  std::int64_t pid = 0;
  std::vector<Bar> bars;
  std::vector<Stage> stages;
  std::vector<std::pair<std::string, Value>> metrics;
};

struct Ending {
  std::string word = "finished";  // finished, failed, interrupted
  double elapsed = 0;
  std::int64_t exit_code = 0;
  std::int64_t peak_bytes = 0;
  std::uint64_t lost_logs = 0, lost_points = 0;  // came faster than they could be taken
  std::string error;                             // "ValueError: no infs", or empty
};

}  // namespace macaw::console
