// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/overview/reason.hpp"

#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <map>

#include "widgets/format/format.hpp"
#include "widgets/models/job_line.hpp"

namespace macaw::widgets {

using model::State;

namespace {

QString progress_phrase(const model::Job& job) {
  const model::Bar* bar = job.main_bar();
  if (!bar) return {};
  const QString desc = bar->desc.empty() ? QStringLiteral("progress") : QString::fromStdString(bar->desc).simplified();
  return bar->total ? QStringLiteral("%1 %2 of %3").arg(desc, format::count(bar->n), format::count(*bar->total))
                    : QStringLiteral("%1 %2").arg(desc, format::count(bar->n));
}

QString memory_phrase(const model::Job& job) {
  if (!job.usage || !job.usage->rss) return {};
  return QStringLiteral("Memory was at %1.").arg(format::bytes(static_cast<double>(*job.usage->rss)).text());
}

QString first_nonfinite_phrase(const model::Job& job) {
  const model::Metric* first = nullptr;
  for (const auto& metric : job.metrics)
    if (metric->first_nonfinite && (!first || metric->first_nonfinite->up < first->first_nonfinite->up))
      first = metric.get();
  if (!first) return {};
  const model::Point& point = *first->first_nonfinite;
  QString text = QStringLiteral("The metric %1 first became %2")
                     .arg(QString::fromStdString(first->name), format::metric(point.value));
  if (point.step) text += QStringLiteral(" at ") + format::step(*point.step);
  const double earlier = job.ended.value_or(job.up) - point.up;
  if (earlier > 0)
    text +=
        QStringLiteral(", %1 earlier").arg(earlier < 60 ? format::measured(earlier).text() : format::duration(earlier));
  return text + QLatin1Char('.');
}

Reason failed(const model::Job& job, const QString& ran_for) {
  Reason r{State::failed, {}, {}, {}};
  if (job.error) {
    const QString type = QString::fromStdString(job.error->type),
                  message = QString::fromStdString(job.error->message).simplified();
    r.title = message.isEmpty() ? type : type.isEmpty() ? message : type + QStringLiteral(": ") + message;
    const auto calls = frames(QString::fromStdString(job.error->traceback));
    const auto own = std::find_if(calls.rbegin(), calls.rend(), [](const Frame& f) { return !f.library; });
    QStringList where;
    if (own != calls.rend() && own->function != QLatin1String("<module>")) where << own->function;
    if (const QString at = progress_phrase(job); !at.isEmpty()) where << at;
    if (!where.isEmpty()) r.what = QStringLiteral("Raised in %1. ").arg(where.join(QStringLiteral(", ")));
    r.what += job.exit_code ? QStringLiteral("Exit code %1 after %2.").arg(*job.exit_code).arg(ran_for)
                            : QStringLiteral("It ran for %1.").arg(ran_for);
    r.before = first_nonfinite_phrase(job);
  } else if (job.exit_signal) {
    r.title = QStringLiteral("Killed by %1 after %2").arg(signal_name(*job.exit_signal), ran_for);
    if (const QString at = progress_phrase(job); !at.isEmpty()) r.what = QStringLiteral("It had reached %1.").arg(at);
    r.before = memory_phrase(job);
  } else {
    r.title = job.exit_code ? QStringLiteral("Exit code %1 after %2").arg(*job.exit_code).arg(ran_for)
                            : QStringLiteral("Failed after %1").arg(ran_for);
    if (const QString at = progress_phrase(job); !at.isEmpty()) r.what = QStringLiteral("It had reached %1.").arg(at);
  }
  if (r.title.isEmpty()) r.title = QStringLiteral("Failed after %1").arg(ran_for);
  return r;
}

}  // namespace

QString signal_name(std::int64_t signal) {
  static const std::map<std::int64_t, QString> names{
      {1, QStringLiteral("SIGHUP")},   {2, QStringLiteral("SIGINT")},  {3, QStringLiteral("SIGQUIT")},
      {4, QStringLiteral("SIGILL")},   {6, QStringLiteral("SIGABRT")}, {7, QStringLiteral("SIGBUS")},
      {8, QStringLiteral("SIGFPE")},   {9, QStringLiteral("SIGKILL")}, {11, QStringLiteral("SIGSEGV")},
      {13, QStringLiteral("SIGPIPE")}, {15, QStringLiteral("SIGTERM")}};
  const auto found = names.find(signal);
  return found == names.end() ? QStringLiteral("signal %1").arg(signal) : found->second;
}

std::optional<Reason> reason(const model::Job& job, const Moment& now) {
  const QString ran_for = format::duration(job.elapsed(now.monotonic));
  const model::Bar* bar = job.main_bar();
  switch (job.state) {
    case State::running:
    case State::finished: return std::nullopt;
    case State::failed: return failed(job, ran_for);
    case State::stalled: {
      const auto still = still_for(job, now);
      Reason r{job.state,
               still ? QStringLiteral("No progress for %1").arg(format::roughly(*still))
                     : QStringLiteral("No progress for a while"),
               {},
               {}};
      if (bar && bar->rate && *bar->rate > 0)
        r.what = QStringLiteral("A step usually takes %1. ").arg(format::measured(1 / *bar->rate).text());
      r.what += QStringLiteral("The process is alive");
      if (job.usage && job.usage->cpu_rate)
        r.what += QStringLiteral(" and uses %1 cores").arg(QLocale().toString(*job.usage->cpu_rate, 'f', 1));
      r.what += QLatin1Char('.');
      return r;
    }
    case State::no_contact:
      return Reason{job.state,
                    QStringLiteral("Last heard %1 ago").arg(format::roughly(std::max(0.0, now.monotonic - job.heard))),
                    QStringLiteral("The job may still run; it comes back here by itself."),
                    {}};
    case State::interrupted: {
      const QString how = job.exit_signal && *job.exit_signal != 2
                              ? QStringLiteral("Stopped by ") + signal_name(*job.exit_signal)
                              : QStringLiteral("Stopped with Ctrl-C");
      const auto done = bar ? format::fraction(*bar) : std::nullopt;
      return Reason{job.state,
                    done ? QStringLiteral("%1 at %2").arg(how, format::percent(*done)) : how,
                    QStringLiteral("It ran for %1.").arg(ran_for),
                    {}};
    }
    case State::ended_early: {
      const QString only =
          bar && bar->total
              ? QStringLiteral("Only %1 of %2 were done").arg(format::count(bar->n), format::count(*bar->total))
              : QStringLiteral("It ended before its work was done");
      return Reason{job.state, only, QStringLiteral("Exit code 0 after %1.").arg(ran_for), {}};
    }
  }
  return std::nullopt;
}

QString Frame::place() const {
  const QStringList parts = file.split(QLatin1Char('/'), Qt::SkipEmptyParts);
  return QStringList(parts.mid(std::max<qsizetype>(0, parts.size() - 2))).join(QLatin1Char('/')) +
         QStringLiteral(":%1").arg(line);
}

QString Frame::package() const {
  static const QRegularExpression installed(QStringLiteral("(?:site|dist)-packages/(.*)$")),
      standard(QStringLiteral("/python[0-9.]+/(.*)$"));
  auto match = installed.match(file);
  if (!match.hasMatch()) match = standard.match(file);
  QStringList parts = match.captured(1).split(QLatin1Char('/'), Qt::SkipEmptyParts);
  if (parts.isEmpty()) return QStringLiteral("a library");
  if (parts.size() == 1) return parts[0].section(QLatin1Char('.'), 0, 0);
  parts.removeLast();
  return QStringList(parts.mid(0, 2)).join(QLatin1Char('.'));
}

std::vector<Frame> frames(const QString& traceback) {
  static const QRegularExpression head(QStringLiteral("^  File \"(.+)\", line (\\d+)(?:, in (.+))?$"));
  static const QRegularExpression library(QStringLiteral("site-packages|dist-packages|/lib/python\\d|^<frozen"));
  std::vector<Frame> result;
  const QStringList lines = traceback.split(QLatin1Char('\n'));
  for (qsizetype i = 0; i < lines.size(); ++i) {
    const auto match = head.match(lines[i]);
    if (!match.hasMatch()) continue;
    Frame frame{match.captured(3), match.captured(1), {}, match.captured(2).toInt(), false};
    frame.library = library.match(frame.file).hasMatch();
    if (i + 1 < lines.size() && lines[i + 1].startsWith(QLatin1String("    "))) frame.code = lines[i + 1].trimmed();
    result.push_back(std::move(frame));
  }
  return result;
}

}  // namespace macaw::widgets
