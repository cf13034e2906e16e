// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of a job as a tree: nesting, words, sorting keys, changes in place.
#include <QAbstractItemModelTester>
#include <QLocale>
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/qt_messages.hpp"
#include "widgets/gallery/fake_jobs.hpp"
#include "widgets/models/stage_tree_model.hpp"

using namespace macaw;
using namespace macaw::widgets;

namespace {

void print(const StageTreeModel& model, const QModelIndex& parent, int depth, QStringList& lines) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    const QModelIndex index = model.index(row, 0, parent);
    QStringList cells;
    for (int column = 0; column <= StageTreeModel::share; ++column)
      cells << index.siblingAtColumn(column).data().toString();
    lines << QString(depth * 2, QLatin1Char(' ')) +
                 cells.join(QStringLiteral(" | ")).replace(QChar(0x00A0), QLatin1Char(' '));
    print(model, index, depth + 1, lines);
  }
}

model::JobPtr with_stages(std::vector<model::Stage> stages, std::uint8_t id = 1) {
  model::Job job;
  job.id.fill(id);
  for (auto& stage : stages) job.stages.push_back(std::make_shared<const model::Stage>(std::move(stage)));
  return std::make_shared<const model::Job>(std::move(job));
}

model::Stage stage(model::Path path, std::uint64_t count, double total, double self) {
  model::Stage s;
  s.path = std::move(path);
  s.count = count;
  s.total = total;
  s.self = self;
  s.min = s.max = s.last = s.avg();
  return s;
}

}  // namespace

class TestStageTree : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
  void cleanup() { QCOMPARE(m_messages.take_unexpected(), QByteArrayList()); }

  void tree_in_words() {
    StageTreeModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show_job(with_stages({stage({"fourier_transform"}, 200, 8.6, 0.2),
                                stage({"fourier_transform", "numpy.fft.fft"}, 200, 7.6, 7.6),
                                stage({"generate_data"}, 1, 0.215, 0.215), stage({"opened"}, 0, 0, 0)}));
    QStringList lines;
    print(model, {}, 0, lines);
    QCOMPARE(
        lines,
        QStringList({"fourier_transform | 200 | 8.60 s | 200 ms | 43.0 ms | 43.0 ms | 43.0 ms | 0 s | 43.0 ms | 97.6 %",
                     "  numpy.fft.fft | 200 | 7.60 s | 7.60 s | 38.0 ms | 38.0 ms | 38.0 ms | 0 s | 38.0 ms | 86.2 %",
                     "generate_data | 1 | 215 ms | 215 ms | 215 ms | 215 ms | 215 ms | – | 215 ms | 2.4 %",
                     "opened | 0 | – | – | – | – | – | – | – | 0 %"}));
    QCOMPARE(model.measured(), 8.815);
  }

  void what_is_open_has_its_share() {
    model::Stage outer = stage({"fit"}, 0, 0, 0.5);
    outer.open = 1;
    outer.since = 2;
    StageTreeModel model;
    model.show_job(with_stages({outer, stage({"fit", "step"}, 3, 1.5, 1.5)}));
    QStringList lines;
    print(model, {}, 0, lines);
    QCOMPARE(lines, QStringList({"fit | 0 | 2.00 s | 500 ms | – | – | – | – | – | 100 %",
                                 "  step | 3 | 1.50 s | 1.50 s | 500 ms | 500 ms | 500 ms | 0 s | 500 ms | 75.0 %"}));
    QCOMPARE(model.measured(), 2.0);
  }

  void changes_stay_in_place() {
    StageTreeModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show_job(with_stages({stage({"a"}, 1, 1, 1)}));
    const QPersistentModelIndex a(model.index(0, 0));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
    model.show_job(with_stages({stage({"a"}, 2, 2, 1), stage({"a", "b"}, 1, 1, 1), stage({"c"}, 1, 1, 1)}));
    QCOMPARE(reset.count(), 0);
    QCOMPARE(changed.count(), 1);
    QVERIFY(a.isValid());
    QCOMPARE(model.rowCount(a), 1);
    QCOMPARE(a.sibling(0, StageTreeModel::count).data().toString(), QStringLiteral("2"));

    model.show_job(with_stages({stage({"x"}, 1, 1, 1)}, 2));
    QVERIFY(!a.isValid());
    QCOMPARE(model.stage_count(), std::size_t{1});
    model.show_job(nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  void many_stages() {
    StageTreeModel model;
    model.show_job(fake::overfull());
    QCOMPARE(model.stage_count(), std::size_t{200});
    QCOMPARE(model.largest_count(), std::uint64_t{1'000'000'000});
  }

 private:
  test::QtMessages m_messages;
};

QTEST_GUILESS_MAIN(TestStageTree)
#include "test_stage_tree.moc"
