// SPDX-License-Identifier: GPL-3.0-or-later
// The values that receivers show: a Job and its parts, immutable once published. Every part hangs on a
// shared_ptr<const …>, so a snapshot shares with the one before it all that did not change, and any thread may read it.
// Ages and elapsed times are stored as points on the collector's monotonic clock and rendered against a `now`.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace macaw::model {

using JobId = std::array<std::uint8_t, 16>;
using Number = std::variant<std::int64_t, double>;
using Value = std::variant<std::int64_t, double, bool, std::string>;
using Path = std::vector<std::string>;
using Seconds = double;  // durations; and points on the monotonic clock that the caller injects

std::string to_string(const JobId& id);  // UUID text, lower case
std::optional<JobId> parse_job_id(const std::string& text);

enum class State : std::uint8_t { running, stalled, no_contact, finished, failed, interrupted, ended_early };
const char* state_name(State state);  // as in JSON: "no contact"
constexpr bool is_terminal(State s) { return s >= State::finished; }

enum class BarState : std::uint8_t { running, done, left, failed, interrupted };
const char* bar_state_name(BarState state);

enum class StageKind : std::uint8_t { stage, call };
enum class LogLevel : std::uint8_t { debug, info, warning, error, critical };
const char* log_level_name(LogLevel level);

// Who the job is; changes only when a hello says something new.
struct Identity {
  std::string name, host, user, cwd, lang, sdk;
  std::vector<std::string> argv;
  std::optional<std::int64_t> pid;
  std::optional<JobId> parent;
  std::map<std::string, std::string> tags, env;
  std::string git_commit, git_branch;
  bool git_dirty = false;
};

struct Bar {
  std::uint64_t id = 0;
  std::optional<std::uint64_t> parent;
  Path stage;
  std::string desc, unit;
  Number n = std::int64_t{0};
  std::optional<Number> total, initial;
  Seconds elapsed = 0;  // as reported
  Seconds told = 0;     // the job's own clock when this row was reported
  std::optional<double> rate;
  std::optional<Seconds> eta;
  std::optional<std::pair<Seconds, Seconds>> eta_range;
  BarState state = BarState::running;
  std::uint64_t repeats = 0;
};

struct Stage {
  Path path;
  StageKind kind = StageKind::stage;
  std::uint64_t count = 0, open = 0, errors = 0;
  Seconds total = 0, self = 0, min = 0, max = 0, last = 0;  // of completed entries; `self` also of the open one
  double m2 = 0;                                            // Welford's sum of squared deviations, s^2
  std::optional<Seconds> since;                             // age of the oldest open entry when reported
  Seconds told = 0;                                         // the job's own clock when this row was reported
  std::string note;
  std::vector<float> trend;  // means of the last 28 groups of calls
  Seconds avg() const { return count ? total / static_cast<double>(count) : 0; }
  Seconds spent() const { return total + (open ? since.value_or(0) : 0); }  // what is open counts, too
  Seconds std_dev() const;  // sample standard deviation; 0 under two calls
};

struct Point {
  std::optional<Number> step;
  Seconds up = 0;  // s since the job's start
  Value value = 0.0;
  std::uint64_t no = 0;  // running number within the job
};

// One metric: the newest point and a bounded series in the order of their numbers, in chunks so that snapshots share
// them.
struct Metric {
  std::string name;
  Point latest;
  std::optional<Point> first_nonfinite;
  std::vector<std::shared_ptr<const std::vector<Point>>> chunks;
  std::uint64_t points = 0;   // received in all
  std::uint64_t thinned = 0;  // left out of the chunks
};

struct LogLine {
  std::uint64_t no = 0;
  Seconds up = 0;
  LogLevel level = LogLevel::info;
  std::string text;
  Path stage;
  std::uint64_t cut = 0;
};

// Lines kept, oldest first, in chunks; every chunk but the last is full and never changes.
struct Log {
  static constexpr std::size_t chunk_lines = 256;
  std::vector<std::shared_ptr<const std::vector<LogLine>>> chunks;
  std::uint64_t first_no = 1, last_no = 0;  // running numbers kept (gaps inside are lost lines)
  std::uint64_t lines = 0;                  // kept
  std::uint64_t dropped = 0;                // kept once, given up for the bound
};

struct Usage {
  std::optional<std::int64_t> rss, peak, threads;
  std::optional<double> cpu, cpu_rate;             // core-seconds; cores in use lately
  std::optional<std::int64_t> children, tree_rss;  // processes below this one; bytes of all of them and this one
  std::vector<double> gpu, gpu_mem;                // of each device: load 0…1, bytes in use
};

struct Error {
  std::string type, message, traceback;
};

struct Lost {
  std::uint64_t datagrams = 0, logs = 0, metrics = 0;
};

struct Job {
  JobId id{};
  std::shared_ptr<const Identity> identity;
  State state = State::running;
  double started = 0;              // Unix s, the sender's word, else the collector's guess
  Seconds up = 0;                  // the job's own clock at `heard`
  Seconds heard = 0;               // collector's monotonic clock at the last report
  double heard_unix = 0;           // the same as Unix s, for labels
  std::uint64_t seq = 0;           // number of that report
  std::optional<Seconds> promise;  // `next` of the last report
  std::optional<Seconds> skew;     // how far the sender's clock is ahead of this one, where that is worth a word
  std::optional<Seconds> ended;    // elapsed at the end
  std::optional<std::int64_t> exit_code, exit_signal;
  std::shared_ptr<const Error> error;
  std::shared_ptr<const Usage> usage;
  std::vector<std::shared_ptr<const Bar>> bars;  // by first appearance
  std::vector<std::shared_ptr<const Stage>>
      stages;  // tree order: parents before children, siblings by first appearance
  std::vector<std::shared_ptr<const Metric>> metrics;
  std::shared_ptr<const Log> log;
  Lost lost;
  std::uint64_t others_bars = 0, others_stages = 0, others_metrics = 0;  // folded away by the bounds

  // Seconds the job has run: stands still once it ended or contact was lost.
  Seconds elapsed(Seconds now) const;
  // The top-level bar that ran longest, or null: the job's own progress.
  const Bar* main_bar() const;
};

using JobPtr = std::shared_ptr<const Job>;

// What changed in one job since the last ChangeSet. New jobs have everything set.
struct JobChange {
  JobPtr job;  // as it is now
  bool added = false;
  bool about = false;                                // identity, state, exit, error, usage, lost, contact
  std::vector<std::uint32_t> bars, stages, metrics;  // indices into the job's vectors
  std::uint64_t log_after = 0;                       // lines with a higher `no` are new (or repaired, see log_repaired)
  bool log_changed = false;
  bool log_repaired = false;  // lines arrived late, below log_after: read the log again
};

struct ChangeSet {
  std::uint64_t number = 0;  // from 1, no gaps
  Seconds now = 0;           // collector's monotonic clock
  std::vector<JobChange> jobs;
  std::vector<JobId> gone;
};

}  // namespace macaw::model
