// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/overview/sections.hpp"

#include <algorithm>

#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::widgets {

using model::State;

namespace {

constexpr qreal head = paint::section_head_height, icon_size = 13, indent = 16;
constexpr int bar_height = 28, row_height = 24, metric_height = 28, log_height = 20, link_height = 24;
// The right-hand columns of the left half: done, rate, left; or age, usual.
constexpr qreal columns = 246, last_column = 66, middle_column = 72;
constexpr std::size_t metrics_shown = 7, log_lines_shown = 6;

void column_head(QPainter& p, qreal from, qreal to, const QString& word) {
  paint::text(p, QRectF(from, 0, to - from, 20), word, type::ui(type::caption), Theme::current().text3, Qt::AlignRight);
}

bool has_ended(const JobView& view) { return model::is_terminal(view.job->state); }

QString when_over(const JobView& view, const QString& running, const QString& what) {
  if (view.job->state == State::failed) return what + QStringLiteral(" when it failed");
  if (view.job->state == State::interrupted) return what + QStringLiteral(" when it stopped");
  return running;
}

QColor series_color() { return Theme::current().series.front(); }

}  // namespace

void Section::take_height(int content) {
  setVisible(content > 0);
  if (content > 0 && content != height()) setFixedHeight(content);
  update();
}

// ---- time line

void TimeLine::show_job(const JobView& view) {
  const model::Job& job = *view.job;
  const model::Bar* bar = job.main_bar();
  const double elapsed = job.elapsed(view.now.monotonic);
  m_state = job.state;
  m_open = !has_ended(view);
  m_start = QStringLiteral("Started ") + format::clock(job.started, view.now.unix_time);
  m_filled = 1;
  m_likely_from = 1;
  m_end_known = false;
  if (!m_open) {
    m_now.clear();
    m_end = QStringLiteral("Ended ") + format::clock(ended_unix(job), view.now.unix_time);
  } else if (job.state == State::no_contact) {
    m_now = QStringLiteral("Last heard ") + format::clock(view.now.wall(job.heard), view.now.unix_time);
    m_end = QStringLiteral("No end known");
    m_filled = elapsed > 0 ? elapsed / (elapsed + view.now.monotonic - job.heard) : 0;
  } else {
    m_now = QStringLiteral("Now ") + format::clock(view.now.unix_time, view.now.unix_time);
    const auto eta = bar ? bar->eta : std::nullopt;
    const auto range = bar ? bar->eta_range : std::nullopt;
    m_end = format::ends(view.now.unix_time, eta, range);
    m_end_known = eta && *eta >= 0;
    if (m_end_known) {
      const double whole = elapsed + std::max(*eta, range ? range->second : *eta);
      m_filled = whole > 0 ? elapsed / whole : 0;
      if (range && whole > 0) m_likely_from = std::max(m_filled, (elapsed + range->first) / whole);
    } else {
      m_filled = 0.5;  // there is no scale: what has passed takes the first half
    }
  }
  setAccessibleName(QStringList{m_start, m_now, m_end}.join(QStringLiteral(", ")));
  const bool told_by_reason = job.state == State::failed || job.state == State::ended_early;
  take_height(told_by_reason ? 0 : 50);
}

void TimeLine::paint(QPainter& p, const QRectF& r) {
  const Theme& t = Theme::current();
  const QFont small = type::ui(type::small), strong = type::ui(type::small, QFont::Medium);
  const QRectF line(r.left(), 22, r.width(), 8);
  paint::bar(p, line, {paint::Track::Kind::known, m_filled, 0}, t.fill(m_state));
  if (m_end_known && m_likely_from < 1) {
    QColor soft = t.fill(m_state);
    soft.setAlphaF(0.6F);
    paint::hatch(p, line.adjusted(line.width() * m_likely_from, 0, 0, 0), soft);
  }
  const QRectF labels(r.left(), 0, r.width(), 18);
  const qreal end = paint::number(p, labels, m_end, small, t.text2);
  const qreal start = paint::number(p, labels, m_start, small, t.text2, Qt::AlignLeft);
  if (!m_open) return;
  const qreal x = line.left() + line.width() * m_filled;
  p.fillRect(QRectF(x - 0.75, line.top() - 4, 1.5, line.height() + 8), t.text1);
  // The word stands left of its mark, but never on the words at the ends.
  const qreal width = paint::number_width(strong, m_now);
  const qreal right =
      std::clamp(x, r.left() + start + 16 + width, std::max(r.left() + start + 16 + width, r.right() - end - 16));
  if (start + width + end + 32 < r.width())
    paint::number(p, QRectF(right - width, 0, width + 0.75, 18), m_now, strong, t.text1);
}

