// SPDX-License-Identifier: MIT
// The values of wire protocol version 1: what one datagram says, as plain structs (schema: sdk/PROTOCOL.md).
// A Report is filled by decode() and emptied by clear(); its vectors keep their storage, so a receiver that reuses
// one Report decodes without allocating. Every Text points into the datagram, or into Report::storage where a JSON
// string had escapes: a Report is valid only as long as the bytes that it was decoded from.
// Not thread-safe; one Report belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace macaw::wire {

inline constexpr std::uint64_t protocol_version = 1;

using JobId = std::array<std::uint8_t, 16>;
using Text = std::string_view;
using Number = std::variant<std::int64_t, double>;             // a count: whole as long as the sender's was
using Value = std::variant<std::int64_t, double, bool, Text>;  // a metric's value

// A stage path, from the root: `size` names from Report::names[first].
struct Path {
  std::uint32_t first = 0;
  std::uint32_t size = 0;
};

// An inclusive range of running numbers.
struct Range {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

enum class StageKind : std::uint8_t { stage, call };
enum class BarState : std::uint8_t { running, done, left, failed, interrupted };
enum class LogLevel : std::uint8_t { debug, info, warning, error, critical };
enum class FinishState : std::uint8_t { finished, failed, interrupted };

struct Git {
  Text commit, branch;
  bool dirty = false;
};

struct Hello {
  Text name, host, user, cwd, lang, sdk;
  std::vector<Text> argv;
  std::optional<std::int64_t> pid;
  std::optional<double> start;  // Unix seconds
  std::optional<JobId> parent;
  std::optional<Git> git;
  std::vector<std::pair<Text, Text>> env, tags;
};

struct Usage {
  std::optional<std::int64_t> rss, peak, threads;  // bytes, bytes, count
  std::optional<double> cpu, self_cpu;             // core-seconds
  std::optional<std::int64_t> children, tree_rss;  // processes below this one; bytes of all of them and this one
  std::vector<double> gpu, gpu_mem;                // of each device: load 0…1, bytes in use
  std::optional<std::int64_t> sent, unsent;        // datagrams
};

struct Bar {
  std::uint64_t id = 0;
  std::optional<std::uint64_t> parent;
  Path stage;
  Text desc, unit;
  Number n = std::int64_t{0};
  std::optional<Number> total, initial;
  double elapsed = 0;               // s
  std::optional<double> rate, eta;  // 1/s, s
  BarState state = BarState::running;
  std::uint64_t repeats = 0;
};

struct Stage {
  Path path;
  StageKind kind = StageKind::stage;
  std::uint64_t n = 0;
  double sum = 0, min = 0, max = 0, m2 = 0, last = 0;  // s (m2: s^2)
  std::uint64_t open = 0, errors = 0;
  std::optional<double> since;  // s
  Text note;
};

struct Metric {
  std::uint64_t no = 0;
  Text name;
  std::optional<Number> step;
  double up = 0;  // s
  Value value = std::int64_t{0};
};

struct Log {
  std::uint64_t no = 0;
  double up = 0;  // s
  LogLevel level = LogLevel::info;
  Text text;
  Path stage;
  std::uint32_t part = 1, parts = 1;  // piece `part` of `parts`, counted from 1
  std::uint64_t cut = 0;              // bytes left off
};

struct Error {
  Text type, message;
  std::optional<std::uint64_t> trace;  // `no` of the log line that holds the traceback
};

struct Finish {
  double elapsed = 0;  // s
  std::optional<std::int64_t> code, signal;
  std::optional<Error> error;
  FinishState state = FinishState::finished;
};

struct Report {
  JobId job{};
  std::uint64_t seq = 0;
  double up = 0;  // s since the job's start, monotonic
  double t = 0;   // Unix s
  std::optional<double> next;
  std::optional<Hello> hello;
  std::optional<Usage> usage;
  std::vector<Bar> bars;
  std::vector<Stage> stages;
  std::vector<Metric> metrics;
  std::vector<Log> logs;
  std::optional<Finish> finish;

  std::vector<Text> names;          // elements of every Path
  std::deque<std::string> storage;  // unescaped JSON strings
  std::uint32_t refused_rows = 0;   // rows dropped for a wrong type in a known key
  std::uint32_t unknown_keys = 0;

  void clear() noexcept;
};

// What the collector answers to a hello or a finish. `reports` are sequence numbers that never arrived: the sender
// marks the rows last sent in them as changed, which repairs a loss without waiting for their refresh.
inline constexpr std::size_t max_ranges = 16;  // of each kind

struct Answer {
  JobId job{};
  std::uint64_t ack = 0;  // the `seq` that is answered
  std::vector<Range> want_logs, want_metrics, want_reports;
};

}  // namespace macaw::wire
