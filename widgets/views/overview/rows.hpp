// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the Overview's sections, as words and fractions. Pure: what a test reads is what the section paints.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "widgets/format/format.hpp"
#include "widgets/models/moment.hpp"
#include "widgets/paint/paint.hpp"
#include "widgets/views/job_view.hpp"

namespace macaw::widgets {

struct BarRow {
  int depth = 0, rows_to_parent = 1;
  QString desc, n, of, rate, left;  // `of` empty: no total
  bool over_run = false;
  paint::Track track;
  model::State color = model::State::running;
};
// Parents before their children, as deep as they are nested.
std::vector<BarRow> bar_rows(const model::Job& job);

struct OpenRow {
  int depth = 0;
  QString name, note, age, usual;
  double of_twice_usual = 0;  // 0.5 is the average
  bool has_usual = false, slow = false, innermost = false;
};
// The open stages from outer to inner; ages count on since the last report.
std::vector<OpenRow> open_rows(const model::Job& job, const Moment& now);

struct WorkerRow {
  model::State state = model::State::running;
  QString name, where, stage, rate, heard;
  std::optional<double> progress;
};
std::vector<WorkerRow> worker_rows(const JobView& view);

struct MetricRow {
  QString name, value;
  std::vector<double> curve;
  bool finite = true;
};
std::vector<MetricRow> metric_rows(const model::Job& job);
// The newest step of any metric: "step 77,062".
QString latest_step(const model::Job& job);
// The newest `count` values, oldest first.
std::vector<double> recent_values(const model::Metric& metric, std::size_t count);

struct UsageRow {
  QString name;
  format::Quantity value;
  QString peak;
  double share = -1, peak_share = -1;  // of the meter; under 0: no limit is known, no meter
};
std::vector<UsageRow> usage_rows(const model::Job& job);

}  // namespace macaw::widgets