// ---- reason

ReasonBox::ReasonBox(QWidget* parent) : Section(parent), m_link(new LinkButton(tr("Show in log"), this)) {
  connect(m_link, &LinkButton::clicked, this, &ReasonBox::show_log);
}

void ReasonBox::show_job(const JobView& view) {
  m_reason = reason(*view.job, view.now);
  if (!m_reason) {
    take_height(0);
    return;
  }
  setAccessibleName(m_reason->title + QStringLiteral(". ") + m_reason->what + QLatin1Char(' ') + m_reason->before);
  setToolTip(m_reason->title.size() > 100 ? m_reason->title : QString());
  m_link->setVisible(view.job->log && view.job->log->lines > 0);
  take_height(24 + 24 + (m_reason->what.isEmpty() ? 0 : 22) + (m_reason->before.isEmpty() ? 0 : 22) + 16);
}

void ReasonBox::resizeEvent(QResizeEvent*) {
  m_link->resize(m_link->sizeHint());
  m_link->move(width() - m_link->width() - 14, height() - 16 - m_link->height() - 10);
}

void ReasonBox::paint(QPainter& p, const QRectF& r) {
  if (!m_reason) return;
  const Theme& t = Theme::current();
  constexpr qreal left = 46;
  const QRectF box = r.adjusted(0, 2, 0, -16);
  paint::rounded(p, box, 6, t.tint(m_reason->state));
  paint_icon(p, QRectF(box.left() + 16, box.top() + 14, 18, 18), state_icon(m_reason->state), t.text(m_reason->state));
  const qreal width = box.width() - left - 16;
  qreal y = box.top() + 11;
  paint::number(p, QRectF(left, y, width, 24), m_reason->title, type::ui(type::title, QFont::DemiBold), t.text1,
                Qt::AlignLeft);
  y += 25;
  for (const auto& [line, color] : {std::pair{m_reason->what, t.text1}, {m_reason->before, t.text2}}) {
    if (line.isEmpty()) continue;
    const bool beside_link = y + 24 > m_link->y() && m_link->isVisibleTo(this);
    paint::number(p, QRectF(left, y, width - (beside_link ? m_link->width() + 12 : 0), 20), line, type::ui(type::body),
                  color, Qt::AlignLeft);
    y += 22;
  }
}

// ---- bars

void ProgressSection::show_job(const JobView& view) {
  m_title = when_over(view, tr("Progress"), tr("Progress"));
  m_rows = bar_rows(*view.job);
  QStringList sentences;
  for (const BarRow& row : m_rows)
    sentences << QStringList{row.desc, row.of.isEmpty() ? row.n : tr("%1 of %2").arg(row.n, row.of), row.rate, row.left}
                     .join(QStringLiteral(", "));
  setAccessibleName(m_title);
  setAccessibleDescription(sentences.join(QStringLiteral("; ")));
  take_height(m_rows.empty() ? 0 : static_cast<int>(head) + bar_height * static_cast<int>(m_rows.size()) + 12);
}

