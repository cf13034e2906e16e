// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "collector/model/event_tables.hpp"

namespace macaw::model {

namespace {

constexpr const char* missing_piece = "[…]";

LogLine line_of(const wire::Report& report, const wire::Log& row) {
  LogLine line;
  line.no = row.no;
  line.up = row.up;
  line.level = static_cast<LogLevel>(row.level);
  line.stage = path_of(report, row.stage);
  line.cut = row.cut;
  return line;
}

}  // namespace

bool LogBook::apply(const wire::Report& report, const wire::Log& row, Seconds now) {
  if (row.no == 0 || row.part == 0 || row.part > row.parts || row.parts > max_parts) return false;
  if (row.parts == 1) {
    if (!m_numbers.add(row.no)) return false;
    LogLine line = line_of(report, row);
    line.text = text_of(row.text);
    if (line.no <= m_dropped_to)
      ++m_dropped;
    else
      m_lines.add(std::move(line));
    return m_dirty = true;
  }

  auto found = m_partials.find(row.no);
  if (found == m_partials.end()) {
    if (m_lines.find(row.no) || row.no <= m_dropped_to) return false;
    if (m_partials.size() >= max_partials) {
      show(m_partials.begin()->second);
      m_partials.erase(m_partials.begin());
    }
    found = m_partials.emplace(row.no, Partial{line_of(report, row), {}, row.parts, now, false}).first;
  }
  Partial& partial = found->second;
  if (row.parts != partial.parts) return false;
  partial.pieces.try_emplace(row.part, row.text);
  partial.line.cut = std::max(partial.line.cut, row.cut);
  if (partial.pieces.size() < partial.parts) return false;
  partial.shown = false;
  show(partial);
  m_numbers.add(row.no);
  m_partials.erase(found);
  return true;
}

void LogBook::restore(const Log& log, std::uint64_t missing) {
  for (const auto& chunk : log.chunks)
    for (const LogLine& line : *chunk) m_lines.add(line);
  m_dropped = log.dropped;
  m_dropped_to = log.dropped > 0 ? log.first_no - 1 : 0;
  m_numbers.restore(log.last_no, missing);
  m_dirty = log.lines > 0;
}

void LogBook::show(Partial& partial) {
  if (partial.shown) return;
  partial.shown = true;
  LogLine line = partial.line;
  std::uint32_t next = 1;
  for (const auto& [part, text] : partial.pieces) {
    if (part != next) line.text += missing_piece;
    line.text += text;
    next = part + 1;
  }
  if (next <= partial.parts) line.text += missing_piece;
  m_lines.add(std::move(line));
  m_dirty = true;
}

bool LogBook::overdue(Seconds now) const {
  return std::any_of(m_partials.begin(), m_partials.end(),
                     [&](const auto& entry) { return !entry.second.shown && now - entry.second.begun > patience; });
}

LogBook::Changes LogBook::publish(std::shared_ptr<const Log>& published, Seconds now, const Limits& limits) {
  for (auto& [no, partial] : m_partials)
    if (now - partial.begun > patience) show(partial);
  if (!m_dirty) return {};
  m_dirty = false;

  Changes changes{true, false, m_lines.empty() ? 0 : m_lines.last().no};
  changes.repaired = m_lines.merge();
  if (m_lines.empty()) return {};
  if (m_lines.size() > limits.log_lines) {
    m_dropped += m_lines.drop_front(limits.log_lines);
    m_dropped_to = m_lines.front().no - 1;
  }
  auto log = std::make_shared<Log>();
  log->chunks = m_lines.chunks();
  log->first_no = m_lines.front().no;
  log->last_no = m_lines.last().no;
  log->lines = m_lines.size();
  log->dropped = m_dropped;
  published = std::move(log);
  return changes;
}

}  // namespace macaw::model
