// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics as curves: thinned with extremes kept, sorted by step, broken where there is no number.
#include <QLocale>
#include <QtTest>
#include <cmath>
#include <limits>

#include "widgets/views/metrics/curve.hpp"

using namespace macaw;
using namespace macaw::widgets;

namespace {

model::Metric metric(const std::vector<std::pair<double, double>>& points) {
  auto chunk = std::make_shared<std::vector<model::Point>>();
  for (const auto& [step, value] : points) chunk->push_back({model::Number{step}, step, model::Value{value}});
  model::Metric m;
  m.chunks.push_back(std::move(chunk));
  return m;
}

}  // namespace

class TestCurve : public QObject {
  Q_OBJECT

 private slots:
  void extremes_survive_thinning() {
    std::vector<std::pair<double, double>> points;
    for (int i = 0; i < 100'000; ++i) points.emplace_back(i, std::sin(i * 0.01));
    points[54'321].second = 77;
    points[12'345].second = -77;
    const Curve curve = curve_of(metric(points), CurveAxis::step, 500);
    QCOMPARE(curve.pieces.size(), std::size_t{1});
    QVERIFY(curve.pieces[0].size() <= 2 * 501);
    QVERIFY(curve.pieces[0].contains(QPointF(54'321, 77)));
    QVERIFY(curve.pieces[0].contains(QPointF(12'345, -77)));
    QVERIFY(
        std::is_sorted(curve.pieces[0].begin(), curve.pieces[0].end(), [](auto a, auto b) { return a.x() < b.x(); }));
  }

  void steps_out_of_order_are_all_drawn() {
    const Curve curve = curve_of(metric({{5, 1}, {3, 2}, {4, 3}, {5, 4}}), CurveAxis::step, 100);
    QCOMPARE(curve.pieces[0], QList<QPointF>({{3, 2}, {4, 3}, {5, 1}, {5, 4}}));
  }

  void what_is_not_finite_breaks_the_line() {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const Curve curve = curve_of(metric({{0, 1}, {1, nan}, {2, nan}, {3, 2}, {4, -inf}}), CurveAxis::step, 100);
    QCOMPARE(curve.pieces.size(), std::size_t{2});
    QCOMPARE(curve.not_finite.size(), std::size_t{2});
    QCOMPARE(curve.not_finite[0].word, QStringLiteral("NaN"));
    QCOMPARE(curve.not_finite[1].word, QStringLiteral("-inf"));
    QCOMPARE(curve.y_max, 2.0);
    QVERIFY(curve_of(metric({{0, nan}}), CurveAxis::step, 100).empty());
    QVERIFY(curve_of({}, CurveAxis::time, 100).empty());
  }

  void ticks() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QCOMPARE(tick_step(2.1, 6), 0.5);
    QCOMPARE(tick_step(77'000, 6), 20'000.0);
    QCOMPARE(tick_step(0, 6), 1.0);
    QCOMPARE(tick_label(25'000, 25'000, 75'000), QStringLiteral("25 k"));
    QCOMPARE(tick_label(1.5, 0.5, 2.5), QStringLiteral("1.5"));
    QCOMPARE(tick_label(0.25, 0.25, 1), QStringLiteral("0.25"));
    QCOMPARE(tick_label(2e-4, 2e-4, 6e-4), QStringLiteral("2e-4"));
    QCOMPARE(tick_label(8e-4, 2e-4, 1.6e-3), QStringLiteral("0.0008"));
    QCOMPARE(tick_label(0, 2e-4, 6e-4), QStringLiteral("0"));
  }
};

QTEST_GUILESS_MAIN(TestCurve)
#include "test_curve.moc"