void ProgressSection::paint(QPainter& p, const QRectF& r) {
  const Theme& t = Theme::current();
  const QFont small = type::ui(type::small), strong = type::ui(type::small, QFont::Medium);
  const qreal rate_from = r.right() - last_column - middle_column, left_from = r.right() - last_column;
  paint::section_head(p, r, m_title);
  column_head(p, r.right() - columns, rate_from, tr("done"));
  column_head(p, rate_from, left_from, tr("rate"));
  column_head(p, left_from, r.right(), tr("left"));

  qreal y = head;
  for (const BarRow& row : m_rows) {
    const QRectF line(r.left(), y, r.width(), bar_height);
    const qreal x = line.left() + std::min(row.depth, 8) * indent;
    if (row.depth > 0) paint::guide(p, line, x, row.rows_to_parent * bar_height - bar_height + 6);
    const qreal n_width = row.of.isEmpty() ? paint::number_width(strong, row.n)
                                           : paint::number_width(strong, row.n) +
                                                 paint::number_width(small, QStringLiteral(" / ") + row.of);
    const qreal track_from = line.left() + std::min(150.0, line.width() * 0.28);
    const qreal track_to = std::min(line.right() - columns, rate_from - n_width - 12);
    paint::text(p, QRectF(x, y, track_from - x - 10, bar_height), row.desc,
                type::ui(type::body, row.depth ? QFont::Normal : QFont::Medium), t.text1, Qt::AlignLeft,
                Qt::ElideMiddle);
    if (track_to - track_from > 24)
      paint::bar(p, QRectF(track_from, line.center().y() - 4, track_to - track_from, 8), row.track, t.fill(row.color));
    QRectF done(track_to, y, rate_from - track_to, bar_height);
    if (!row.of.isEmpty())
      done.adjust(0, 0, -paint::number(p, done, QStringLiteral(" / ") + row.of, small, t.text3), 0);
    paint::number(p, done, row.n, strong, t.text1);
    paint::number(p, QRectF(rate_from, y, middle_column, bar_height), row.rate, small, t.text2);
    paint::number(p, QRectF(left_from, y, last_column, bar_height), row.left, small,
                  row.over_run ? t.warning() : t.text2);
    y += bar_height;
  }
}

// ---- now

void NowSection::show_job(const JobView& view) {
  m_running = !has_ended(view);
  m_title = m_running ? tr("Now") : when_over(view, tr("Stages left open"), tr("Stages open"));
  m_rows = open_rows(*view.job, view.now);
  QStringList sentences;
  for (const OpenRow& row : m_rows) sentences << QStringList{row.name, row.age}.join(QStringLiteral(", "));
  setAccessibleName(m_title);
  setAccessibleDescription(sentences.join(QStringLiteral("; ")));
  const bool between = m_running && m_rows.empty() && !view.job->stages.empty();
  const auto rows = static_cast<int>(m_rows.size());
  take_height(rows || between ? static_cast<int>(head) + row_height * std::max(1, rows) + 12 : 0);
}

void NowSection::paint(QPainter& p, const QRectF& r) {
  const Theme& t = Theme::current();
  const QFont small = type::ui(type::small), strong = type::ui(type::small, QFont::Medium);
  paint::section_head(p, r, m_title);
  if (m_rows.empty()) {
    paint::text(p, QRectF(r.left(), head, r.width(), row_height), tr("Between stages"), type::ui(type::body), t.text3);
    return;
  }
  const bool roomy = r.width() > 440;
  column_head(p, r.right() - 150, r.right() - 70, tr("open for"));
  column_head(p, r.right() - 70, r.right(), tr("usually"));
  qreal y = head;
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    const OpenRow& row = m_rows[i];
    const QRectF line(r.left(), y, r.width(), row_height);
    const qreal x = line.left() + std::min(row.depth, 8) * indent;
    if (row.depth > 0) paint::guide(p, line, x, 6);
    const qreal names_to = r.right() - (roomy ? columns + 12 : 160);
    const qreal name = paint::text(p, QRectF(x, y, names_to - x, row_height), row.name,
                                   type::ui(type::body, row.innermost ? QFont::DemiBold : QFont::Normal), t.text1,
                                   Qt::AlignLeft, Qt::ElideMiddle);
    if (names_to - x - name > 50)
      paint::text(p, QRectF(x + name + 10, y, names_to - x - name - 10, row_height), row.note, small, t.text3);
    if (roomy && row.has_usual)
      paint::meter(p, QRectF(r.right() - columns, line.center().y() - 2, 90, 4), row.of_twice_usual, 0.5,
                   t.fill(row.slow ? State::stalled : State::running));
    paint::number(p, QRectF(r.right() - 150, y, 80, row_height), row.age, strong, row.slow ? t.warning() : t.text1);
    paint::number(p, QRectF(r.right() - 70, y, 70, row_height), row.usual, small, t.text3);
    y += row_height;
  }
}

// ---- workers

void WorkersSection::show_job(const JobView& view) {
  m_rows = worker_rows(view);
  setAccessibleName(tr("Workers"));
  take_height(m_rows.empty() ? 0 : static_cast<int>(head) + row_height * static_cast<int>(m_rows.size()) + 12);
}

