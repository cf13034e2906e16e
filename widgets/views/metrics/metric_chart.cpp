// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/metrics/metric_chart.hpp"

#include <QCategoryAxis>
#include <QChart>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/format/format.hpp"
#include "widgets/paint/paint.hpp"
#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::widgets {

namespace {

constexpr int title_height = 22, least_height = 180, ticks_at_most = 6, least_columns = 100;

void style_axis(QAbstractAxis* axis, bool grid) {
  const Theme& t = Theme::current();
  axis->setLabelsFont(type::ui(type::caption));
  axis->setLabelsColor(t.text3);
  axis->setLinePen(QPen(t.line_soft, 1));
  axis->setGridLinePen(QPen(t.line_soft, 1));
  axis->setGridLineVisible(grid);
}

// Ticks on round numbers. With `round_out` the range reaches out to them, so that the curve never touches the frame.
QCategoryAxis* linear_axis(double low, double high, bool round_out, CurveAxis kind) {
  auto* axis = new QCategoryAxis;
  if (!(high > low)) {
    const double around = low == 0 ? 1 : std::abs(low) * 0.5;
    low -= around;
    high += around;
  }
  double step = tick_step(high - low, ticks_at_most);
  const bool counts = !round_out && kind == CurveAxis::step;
  if (counts && step != std::floor(step)) step = step < 1 ? 1 : std::ceil(step / 5) * 5;  // there is no half a step
  const double first = (round_out ? std::floor(low / step + 1e-9) : std::ceil(low / step - 1e-9)) * step;
  if (round_out) {
    low = first;
    high = std::ceil(high / step - 1e-9) * step;
  }
  axis->setRange(low, high);
  axis->setStartValue(low);
  axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
  for (int i = 0; first + i * step <= high + step * 1e-6; ++i) {
    const double tick = first + i * step;
    axis->append(kind == CurveAxis::time ? format::compact(tick)
                                         : tick_label(tick, step, std::max(std::abs(low), std::abs(high))),
                 tick);
  }
  return axis;
}

}  // namespace

CurveView::CurveView(QWidget* parent) : QChartView(parent) {
  setRenderHint(QPainter::Antialiasing);
  setFrameShape(QFrame::NoFrame);
  setMouseTracking(true);
  setFocusPolicy(Qt::NoFocus);
  chart()->legend()->hide();
  chart()->setMargins(QMargins(0, 0, 0, 0));
  chart()->setContentsMargins(-9, -4, -6, -6);
  chart()->setBackgroundRoundness(0);
}

