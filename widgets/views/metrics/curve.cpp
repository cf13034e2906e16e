// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/metrics/curve.hpp"

#include <QLocale>
#include <QString>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/format/format.hpp"

namespace macaw::widgets {

namespace {

struct Sample {
  double x, y;
};

std::vector<Sample> samples_of(const model::Metric& metric, CurveAxis axis) {
  std::vector<Sample> samples;
  double arrival = 0;
  for (const auto& chunk : metric.chunks)
    for (const model::Point& point : *chunk) {
      if (std::holds_alternative<std::string>(point.value)) continue;
      const double x = axis == CurveAxis::time ? point.up : point.step ? format::to_double(*point.step) : arrival;
      ++arrival;
      if (std::isfinite(x)) samples.push_back({x, format::as_curve(point.value)});
    }
  // Steps may arrive out of order; those that repeat keep their order of arrival.
  std::stable_sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.x < b.x; });
  return samples;
}

// Keeps the lowest and the highest point of each column, in order of x.
void add_thinned(const std::vector<Sample>& piece, double x_min, double x_max, int columns, QList<QPointF>& out) {
  const double width = x_max > x_min ? (x_max - x_min) / columns : 1;
  for (std::size_t i = 0; i < piece.size();) {
    const auto column = static_cast<long long>((piece[i].x - x_min) / width);
    std::size_t low = i, high = i, end = i;
    for (; end < piece.size() && static_cast<long long>((piece[end].x - x_min) / width) == column; ++end) {
      if (piece[end].y < piece[low].y) low = end;
      if (piece[end].y > piece[high].y) high = end;
    }
    const auto [first, second] = std::minmax(low, high);
    out.append({piece[first].x, piece[first].y});
    if (second != first) out.append({piece[second].x, piece[second].y});
    i = end;
  }
}

}  // namespace

Curve curve_of(const model::Metric& metric, CurveAxis axis, int columns) {
  Curve curve;
  const std::vector<Sample> samples = samples_of(metric, axis);
  if (samples.empty()) return curve;
  curve.x_min = samples.front().x;
  curve.x_max = samples.back().x;
  curve.y_min = std::numeric_limits<double>::infinity();
  curve.y_max = -curve.y_min;
  std::vector<Sample> piece;
  bool in_gap = false;
  const auto close_piece = [&] {
    if (piece.empty()) return;
    curve.pieces.emplace_back();
    add_thinned(piece, curve.x_min, curve.x_max, std::max(1, columns), curve.pieces.back());
    piece.clear();
  };
  for (const Sample& sample : samples) {
    if (std::isfinite(sample.y)) {
      piece.push_back(sample);
      curve.y_min = std::min(curve.y_min, sample.y);
      curve.y_max = std::max(curve.y_max, sample.y);
      in_gap = false;
    } else {
      close_piece();
      // A run of them gets one mark, where it begins.
      if (!in_gap) curve.not_finite.push_back({sample.x, format::metric(sample.y)});
      in_gap = true;
    }
  }
  close_piece();
  return curve;
}

bool all_positive(const Curve& curve) { return !curve.empty() && curve.y_min > 0; }

QString tick_label(double value, double step, double largest) {
  if (std::abs(value) < step * 1e-6) return QStringLiteral("0");
  if (largest >= 1e9 || largest < 1e-3) return format::metric(value);
  const auto plain = [](double number, double apart) {
    const double power = std::floor(std::log10(apart) + 1e-9);
    const bool between = std::abs(apart / std::pow(10, power) - 2.5) < 0.01;  // steps of 2.5 need one digit more
    return QLocale().toString(number, 'f', std::max(0, static_cast<int>(-power) + (between ? 1 : 0)));
  };
  if (step >= 1e6) return plain(value / 1e6, step / 1e6) + QStringLiteral(" M");
  if (step >= 1e3) return plain(value / 1e3, step / 1e3) + QStringLiteral(" k");
  return plain(value, step);
}

double tick_step(double span, int most) {
  if (!(span > 0) || !std::isfinite(span)) return 1;
  const double rough = span / std::max(1, most - 1);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double nice : {1.0, 2.0, 2.5, 5.0})
    if (nice * power >= rough * (1 - 1e-9)) return nice * power;
  return 10 * power;
}

}  // namespace macaw::widgets