void WorkersSection::paint(QPainter& p, const QRectF& r) {
  const Theme& t = Theme::current();
  const QFont small = type::ui(type::small);
  paint::section_head(p, r, tr("Workers"));
  column_head(p, r.right() - 150, r.right() - 70, tr("rate"));
  column_head(p, r.right() - 70, r.right(), tr("heard"));
  const qreal names = std::clamp(r.width() * 0.16, 58.0, 140.0), hosts = 120;
  qreal y = head;
  for (const WorkerRow& row : m_rows) {
    const bool lost = row.state == State::no_contact;
    const bool plain = row.state == State::running || row.state == State::finished;
    paint_icon(p, QRectF(r.left(), y + 5.5, icon_size, icon_size), state_icon(row.state), t.text(row.state));
    paint::text(p, QRectF(r.left() + 22, y, names, row_height), row.name, type::ui(type::body), t.text1, Qt::AlignLeft,
                Qt::ElideMiddle);
    const qreal host_from = r.left() + 22 + names + 8, stage_from = host_from + hosts;
    paint::number(p, QRectF(host_from, y, hosts - 8, row_height), row.where, small, t.text3, Qt::AlignLeft);
    paint::text(p, QRectF(stage_from, y, r.right() - columns - 10 - stage_from, row_height), row.stage, small,
                plain ? t.text2 : t.text(row.state));
    if (row.progress)
      paint::bar(p, QRectF(r.right() - columns, y + 10, 90, 4), {paint::Track::Kind::known, *row.progress, 0},
                 t.fill(row.state));
    paint::number(p, QRectF(r.right() - 150, y, 80, row_height), row.rate, small,
                  row.rate == format::unknown ? t.text3 : t.text2);
    paint::number(p, QRectF(r.right() - 70, y, 70, row_height), row.heard, small, lost ? t.text(row.state) : t.text3);
    y += row_height;
  }
}

// ---- metrics

MetricsSection::MetricsSection(QWidget* parent) : Section(parent), m_more(new LinkButton({}, this)) {
  connect(m_more, &LinkButton::clicked, this, &MetricsSection::show_metrics);
}

void MetricsSection::show_job(const JobView& view) {
  m_title = has_ended(view) ? tr("Last metrics") : tr("Latest metrics");
  m_step = latest_step(*view.job);
  m_rows = metric_rows(*view.job);
  const std::size_t all = m_rows.size(), shown = std::min(all, metrics_shown);
  m_rows.resize(shown);
  QStringList sentences;
  for (const MetricRow& row : m_rows) sentences << row.name + QLatin1Char(' ') + row.value;
  setAccessibleName(m_title);
  setAccessibleDescription(sentences.join(QStringLiteral(", ")));
  const int rows_end = static_cast<int>(head) + metric_height * static_cast<int>(shown);
  m_more->setVisible(all > shown);
  m_more->setText(tr("%1 more").arg(all - shown));
  m_more->setGeometry({{0, rows_end + 2}, m_more->sizeHint()});
  take_height(all == 0 ? 0 : rows_end + (all > shown ? link_height : 0) + 12);
}

void MetricsSection::paint(QPainter& p, const QRectF& r) {
  const Theme& t = Theme::current();
  const QFont value = type::ui(type::body, QFont::Medium);
  paint::section_head(p, r, m_title, m_step);
  qreal y = head;
  for (const MetricRow& row : m_rows) {
    const QRectF line(r.left(), y, r.width(), metric_height);
    const QColor color = row.finite ? t.text1 : t.warning();
    const bool curved = row.curve.size() > 1;
    const qreal name_width = curved ? 92 : r.width() * 0.55;
    paint::text(p, QRectF(line.left(), y, name_width, metric_height), row.name, type::ui(type::body), t.text1,
                Qt::AlignLeft, Qt::ElideMiddle);
    if (curved)
      paint::spark(p, QRectF(line.left() + 100, y + 6, r.width() - 100 - 92, 16), row.curve,
                   row.finite ? series_color() : t.text3);
    const QRectF values(line.left() + (curved ? r.width() - 84 : name_width + 8), y,
                        curved ? 84 : r.width() - name_width - 8, metric_height);
    if (paint::number_width(value, row.value) > values.width())
      paint::text(p, values, row.value, value, color, Qt::AlignRight);
    else
      paint::number(p, values, row.value, value, color);
    if (!row.finite)
      paint_icon(p, QRectF(line.right() - paint::number_width(value, row.value) - 20, y + 7, icon_size, icon_size),
                 QStringLiteral("warning"), color);
    y += metric_height;
  }
}