void CurveView::show_curve(const Curve& curve, CurveAxis x_axis, bool logarithmic) {
  const Theme& t = Theme::current();
  m_curve = curve;
  m_axis = x_axis;
  setBackgroundBrush(t.surface);
  chart()->setBackgroundBrush(t.surface);
  chart()->removeAllSeries();
  for (QAbstractAxis* axis : chart()->axes()) {
    chart()->removeAxis(axis);
    delete axis;
  }
  if (curve.empty()) return;

  auto* x = linear_axis(curve.x_min, curve.x_max, false, x_axis);
  QAbstractAxis* y = nullptr;
  if (logarithmic && all_positive(curve)) {
    auto* log = new QLogValueAxis;
    log->setRange(std::pow(10, std::floor(std::log10(curve.y_min))),
                  std::pow(10, std::ceil(std::log10(curve.y_max) + 1e-9)));
    log->setLabelFormat(QStringLiteral("%.3g"));
    y = log;
  } else {
    y = linear_axis(curve.y_min, curve.y_max, true, CurveAxis::step);
  }
  style_axis(x, false);
  style_axis(y, true);
  chart()->addAxis(x, Qt::AlignBottom);
  chart()->addAxis(y, Qt::AlignLeft);
  for (const auto& piece : curve.pieces) {
    auto* series = new QLineSeries;
    series->setPen(QPen(t.series.front(), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    series->replace(piece);
    chart()->addSeries(series);
    series->attachAxis(x);
    series->attachAxis(y);
  }
}

void CurveView::set_cross_hair(std::optional<double> x) {
  if (x == m_cross_hair) return;
  m_cross_hair = x;
  scene()->update();
  viewport()->update();
}

std::optional<QPointF> CurveView::nearest(double x) const {
  std::optional<QPointF> best;
  for (const auto& piece : m_curve.pieces) {
    const auto after =
        std::lower_bound(piece.begin(), piece.end(), x, [](const QPointF& p, double value) { return p.x() < value; });
    for (auto p : {after, after == piece.begin() ? after : after - 1})
      if (p != piece.end() && (!best || std::abs(p->x() - x) < std::abs(best->x() - x))) best = *p;
  }
  return best;
}

double CurveView::to_x(double value) const { return chart()->mapToPosition(QPointF(value, m_curve.y_min)).x(); }

void CurveView::drawForeground(QPainter* painter, const QRectF&) {
  if (m_curve.empty()) return;
  const Theme& t = Theme::current();
  QPainter& p = *painter;
  const QRectF plot = chart()->plotArea();
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  for (const Curve::Mark& mark : m_curve.not_finite) {
    const qreal x = to_x(mark.x);
    QPen dots(t.warning(), 1, Qt::CustomDashLine);
    dots.setDashPattern({2, 3});
    p.setPen(dots);
    p.drawLine(QPointF(x, plot.top() + 8), QPointF(x, plot.bottom()));
    p.setPen(Qt::NoPen);
    p.setBrush(t.warning());
    const QPointF triangle[] = {{x - 4, plot.top()}, {x + 4, plot.top()}, {x, plot.top() + 7}};
    p.drawPolygon(triangle, 3);
    paint::text(p, QRectF(x - 46, plot.top() - 4, 40, 16), mark.word, type::ui(type::caption, QFont::Medium),
                t.warning(), Qt::AlignRight);
  }
  if (m_cross_hair && *m_cross_hair >= m_curve.x_min && *m_cross_hair <= m_curve.x_max) {
    const auto point = nearest(*m_cross_hair);
    const qreal x = point ? to_x(point->x()) : to_x(*m_cross_hair);
    p.fillRect(QRectF(x, plot.top(), 1, plot.height()), t.text3);
    if (point) {
      p.setPen(QPen(t.surface, 2));
      p.setBrush(t.series.front());
      p.drawEllipse(chart()->mapToPosition(*point), 5, 5);
      const QString label =
          m_axis == CurveAxis::step ? format::exact(model::Number{point->x()}) : format::compact(point->x());
      const QFont font = type::ui(type::caption, QFont::DemiBold);
      const qreal width = paint::number_width(font, label) + 12;
      const QRectF box(std::clamp(x - width / 2, plot.left(), plot.right() - width), plot.bottom() + 3, width, 17);
      paint::rounded(p, box, 3, t.text1);
      paint::number(p, box, label, font, t.surface, Qt::AlignHCenter);
    }
  }
  p.restore();
}

void CurveView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = mapToScene(event->position().toPoint());
  emit hovered(m_curve.empty() || !chart()->plotArea().contains(at) ? std::nullopt
                                                                    : std::optional(chart()->mapToValue(at).x()));
}

void CurveView::leaveEvent(QEvent* event) {
  emit hovered(std::nullopt);
  QChartView::leaveEvent(event);
}

MetricChart::MetricChart(QWidget* parent) : QWidget(parent), m_view(new CurveView(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, title_height + 6, 0, 0);
  layout->addWidget(m_view);
  setMinimumHeight(least_height + title_height);
}

void MetricChart::show_metric(std::shared_ptr<const model::Metric> metric, CurveAxis axis, bool logarithmic) {
  m_metric = std::move(metric);
  m_axis = axis;
  m_logarithmic = logarithmic;
  m_name = QString::fromStdString(m_metric->name).simplified();
  m_finite = format::is_finite(m_metric->latest.value);
  m_now = tr("now %1").arg(format::metric(m_metric->latest.value));
  setAccessibleName(m_name + QStringLiteral(", ") + m_now);
  draw();
}

void MetricChart::draw() {
  m_columns = std::max(least_columns, width());
  m_view->show_curve(curve_of(*m_metric, m_axis, m_columns), m_axis, m_logarithmic);
  update();
}

void MetricChart::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (m_metric && std::max(least_columns, width()) != m_columns) draw();
}

void MetricChart::set_cross_hair(std::optional<double> x) {
  m_view->set_cross_hair(x);
  const auto point = x ? m_view->nearest(*x) : std::nullopt;
  m_here = point ? format::metric(point->y()) : QString();
  update(0, 0, width(), title_height);
}

void MetricChart::paintEvent(QPaintEvent*) {
  const Theme& t = Theme::current();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF line(0, 0, width(), title_height);
  const QFont small = type::ui(type::small);
  const qreal now = paint::number(p, line, m_now, small, m_finite ? t.text2 : t.warning());
  if (!m_finite) paint_icon(p, QRectF(line.right() - now - 19, 4, 14, 14), QStringLiteral("warning"), t.warning());
  const qreal name = paint::text(p, line.adjusted(0, 0, -now - 120, 0), m_name, type::ui(type::body, QFont::DemiBold),
                                 t.text1, Qt::AlignLeft, Qt::ElideMiddle);
  if (m_here.isEmpty()) return;
  const qreal x = name + 16;
  paint::rounded(p, QRectF(x, line.center().y() - 1, 14, 2), 1, t.series.front());
  paint::number(p, QRectF(x + 20, 0, 90, title_height), m_here, type::ui(type::small, QFont::DemiBold), t.text1,
                Qt::AlignLeft);
}

}  // namespace macaw::widgets
