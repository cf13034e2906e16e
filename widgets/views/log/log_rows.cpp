// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/log/log_rows.hpp"

#include <algorithm>

namespace macaw::widgets {

namespace {

// Whether `now` is `before` with lines added at the end.
bool continues(const model::Log& before, const model::Log& now) {
  if (before.chunks.empty()) return true;
  if (now.chunks.size() < before.chunks.size()) return false;
  const std::size_t last = before.chunks.size() - 1;
  if (!std::equal(before.chunks.begin(), before.chunks.begin() + static_cast<std::ptrdiff_t>(last), now.chunks.begin()))
    return false;
  const auto& old_lines = *before.chunks[last];
  const auto& new_lines = *now.chunks[last];
  return &old_lines == &new_lines ||
         (new_lines.size() >= old_lines.size() && new_lines.front().no == old_lines.front().no &&
          new_lines[old_lines.size() - 1].no == old_lines.back().no);
}

}  // namespace

bool LogRows::update(const std::shared_ptr<const model::Log>& log) {
  if (log == m_log) return false;
  const auto before = m_log;
  m_log = log;
  if (!log || !before || !continues(*before, *log)) {
    rebuild();
    return true;
  }
  if (before->chunks.empty())
    append_from(0, 0);
  else
    append_from(before->chunks.size() - 1, before->chunks.back()->size());
  return false;
}

void LogRows::show_level(model::LogLevel level, bool shown) {
  m_shown[static_cast<std::size_t>(level)] = shown;
  rebuild();
}

void LogRows::rebuild() {
  m_rows.clear();
  m_counts.fill(0);
  if (m_log) append_from(0, 0);
}

void LogRows::append_from(std::size_t chunk, std::size_t line) {
  const model::LogLine* before = nullptr;
  if (line > 0)
    before = &(*m_log->chunks[chunk])[line - 1];
  else if (chunk > 0)
    before = &m_log->chunks[chunk - 1]->back();
  for (; chunk < m_log->chunks.size(); ++chunk, line = 0) {
    const auto& lines = *m_log->chunks[chunk];
    for (; line < lines.size(); ++line) {
      const model::LogLine& now = lines[line];
      const auto c = static_cast<std::uint32_t>(chunk), l = static_cast<std::uint32_t>(line);
      if (before && now.no > before->no + 1) m_rows.push_back({Row::Kind::gap, c, l, 0, 0, now.no - before->no - 1});
      before = &now;
      ++m_counts[static_cast<std::size_t>(now.level)];
      if (!m_shown[static_cast<std::size_t>(now.level)]) continue;
      std::size_t from = 0;
      while (true) {
        const std::size_t end = std::min(now.text.find('\n', from), now.text.size());
        if (from > 0 && from == now.text.size()) break;  // a line break at the end opens no row
        m_rows.push_back({from == 0 ? Row::Kind::first : Row::Kind::more, c, l, static_cast<std::uint32_t>(from),
                          static_cast<std::uint32_t>(end - from), 0});
        if (end == now.text.size()) break;
        from = end + 1;
      }
    }
  }
}

QString LogRows::text(const Row& row) const {
  if (row.kind == Row::Kind::gap) return {};
  const model::LogLine& source = line(row);
  QString text = QString::fromUtf8(source.text.data() + row.from, static_cast<qsizetype>(row.length));
  text.replace(QLatin1Char('\t'), QStringLiteral("    "));
  text.remove(QLatin1Char('\r'));
  if (source.cut > 0 && row.from + row.length == source.text.size())
    text += QStringLiteral(" … %1 bytes cut").arg(source.cut);
  return text;
}

std::pair<double, double> LogRows::around(const Row& gap) const {
  const auto& after = line(gap);
  const model::LogLine& before =
      gap.line > 0 ? (*m_log->chunks[gap.chunk])[gap.line - 1] : m_log->chunks[gap.chunk - 1]->back();
  return {before.up, after.up};
}

}  // namespace macaw::widgets
