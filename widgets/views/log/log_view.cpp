// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/log/log_view.hpp"

#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "widgets/format/format.hpp"
#include "widgets/paint/paint.hpp"
#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::widgets {

using model::LogLevel;
using model::State;

namespace {
constexpr qreal time_at = 20, icon_at = 112, text_at = 136, ruler_width = 12;
constexpr std::size_t marks_shown = 4000;  // of the ruler: more than it has pixels for
}  // namespace

LogView::LogView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Log"));
  verticalScrollBar()->setSingleStep(3);
}

void LogView::show_log(const std::shared_ptr<const model::Log>& log, double started, bool other_job) {
  m_started = started;
  const std::size_t before = m_rows.size();
  const bool anew = m_rows.update(log);
  if (other_job) {
    m_follow = true;
    m_current_hit = 0;
  }
  if (anew || other_job) m_hits.clear();
  find_hits(anew || other_job ? 0 : before);
  m_unseen = m_follow ? 0 : m_unseen + (anew || m_rows.size() < before ? 0 : m_rows.size() - before);
  fit_scroll_bars();
  emit changed();
  viewport()->update();
}

void LogView::show_level(LogLevel level, bool shown) {
  m_rows.show_level(level, shown);
  m_hits.clear();
  find_hits(0);
  fit_scroll_bars();
  emit changed();
  viewport()->update();
}

void LogView::set_search(const QString& text) {
  m_search = text;
  m_hits.clear();
  find_hits(0);
  m_current_hit = m_hits.empty() ? 0 : m_hits.size() - 1;  // the newest is the likeliest wanted
  if (!m_hits.empty()) go_to_hit(0);
  emit changed();
  viewport()->update();
}

void LogView::find_hits(std::size_t from) {
  if (m_search.isEmpty()) return;
  for (std::size_t i = from; i < m_rows.size(); ++i)
    if (m_rows.text(m_rows[i]).contains(m_search, Qt::CaseInsensitive)) m_hits.push_back(i);
}

void LogView::go_to_hit(int step) {
  if (m_hits.empty()) return;
  const auto n = static_cast<std::ptrdiff_t>(m_hits.size());
  m_current_hit = static_cast<std::size_t>((static_cast<std::ptrdiff_t>(m_current_hit) + step + n) % n);
  set_follow(false);
  verticalScrollBar()->setValue(static_cast<int>(m_hits[m_current_hit]) - viewport()->height() / row_height / 2);
  emit changed();
  viewport()->update();
}

void LogView::set_follow(bool follow) {
  m_follow = follow;
  if (follow) m_unseen = 0;
  fit_scroll_bars();
  emit changed();
  viewport()->update();
}

void LogView::fit_scroll_bars() {
  const int page = std::max(1, viewport()->height() / row_height);
  m_scrolling_itself = true;
  verticalScrollBar()->setPageStep(page);
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(m_rows.size()) - page));
  if (m_follow) verticalScrollBar()->setValue(verticalScrollBar()->maximum());
  m_scrolling_itself = false;
}

void LogView::resizeEvent(QResizeEvent*) { fit_scroll_bars(); }

void LogView::scrollContentsBy(int, int) {
  if (!m_scrolling_itself) {
    const bool at_end = verticalScrollBar()->value() == verticalScrollBar()->maximum();
    if (at_end != m_follow) {
      m_follow = at_end;
      if (at_end) m_unseen = 0;
      emit changed();
    }
  }
  viewport()->update();
}

void LogView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy))
    QGuiApplication::clipboard()->setText(copied_text());
  else if (event->key() == Qt::Key_Home)
    verticalScrollBar()->setValue(0);
  else if (event->key() == Qt::Key_End)
    set_follow(true);
  else
    QAbstractScrollArea::keyPressEvent(event);
}

// What is on screen, as plain text.
QString LogView::copied_text() const {
  QStringList lines;
  const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
  const auto end = std::min(m_rows.size(), first + static_cast<std::size_t>(viewport()->height() / row_height));
  for (std::size_t i = first; i < end; ++i) {
    const LogRows::Row& row = m_rows[i];
    const QString time = row.kind == LogRows::Row::Kind::first ? format::clock_millis(m_started + m_rows.line(row).up)
                                                               : QString(12, QLatin1Char(' '));
    lines << time + QStringLiteral("  ") + m_rows.text(row);
  }
  return lines.join(QLatin1Char('\n'));
}

void LogView::paintEvent(QPaintEvent*) {
  QPainter p(viewport());
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF r = viewport()->rect();
  p.fillRect(r, Theme::current().surface);
  const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
  for (std::size_t i = first; i < m_rows.size(); ++i) {
    const qreal y = static_cast<qreal>(i - first) * row_height;
    if (y > r.bottom()) break;
    paint_row(p, i, y);
  }
  paint_ruler(p);
}

