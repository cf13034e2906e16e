// SPDX-License-Identifier: MIT
// The job's state as the reporter sees it: the stage trees of all threads merged by path, the bars, the newest point of
// each metric, and the numbered log lines and points. Rows are only ever added, so an index stands for a row for good.
// Threads: the reporter's alone.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sdk/src/record/eta.hpp"
#include "sdk/src/record/thread_record.hpp"
#include "sdk/src/wire/encode.hpp"

namespace macaw::report {

// What every row remembers about its sending.
struct Sent {
  bool changed = true;          // differs from what was last sent
  std::uint64_t seq = 0;        // of the datagram that carried it last; 0: never
  double at = -1;               // job clock
  std::uint64_t first_seq = 0;  // where its first piece went, if it has more than one
};

struct StageRow {
  std::int32_t parent = -1;  // row; -1: top level
  std::uint32_t depth = 0;
  std::string name;
  std::string path;  // encoded, as each report of the row carries it
  wire::StageKind kind = wire::StageKind::stage;
  record::StageStats stats;  // ticks
  std::string note;
  Sent sent;
};

struct BarRow {
  const record::Bar* bar = nullptr;
  std::uint64_t parent = 0;  // id; 0: none
  std::int32_t stage = -1;   // row of StageTable
  record::BarWords words;
  wire::Number n = std::int64_t{0};
  std::optional<wire::Number> total, initial;
  wire::BarState state = wire::BarState::running;
  std::uint64_t repeats = 0;
  double elapsed = 0;
  record::Eta eta;
  Sent sent;
  std::optional<double> rate() const;
  std::optional<double> left() const;  // s; absent without a total
};

struct LogEntry {
  std::uint64_t no = 0;
  double up = 0;
  wire::LogLevel level = wire::LogLevel::info;
  std::string text;
  std::int32_t stage = -1;
  std::uint64_t cut = 0;
  Sent sent;
};

using OwnedValue = std::variant<std::int64_t, double, bool, std::string>;

struct MetricEntry {
  std::uint64_t no = 0;
  std::string name;
  std::optional<wire::Number> step;
  double up = 0;
  OwnedValue value;
  Sent sent;
};

class StageTable {
 public:
  std::vector<StageRow> rows;  // parents before their children

  void merge(record::ThreadRecord* first);
  // The path of row `row` for the wire; -1: the root.
  wire::EncodedPath encoded_path(std::int32_t row) const {
    return {row < 0 ? wire::Text() : wire::Text(rows[static_cast<std::size_t>(row)].path)};
  }
  // The names from the root to `row`. Valid until rows are added.
  const std::vector<wire::Text>& path(std::int32_t row);
  // Rows in tree order: parents before their children, siblings by first appearance.
  std::vector<std::int32_t> tree_order() const;

 private:
  void merge_children(const record::StageNode& parent, std::int32_t parent_row, std::uint32_t depth);
  std::int32_t row_of(record::StageNode& node, std::int32_t parent_row, std::uint32_t depth);

  using Place = std::pair<std::int32_t, std::pair<std::string, wire::StageKind>>;  // below which row, what
  std::map<Place, std::int32_t> by_place_;
  std::vector<record::StageStats> merged_;
  std::vector<std::string> notes_;
  std::vector<wire::Text> path_;
};

class BarTable {
 public:
  std::vector<BarRow> rows;
  void merge(record::ThreadRecord* first, double tick);

 private:
  void merge(const record::Bar& bar, std::uint64_t now, double tick);

  std::unique_ptr<record::Bar> other_;  // counts the bars that there was no room for
  std::map<const record::Bar*, std::size_t> by_bar_;
};

// Log lines and metric points in time order, numbered from 1, the newest kept for sending again.
class EventTable {
 public:
  static constexpr std::size_t max_log_bytes_kept = 1 << 20;
  static constexpr std::size_t max_points_kept = 4096;
  static constexpr std::size_t max_metric_names = 1000;

  std::deque<LogEntry> logs;
  std::deque<MetricEntry> points;
  std::vector<MetricEntry> latest;  // one a name, by first appearance

  // In two steps, as what was recorded in a stage needs that stage's row: take(), merge the stages, number(). `start`
  // is the tick at which the job's clock was 0.
  void take(record::ThreadRecord* first);
  void number(std::uint64_t start, double tick);
  std::uint64_t add_log(double up, wire::LogLevel level, std::string text, std::int32_t stage, std::uint64_t cut);
  std::uint64_t log_numbers() const { return log_no_; }
  std::uint64_t point_numbers() const { return point_no_; }
  // How many found no room in their thread's ring, since the start.
  std::uint64_t lost_logs() const { return all_lost_logs_; }
  std::uint64_t lost_points() const { return all_lost_points_; }

 private:
  struct Event {
    record::EventHead head;
    std::string body;
  };
  void add_point(const Event& event, double up);

  std::vector<Event> taken_;
  std::uint64_t lost_logs_ = 0, lost_points_ = 0;  // not numbered yet
  std::uint64_t all_lost_logs_ = 0, all_lost_points_ = 0;
  std::size_t log_bytes_ = 0;
  std::uint64_t log_no_ = 0, point_no_ = 0;
  std::map<std::string, std::size_t> latest_by_name_;
};

}  // namespace macaw::report
