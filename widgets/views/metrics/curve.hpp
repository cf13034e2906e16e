// SPDX-License-Identifier: GPL-3.0-or-later
// A metric's points as curves that a chart can draw quickly: at most two points a pixel column with minimum and maximum
// kept, split where a value is not finite. Pure.
#pragma once

#include <QList>
#include <QPointF>
#include <vector>

#include "collector/model/job.hpp"

namespace macaw::widgets {

enum class CurveAxis { step, time };

struct Curve {
  std::vector<QList<QPointF>> pieces;  // in order of x
  struct Mark {
    double x;
    QString word;  // "NaN", "inf", "-inf"
  };
  std::vector<Mark> not_finite;
  double x_min = 0, x_max = 0, y_min = 0, y_max = 0;
  bool empty() const { return pieces.empty(); }
};

Curve curve_of(const model::Metric& metric, CurveAxis axis, int columns);
// Values at or under zero have no place on a logarithmic axis.
bool all_positive(const Curve& curve);

// The label of a tick: "25 k", "0.5", "1e-4". `step` is the way to the next one, `largest` the axis' farthest from
// zero; the labels of one axis are alike.
QString tick_label(double value, double step, double largest);

// A round step for an axis of that span: at most `most` ticks.
double tick_step(double span, int most);

}  // namespace macaw::widgets
