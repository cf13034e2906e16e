// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/job_line.hpp"

#include <QStringList>
#include <algorithm>

#include "widgets/format/format.hpp"
#include "widgets/theme/icons.hpp"

namespace macaw::widgets {

using model::State;

namespace {

QString best_known(const model::Job& job, const Moment& now, const std::vector<model::JobPtr>& children) {
  if (job.state == State::ended_early)
    if (const model::Bar* bar = job.main_bar(); bar && bar->total)
      return QStringLiteral("%1 of %2").arg(format::count(bar->n), format::count(*bar->total));
  if (model::is_terminal(job.state)) return format::compact(job.elapsed(now.monotonic));
  const model::Bar* bar = job.main_bar();
  if (!children.empty() && !bar) {
    const auto done =
        std::count_if(children.begin(), children.end(), [](const auto& c) { return model::is_terminal(c->state); });
    return QStringLiteral("%1 of %2").arg(done).arg(children.size());
  }
  if (!bar) return {};
  if (const auto done = format::fraction(*bar)) {
    if (*done > 1) return QStringLiteral("%1 of %2").arg(format::count(bar->n), format::count(*bar->total));
    if (!children.empty()) return QStringLiteral("%1 of %2").arg(format::count(bar->n), format::count(*bar->total));
    return format::percent(*done);
  }
  const QString unit = QString::fromStdString(bar->unit);
  if (unit == QLatin1String("B")) return format::bytes(format::to_double(bar->n)).text();
  return unit.isEmpty() ? format::count(bar->n) : format::count(bar->n) + QLatin1Char(' ') + unit;
}

QString what_comes_next(const model::Job& job, const Moment& now) {
  if (model::is_terminal(job.state)) return format::clock(ended_unix(job), now.unix_time);
  if (job.state == State::no_contact)
    return QStringLiteral("silent for ") + format::roughly_compact(std::max(0.0, now.monotonic - job.heard));
  if (job.state == State::stalled) {
    const auto still = still_for(job, now);
    return still ? QStringLiteral("still for ") + format::roughly_compact(*still) : QString();
  }
  const model::Bar* bar = job.main_bar();
  if (!bar) return {};
  if (!bar->total) return QStringLiteral("no total");
  if (format::fraction(*bar).value_or(0) > 1) return QStringLiteral("past its total");
  if (bar->state != model::BarState::running) return {};
  return bar->eta ? format::left_compact(bar->eta) + QStringLiteral(" left") : QString();
}

}  // namespace

QString job_name(const model::Job& job) {
  const QString name = job.identity ? QString::fromStdString(job.identity->name).simplified() : QString();
  return name.isEmpty() ? QStringLiteral("Unnamed job") : name;
}

std::optional<double> open_for(const model::Job& job, const model::Stage& stage, const Moment& now) {
  if (!stage.open || !stage.since) return std::nullopt;
  // A stage that usually takes less than a second may well have closed since the last report: count up to that only.
  const bool surely_open = stage.count == 0 || stage.avg() >= 1;
  return *stage.since + std::max(0.0, (surely_open ? job.elapsed(now.monotonic) : job.up) - stage.told);
}

std::optional<double> still_for(const model::Job& job, const Moment& now) {
  std::optional<double> youngest;
  for (const auto& stage : job.stages)
    if (const auto age = open_for(job, *stage, now)) youngest = std::min(youngest.value_or(*age), *age);
  return youngest;
}

std::optional<double> job_progress(const model::Job& job, const std::vector<model::JobPtr>& children) {
  if (const model::Bar* bar = job.main_bar()) {
    const auto done = format::fraction(*bar);
    return done ? std::optional(std::min(1.0, *done)) : std::nullopt;
  }
  if (children.empty()) return std::nullopt;
  double sum = 0;
  for (const auto& child : children) sum += model::is_terminal(child->state) ? 1.0 : job_progress(*child).value_or(0);
  return sum / static_cast<double>(children.size());
}

JobLine job_line(const model::Job& job, const Moment& now, const std::vector<model::JobPtr>& children) {
  JobLine line;
  line.state = job.state;
  line.name = job_name(job);
  line.best = best_known(job, now, children);
  line.next = what_comes_next(job, now);
  QStringList about;
  if (job.identity && !job.identity->host.empty()) about << QString::fromStdString(job.identity->host);
  // Those that need a look drop the elapsed time first: what went wrong matters more.
  if (job.state == State::running) about << format::roughly_compact(job.elapsed(now.monotonic));
  line.about = about.join(QStringLiteral("  ·  "));
  line.progress_shown =
      job.state != State::finished && job.state != State::interrupted && (job.main_bar() || !children.empty());
  line.progress = job_progress(job, children);
  QStringList sentence{line.name, state_word(job.state)};
  for (const QString& part : {line.best, about.join(QStringLiteral(", ")), line.next})
    if (!part.isEmpty()) sentence << part;
  line.sentence = sentence.join(QStringLiteral(", "));
  return line;
}

}  // namespace macaw::widgets