void LogView::paint_row(QPainter& p, std::size_t i, qreal y) const {
  const Theme& t = Theme::current();
  const LogRows::Row& row = m_rows[i];
  const qreal right = viewport()->width() - ruler_width;
  const model::LogLine& line = m_rows.line(row);
  if (row.kind == LogRows::Row::Kind::gap) {
    const auto [from, to] = m_rows.around(row);
    const QString words = tr("%1 lost on the way, %2 to %3")
                              .arg(format::things(row.lost, tr("line"), tr("lines")),
                                   format::clock_seconds(m_started + from), format::clock_seconds(m_started + to));
    const QColor color = t.text(State::no_contact);
    QPen dashes(t.fill(State::no_contact), 1, Qt::CustomDashLine);
    dashes.setDashPattern({4, 3});
    const qreal middle = y + row_height / 2.0 + 0.5;
    p.setPen(dashes);
    p.drawLine(QPointF(time_at, middle), QPointF(icon_at - 8, middle));
    paint_icon(p, QRectF(icon_at, y + 3, 14, 14), QStringLiteral("gap"), color);
    const qreal width = paint::number(p, QRectF(text_at, y, right - text_at, row_height), words,
                                      type::ui(type::small, QFont::Medium), color, Qt::AlignLeft);
    p.setPen(dashes);
    p.drawLine(QPointF(text_at + width + 12, middle), QPointF(right - 12, middle));
    return;
  }
  const bool error = line.level >= LogLevel::error, warning = line.level == LogLevel::warning;
  const State tone = error ? State::failed : State::stalled;
  if (error) p.fillRect(QRectF(0, y, right, row_height), t.tint(State::failed));
  if (error || warning) p.fillRect(QRectF(0, y, 2, row_height), t.fill(tone));
  if (row.kind == LogRows::Row::Kind::first) {
    const QString time = format::clock_millis(m_started + line.up);
    const QFont small = type::ui(type::small);
    const QString seconds = time.left(8), millis = time.mid(8);
    paint::number(p, QRectF(time_at, y, 64, row_height), seconds, small, t.text2, Qt::AlignLeft);
    paint::number(p, QRectF(time_at + paint::number_width(small, seconds), y, 40, row_height), millis, small, t.text3,
                  Qt::AlignLeft);
    if (error || warning)
      paint_icon(p, QRectF(icon_at, y + 3, 14, 14), error ? QStringLiteral("error") : QStringLiteral("warning"),
                 t.text(tone));
  }
  const QString text = m_rows.text(row);
  paint_hits(p, i, text, text_at, y);
  const QColor color = line.level == LogLevel::debug          ? t.text3
                       : row.kind == LogRows::Row::Kind::more ? t.text2
                                                              : t.text1;
  paint::text(p, QRectF(text_at, y, right - text_at - 12, row_height), text, type::mono(), color);
}

void LogView::paint_hits(QPainter& p, std::size_t i, const QString& text, qreal x, qreal y) const {
  if (m_search.isEmpty()) return;
  const Theme& t = Theme::current();
  const QFontMetricsF metrics(type::mono());
  const bool current = !m_hits.empty() && m_hits[m_current_hit] == i;
  for (qsizetype at = text.indexOf(m_search, 0, Qt::CaseInsensitive); at >= 0;
       at = text.indexOf(m_search, at + m_search.size(), Qt::CaseInsensitive)) {
    const QRectF hit(x + metrics.horizontalAdvance(text.left(at)) - 1, y + 2,
                     metrics.horizontalAdvance(text.mid(at, m_search.size())) + 2, 16);
    paint::rounded(p, hit, 2, current ? t.hit_current : t.hit, current ? t.text1 : QColor());
  }
}

void LogView::paint_ruler(QPainter& p) const {
  const Theme& t = Theme::current();
  const QRectF r(viewport()->width() - ruler_width, 0, ruler_width, viewport()->height());
  p.fillRect(r, t.sunken);
  if (m_rows.size() == 0) return;
  const auto mark = [&](std::size_t row, const QColor& color) {
    p.fillRect(
        QRectF(r.left() + 2,
               std::min(r.height() - 2, r.height() * static_cast<qreal>(row) / static_cast<qreal>(m_rows.size())), 8,
               2),
        color);
  };
  std::size_t marks = 0;
  for (std::size_t i = m_rows.size(); i-- > 0 && marks < marks_shown;) {
    const LogRows::Row& row = m_rows[i];
    if (row.kind == LogRows::Row::Kind::more) continue;
    const LogLevel level = m_rows.line(row).level;
    if (row.kind == LogRows::Row::Kind::gap)
      mark(i, t.fill(State::no_contact));
    else if (level >= LogLevel::error)
      mark(i, t.fill(State::failed));
    else if (level == LogLevel::warning)
      mark(i, t.fill(State::stalled));
    else
      continue;
    ++marks;
  }
  for (std::size_t i = 0; i < std::min(m_hits.size(), marks_shown); ++i) mark(m_hits[i], t.hit_current);
}

}  // namespace macaw::widgets
