// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/overview/rows.hpp"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <functional>

#include "widgets/models/job_line.hpp"
#include "widgets/theme/icons.hpp"

namespace macaw::widgets {

using model::State;

namespace {

constexpr std::size_t sparkline_points = 60;

State color_of(const model::Job& job, const model::Bar& bar) {
  if (job.state == State::finished || bar.state == model::BarState::done)
    return job.state == State::failed ? State::failed : State::running;
  return job.state;
}

BarRow bar_row(const model::Job& job, const model::Bar& bar) {
  BarRow row;
  row.desc = bar.desc.empty() ? QStringLiteral("progress") : QString::fromStdString(bar.desc).simplified();
  const QString unit = QString::fromStdString(bar.unit);
  const bool in_bytes = unit == QLatin1String("B");
  const auto amount = [in_bytes](const model::Number& n) {
    return in_bytes ? format::bytes(format::to_double(n)).text() : format::count(n);
  };
  row.n = amount(bar.n);
  if (bar.total) row.of = amount(*bar.total);
  if (bar.rate) row.rate = format::rate(*bar.rate, in_bytes ? unit : QString()).text();
  row.track = paint::track_of(bar);
  // However much there was to do, it is done.
  if (bar.state == model::BarState::done && !bar.total) row.track = {paint::Track::Kind::known, 1, 0};
  row.over_run = row.track.kind == paint::Track::Kind::over_run;
  row.color = color_of(job, bar);
  if (row.over_run)
    row.left =
        QLatin1Char('+') + format::count(model::Number{format::to_double(bar.n) - format::to_double(*bar.total)});
  else if (bar.state == model::BarState::done || (bar.total && format::fraction(bar).value_or(0) >= 1))
    row.left = QStringLiteral("done");
  else if (!bar.total)
    row.left = QStringLiteral("no total");
  else if (bar.state == model::BarState::running && !model::is_terminal(job.state))
    row.left = format::left_compact(bar.eta);
  return row;
}

}  // namespace

std::vector<BarRow> bar_rows(const model::Job& job) {
  std::vector<BarRow> rows;
  // A parent always appeared before its children, so that a chain of parents ends.
  const std::function<void(std::optional<std::uint64_t>, int, std::size_t)> add = [&](auto parent, int depth,
                                                                                      std::size_t parent_row) {
    for (const auto& bar : job.bars) {
      const bool known_parent = bar->parent && *bar->parent != bar->id &&
                                std::any_of(job.bars.begin(), job.bars.end(),
                                            [&bar](const auto& other) { return other->id == *bar->parent; });
      if ((known_parent ? bar->parent : std::nullopt) != parent) continue;
      if (rows.size() >= job.bars.size()) return;
      rows.push_back(bar_row(job, *bar));
      const std::size_t mine = rows.size() - 1;
      rows[mine].depth = depth;
      rows[mine].rows_to_parent = static_cast<int>(mine - parent_row);
      add(bar->id, depth + 1, mine);
    }
  };
  add(std::nullopt, 0, 0);
  return rows;
}

std::vector<OpenRow> open_rows(const model::Job& job, const Moment& now) {
  std::vector<OpenRow> rows;
  for (const auto& stage : job.stages) {
    if (!stage->open) continue;
    OpenRow row;
    row.depth = static_cast<int>(stage->path.size()) - 1;
    row.name = QString::fromStdString(stage->path.back());
    row.note = QString::fromStdString(stage->note).simplified();
    const auto age = open_for(job, *stage, now);
    if (age) row.age = format::age(*age);
    if (stage->count > 0 && stage->avg() > 0) {
      const double usual = stage->avg();
      row.has_usual = true;
      row.usual = usual < 1 ? format::measured(usual).text() : format::compact(usual);
      row.of_twice_usual = age.value_or(0) / (2 * usual);
      row.slow = row.of_twice_usual > 1;
    }
    rows.push_back(std::move(row));
  }
  int top = std::numeric_limits<int>::max();
  for (const OpenRow& row : rows) top = std::min(top, row.depth);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].innermost = i + 1 == rows.size() || rows[i + 1].depth <= rows[i].depth;
    rows[i].depth -= top;
  }
  return rows;
}

