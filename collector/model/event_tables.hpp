// SPDX-License-Identifier: GPL-3.0-or-later
// A job's metric points and log lines while reports come in: each number once, in order, gaps counted, bounded.
// One thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/model/job.hpp"
#include "collector/model/limits.hpp"
#include "collector/model/numbers.hpp"
#include "collector/model/row_tables.hpp"
#include "collector/model/series.hpp"
#include "sdk/src/wire/report.hpp"

namespace macaw::model {

class MetricTable {
 public:
  // True when the point was new.
  bool apply(const wire::Metric& point, const Limits& limits);
  void restore(const std::vector<std::shared_ptr<const Metric>>& metrics, std::uint64_t missing,
               std::uint64_t folded);  // into an empty table
  std::vector<std::uint32_t> publish(std::vector<std::shared_ptr<const Metric>>& published, const Limits& limits);

  Numbers& numbers() { return m_numbers; }
  const Numbers& numbers() const { return m_numbers; }
  std::uint64_t folded() const { return m_folded.count(); }

 private:
  struct Row {
    std::shared_ptr<Metric> metric = std::make_shared<Metric>();  // shared with snapshots unless dirty
    Series<Point, 64> series;
    bool dirty = true;
  };
  std::vector<Row> m_rows;
  NameIndex m_index;
  Numbers m_numbers;
  Folded m_folded;
};

// At most `limit / 2` of the points: from each stretch its lowest and its highest, and what is not finite.
std::vector<Point> thin(const std::vector<Point>& points, std::size_t limit);

class LogBook {
 public:
  // True when there is something new to publish. `now` dates incomplete lines.
  bool apply(const wire::Report& report, const wire::Log& line, Seconds now);
  void restore(const Log& log, std::uint64_t missing);  // into an empty book

  struct Changes {
    bool changed = false, repaired = false;
    std::uint64_t after = 0;
  };
  // Lines whose pieces are missing for long are published with a mark for each gap, and once more when complete.
  Changes publish(std::shared_ptr<const Log>& published, Seconds now, const Limits& limits);

  bool overdue(Seconds now) const;  // publish() has incomplete lines to show
  const LogLine* find(std::uint64_t no) const { return m_lines.find(no); }
  Numbers& numbers() { return m_numbers; }
  const Numbers& numbers() const { return m_numbers; }

 private:
  struct Partial {
    LogLine line;  // without text
    std::map<std::uint32_t, std::string> pieces;
    std::uint32_t parts = 0;
    Seconds begun = 0;
    bool shown = false;
  };
  static constexpr std::uint32_t max_parts = 1024;
  static constexpr std::size_t max_partials = 64;
  static constexpr Seconds patience = 3;
  void show(Partial& partial);

  Series<LogLine, Log::chunk_lines> m_lines;
  std::map<std::uint64_t, Partial> m_partials;
  Numbers m_numbers;
  std::uint64_t m_dropped = 0, m_dropped_to = 0;
  bool m_dirty = false;
};

}  // namespace macaw::model
