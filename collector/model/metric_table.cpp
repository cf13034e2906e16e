// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "collector/model/event_tables.hpp"

namespace macaw::model {

namespace {

Value value_of(const wire::Value& value) {
  return std::visit(
      [](const auto& v) -> Value {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, wire::Text>)
          return text_of(v);
        else
          return v;
      },
      value);
}

// What a chart would draw; text has no height.
double height(const Point& point) {
  return std::visit(
      [](const auto& v) -> double {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string>)
          return 0;
        else
          return static_cast<double>(v);
      },
      point.value);
}

}  // namespace

std::vector<Point> thin(const std::vector<Point>& points, std::size_t limit) {
  const std::size_t stretches = std::max<std::size_t>(1, limit / 4);
  std::vector<Point> kept;
  for (std::size_t i = 0; i < stretches; ++i) {
    const std::size_t begin = points.size() * i / stretches, end = points.size() * (i + 1) / stretches;
    if (begin == end) continue;
    std::size_t low = begin, high = begin;
    for (std::size_t at = begin; at < end; ++at) {
      const double y = height(points[at]);
      if (!std::isfinite(y)) {
        low = high = at;
        break;
      }
      if (y < height(points[low])) low = at;
      if (y > height(points[high])) high = at;
    }
    kept.push_back(points[std::min(low, high)]);
    if (low != high) kept.push_back(points[std::max(low, high)]);
  }
  if (!points.empty() && kept.back().no != points.back().no) kept.push_back(points.back());
  return kept;
}

bool MetricTable::apply(const wire::Metric& row, const Limits& limits) {
  if (row.no == 0 || !m_numbers.add(row.no)) return false;
  auto found = m_index.find(row.name);
  if (found == m_index.end()) {
    if (m_rows.size() >= limits.metrics) return m_folded.add(TextHash{}(row.name));
    found = m_index.emplace(text_of(row.name), static_cast<std::uint32_t>(m_rows.size())).first;
    m_rows.emplace_back();
    m_rows.back().metric->name = found->first;
  }
  Row& held = m_rows[found->second];
  if (!held.dirty) held.metric = std::make_shared<Metric>(*held.metric);
  held.dirty = true;
  Metric& metric = *held.metric;
  Point point{row.step, row.up, value_of(row.value), row.no};
  ++metric.points;
  auto& first_bad = metric.first_nonfinite;
  if (!std::isfinite(height(point)) && (!first_bad || point.no < first_bad->no)) first_bad = point;
  if (point.no > metric.latest.no) metric.latest = point;
  held.series.add(std::move(point));
  return true;
}

void MetricTable::restore(const std::vector<std::shared_ptr<const Metric>>& metrics, std::uint64_t missing,
                          std::uint64_t folded) {
  m_folded.restore(folded);
  std::uint64_t last = 0;
  for (const auto& metric : metrics) {
    m_index.emplace(metric->name, static_cast<std::uint32_t>(m_rows.size()));
    m_rows.emplace_back();
    *m_rows.back().metric = *metric;
    for (const auto& chunk : metric->chunks)
      for (const Point& point : *chunk) m_rows.back().series.add(point);
    last = std::max(last, metric->latest.no);
  }
  m_numbers.restore(last, missing);
}

std::vector<std::uint32_t> MetricTable::publish(std::vector<std::shared_ptr<const Metric>>& published,
                                                const Limits& limits) {
  std::vector<std::uint32_t> changed;
  published.resize(m_rows.size());
  for (std::uint32_t i = 0; i < m_rows.size(); ++i) {
    Row& row = m_rows[i];
    if (!row.dirty) continue;
    row.dirty = false;
    row.series.merge();
    if (row.series.size() > limits.points) {
      std::vector<Point> points;
      for (const auto& chunk : row.series.chunks()) points.insert(points.end(), chunk->begin(), chunk->end());
      row.series.replace(thin(points, limits.points));
    }
    row.metric->chunks = row.series.chunks();
    row.metric->thinned = row.metric->points - row.series.size();
    published[i] = row.metric;
    changed.push_back(i);
  }
  return changed;
}

}  // namespace macaw::model