std::vector<WorkerRow> worker_rows(const JobView& view) {
  std::vector<WorkerRow> rows;
  for (const auto& child : view.children) {
    WorkerRow row;
    row.state = child->state;
    row.name = job_name(*child);
    if (child->identity) {
      row.where = QString::fromStdString(child->identity->host);
      if (child->identity->pid) row.where += QStringLiteral(" : %1").arg(*child->identity->pid);
    }
    QString stage;
    for (const auto& s : child->stages)
      if (s->open) stage = QString::fromStdString(s->path.back());
    const QString word = state_word(child->state);
    row.stage = child->state == State::running ? stage
                : stage.isEmpty()              ? word
                                               : QStringLiteral("%1, last in %2").arg(word, stage);
    row.progress = job_progress(*child);
    const model::Bar* bar = child->main_bar();
    row.rate = bar && bar->rate && child->state == State::running ? format::rate(*bar->rate).text() : format::unknown;
    const double silent = view.now.monotonic - child->heard;
    row.heard = model::is_terminal(child->state) ? format::clock(ended_unix(*child), view.now.unix_time)
                : silent < 3                     ? QStringLiteral("now")
                                                 : format::roughly_compact(silent);
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return rows;
}

std::vector<double> recent_values(const model::Metric& metric, std::size_t count) {
  std::vector<double> values;
  for (auto chunk = metric.chunks.rbegin(); chunk != metric.chunks.rend() && values.size() < count; ++chunk)
    for (auto point = (*chunk)->rbegin(); point != (*chunk)->rend() && values.size() < count; ++point)
      values.push_back(format::as_curve(point->value));
  std::reverse(values.begin(), values.end());
  return values;
}

std::vector<MetricRow> metric_rows(const model::Job& job) {
  std::vector<MetricRow> rows;
  for (const auto& metric : job.metrics) {
    MetricRow row;
    row.name = QString::fromStdString(metric->name).simplified();
    row.value = format::metric(metric->latest.value);
    row.finite = format::is_finite(metric->latest.value);
    const bool numeric = !std::holds_alternative<bool>(metric->latest.value) &&
                         !std::holds_alternative<std::string>(metric->latest.value);
    if (numeric) row.curve = recent_values(*metric, sparkline_points);
    rows.push_back(std::move(row));
  }
  return rows;
}

QString latest_step(const model::Job& job) {
  const model::Metric* newest = nullptr;
  for (const auto& metric : job.metrics)
    if (metric->latest.step && (!newest || metric->latest.up > newest->latest.up)) newest = metric.get();
  return newest ? format::step(*newest->latest.step) : QString();
}

std::vector<UsageRow> usage_rows(const model::Job& job) {
  std::vector<UsageRow> rows;
  if (!job.usage) return rows;
  const model::Usage& usage = *job.usage;
  if (usage.cpu_rate)
    rows.push_back(
        {QStringLiteral("CPU"), {QLocale().toString(*usage.cpu_rate, 'f', 1), QStringLiteral("cores")}, {}, -1, -1});
  if (usage.rss) {
    UsageRow row{QStringLiteral("Memory"), format::bytes(static_cast<double>(*usage.rss)), {}, -1, -1};
    if (usage.peak && *usage.peak > 0) {
      row.peak = format::bytes(static_cast<double>(*usage.peak)).text();
      row.share = static_cast<double>(*usage.rss) / static_cast<double>(*usage.peak);
      row.peak_share = 1;
    }
    rows.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < usage.gpu.size(); ++i)
    rows.push_back({usage.gpu.size() == 1 ? QStringLiteral("GPU") : QStringLiteral("GPU %1").arg(i),
                    {QLocale().toString(usage.gpu[i] * 100, 'f', 0), QStringLiteral("%")},
                    {},
                    usage.gpu[i],
                    -1});
  if (usage.threads)
    rows.push_back({QStringLiteral("Threads"), {format::exact(model::Number{*usage.threads}), {}}, {}, -1, -1});
  return rows;
}

}  // namespace macaw::widgets