// ---- usage

void UsageSection::show_job(const JobView& view) {
  m_title = has_ended(view) ? tr("Last usage") : tr("Usage");
  m_rows = usage_rows(*view.job);
  QStringList sentences;
  for (const UsageRow& row : m_rows) sentences << row.name + QLatin1Char(' ') + row.value.text();
  setAccessibleName(m_title);
  setAccessibleDescription(sentences.join(QStringLiteral(", ")));
  take_height(m_rows.empty() ? 0 : static_cast<int>(head) + row_height * static_cast<int>(m_rows.size()) + 12);
}

void UsageSection::paint(QPainter& p, const QRectF& r) {
  const Theme& t = Theme::current();
  const QFont small = type::ui(type::small), strong = type::ui(type::small, QFont::Medium),
              caption = type::ui(type::caption);
  constexpr qreal peak_column = 68, unit_column = 36, value_column = 56;
  paint::section_head(p, r, m_title, tr("peak"));
  qreal y = head;
  for (const UsageRow& row : m_rows) {
    const QRectF line(r.left(), y, r.width(), row_height);
    paint::text(p, QRectF(line.left(), y, 84, row_height), row.name, small, t.text2);
    const qreal unit_from = line.right() - peak_column - unit_column, value_from = unit_from - value_column;
    const qreal meter_from = line.left() + 90, meter_to = value_from - 4;
    if (row.share >= 0 && meter_to - meter_from > 20)
      paint::meter(p, QRectF(meter_from, line.center().y() - 2, meter_to - meter_from, 4), row.share, row.peak_share,
                   t.fill(State::running));
    paint::number(p, QRectF(value_from, y, value_column - 3, row_height), row.value.number, strong, t.text1);
    paint::text(p, QRectF(unit_from, y, unit_column + peak_column, row_height), row.value.unit, caption, t.text3);
    paint::number(p, QRectF(line.right() - peak_column, y, peak_column, row_height), row.peak, small, t.text3);
    y += row_height;
  }
}

// ---- log

LogTailSection::LogTailSection(QWidget* parent) : Section(parent), m_link(new LinkButton(tr("Open log"), this)) {
  connect(m_link, &LinkButton::clicked, this, &LogTailSection::show_log);
}

void LogTailSection::show_job(const JobView& view) {
  m_lines.clear();
  if (const auto& log = view.job->log) {
    for (auto chunk = log->chunks.rbegin(); chunk != log->chunks.rend() && m_lines.size() < log_lines_shown; ++chunk)
      for (auto line = (*chunk)->rbegin(); line != (*chunk)->rend() && m_lines.size() < log_lines_shown; ++line)
        m_lines.push_back({format::clock_seconds(view.job->started + line->up),
                           QString::fromStdString(line->text).section(QLatin1Char('\n'), 0, 0), line->level});
  }
  std::reverse(m_lines.begin(), m_lines.end());
  setAccessibleName(tr("Latest log"));
  take_height(m_lines.empty() ? 0 : static_cast<int>(head) + log_height * static_cast<int>(m_lines.size()) + 12);
}

void LogTailSection::resizeEvent(QResizeEvent*) {
  m_link->resize(m_link->sizeHint());
  m_link->move(width() - m_link->width(), 0);
}

void LogTailSection::paint(QPainter& p, const QRectF& r) {
  const Theme& t = Theme::current();
  const QFont small = type::ui(type::small);
  paint::section_head(p, r, tr("Latest log"));
  qreal y = head;
  for (const Line& line : m_lines) {
    using model::LogLevel;
    const bool bad = line.level >= LogLevel::error;
    paint::number(p, QRectF(r.left(), y, 64, log_height), line.time, small, t.text3, Qt::AlignLeft);
    if (line.level >= LogLevel::warning)
      paint_icon(p, QRectF(r.left() + 68, y + 3, icon_size, icon_size),
                 bad ? QStringLiteral("error") : QStringLiteral("warning"), bad ? t.text(State::failed) : t.warning());
    paint::text(p, QRectF(r.left() + 88, y, r.width() - 88, log_height), line.text, small,
                line.level == LogLevel::debug ? t.text3 : t.text1);
    y += log_height;
  }
}

}  // namespace macaw::widgets
