// SPDX-License-Identifier: GPL-3.0-or-later
// One metric over its steps or over time. The title line holds the name, the value under the pointer and the newest
// value, so that nothing lies on top of the curve. The cross-hair is shared: hovered() goes out, set_cross_hair() comes
// in.
#pragma once

#include <QChartView>
#include <QWidget>
#include <optional>

#include "widgets/views/metrics/curve.hpp"

namespace macaw::widgets {

class CurveView : public QChartView {
  Q_OBJECT

 public:
  explicit CurveView(QWidget* parent = nullptr);
  void show_curve(const Curve& curve, CurveAxis axis, bool logarithmic);
  void set_cross_hair(std::optional<double> x);
  // The point of the curve nearest to x.
  std::optional<QPointF> nearest(double x) const;

 signals:
  void hovered(std::optional<double> x);

 protected:
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  double to_x(double value) const;

  Curve m_curve;
  CurveAxis m_axis = CurveAxis::step;
  std::optional<double> m_cross_hair;
};

class MetricChart : public QWidget {
  Q_OBJECT

 public:
  explicit MetricChart(QWidget* parent = nullptr);
  void show_metric(std::shared_ptr<const model::Metric> metric, CurveAxis axis, bool logarithmic);
  CurveView& view() { return *m_view; }
  void set_cross_hair(std::optional<double> x);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void draw();

  CurveView* m_view;
  std::shared_ptr<const model::Metric> m_metric;
  CurveAxis m_axis = CurveAxis::step;
  bool m_logarithmic = false;
  int m_columns = 0;  // that the curve was thinned for
  QString m_name, m_now, m_here;
  bool m_finite = true;
};

}  // namespace macaw::widgets
