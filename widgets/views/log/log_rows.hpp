// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the log view over the bounded store: one a text line, with gaps where lines were lost on the way. Appends
// when only new lines came and starts anew when old ones changed. Holds no text: rows point into the log's chunks.
#pragma once

#include <QString>
#include <array>
#include <vector>

#include "collector/model/job.hpp"

namespace macaw::widgets {

class LogRows {
 public:
  struct Row {
    enum class Kind : std::uint8_t { first, more, gap } kind = Kind::first;
    std::uint32_t chunk = 0, line = 0;   // of a gap: the line after it
    std::uint32_t from = 0, length = 0;  // bytes of the line's text
    std::uint64_t lost = 0;              // of a gap
  };

  // True when old rows may have changed, so that positions in them mean nothing any more.
  bool update(const std::shared_ptr<const model::Log>& log);
  void show_level(model::LogLevel level, bool shown);
  bool level_shown(model::LogLevel level) const { return m_shown[static_cast<std::size_t>(level)]; }

  std::size_t size() const { return m_rows.size(); }
  const Row& operator[](std::size_t i) const { return m_rows[i]; }
  const model::LogLine& line(const Row& row) const { return (*m_log->chunks[row.chunk])[row.line]; }
  QString text(const Row& row) const;
  // Up-times of the lines around a gap.
  std::pair<double, double> around(const Row& gap) const;
  const std::array<std::size_t, 5>& counts() const { return m_counts; }

 private:
  void append_from(std::size_t chunk, std::size_t line);
  void rebuild();

  std::shared_ptr<const model::Log> m_log;
  std::vector<Row> m_rows;
  std::array<bool, 5> m_shown{false, true, true, true, true};
  std::array<std::size_t, 5> m_counts{};
};

}  // namespace macaw::widgets
