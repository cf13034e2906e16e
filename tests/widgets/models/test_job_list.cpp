// SPDX-License-Identifier: GPL-3.0-or-later
// The job list as text: which rows, in which order, in which words; and that its Qt model keeps its promises.
#include <QAbstractItemModelTester>
#include <QLocale>
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/qt_messages.hpp"
#include "widgets/gallery/fake_jobs.hpp"
#include "widgets/models/job_line.hpp"
#include "widgets/models/job_list_model.hpp"

using namespace macaw;
using namespace macaw::widgets;
using model::JobPtr;
using model::State;

namespace {

// "# Running 2", "  name", "    child".
QStringList printed(const std::vector<JobRow>& rows) {
  QStringList lines;
  for (const JobRow& row : rows)
    lines << (row.is_section ? QStringLiteral("# %1 %2").arg(section_title(row.section)).arg(row.count)
                             : QString(2 + 2 * row.depth, QLatin1Char(' ')) + job_name(*row.job));
  return lines;
}

QStringList printed(const JobListModel& model) {
  QStringList lines;
  for (int i = 0; i < model.rowCount(); ++i) lines << model.data(model.index(i), Qt::DisplayRole).toString();
  return lines;
}

QString plain(QString text) { return text.replace(QChar(0x00A0), QLatin1Char(' ')); }

JobPtr with_state(const JobPtr& job, State state) {
  model::Job changed = *job;
  changed.state = state;
  return std::make_shared<const model::Job>(std::move(changed));
}

model::ChangeSet change(const std::vector<JobPtr>& jobs) {
  model::ChangeSet changes;
  for (const JobPtr& job : jobs) changes.jobs.push_back({job, false, true, {}, {}, {}, 0, false, false});
  return changes;
}

}  // namespace

class TestJobList : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    qputenv("TZ", "UTC");
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  }
  void cleanup() { QCOMPARE(m_messages.take_unexpected(), QByteArrayList()); }

  void sections_and_order() {
    const QStringList wanted{"# Needs a look 4",
                             "  poisson_multigrid_3d.py",
                             "  lofar_subband_0312_fft_pipeline.jl",
                             "  mcmc_exoplanet_K2-18b_chains.py",
                             "  etl_parquet_compact.sh",
                             "# Running 6",
                             "  heat2d_adi_solver",
                             "  nyc_taxi_2009_2026.py",
                             "  sweep_unet_lr.py",
                             "    lr=1e-3",
                             "    lr=3e-4",
                             "  train_segformer_b5_cityscapes.py",
                             "# Ended 3",
                             "  nothing_to_do.py",
                             "  train_segformer_b2_baseline.py",
                             "  bench_cufft_plans.py"};
    QCOMPARE(printed(arrange(fake::day(), {}, {})), wanted);
  }

  void what_was_seen_moves_to_its_own_section() {
    ListMarks marks;
    marks.seen = {fake::failed()->id, fake::stalled()->id};
    const QStringList rows = printed(arrange({fake::failed(), fake::stalled()}, {}, marks));
    QCOMPARE(rows, QStringList({"# Running 1", "  lofar_subband_0312_fft_pipeline.jl", "# Ended 1",
                                "  poisson_multigrid_3d.py"}));
  }

  void search_and_state_filter() {
    QCOMPARE(printed(arrange(fake::day(), {"GPU-04 segf", {}}, {})),
             QStringList({"# Running 1", "  train_segformer_b5_cityscapes.py", "# Ended 1",
                          "  train_segformer_b2_baseline.py"}));
    QCOMPARE(printed(arrange(fake::day(), {"omega=1.85", {}}, {})),
             QStringList({"# Needs a look 1", "  poisson_multigrid_3d.py"}));
    QCOMPARE(printed(arrange(fake::day(), {{}, State::interrupted}, {})),
             QStringList({"# Ended 1", "  bench_cufft_plans.py"}));
    QCOMPARE(printed(arrange(fake::day(), {"segx", {}}, {})), QStringList());
    // A child is found without its parent.
    QCOMPARE(printed(arrange(fake::day(), {"lr=1e-3", {}}, {})), QStringList({"# Running 1", "  lr=1e-3"}));
  }

  void a_ring_of_parents_hides_nobody() {
    model::Job a = *fake::training(), b = *fake::without_total();
    auto identity_of = [](const model::Job& job, const model::JobId& parent) {
      model::Identity identity = *job.identity;
      identity.parent = parent;
      return std::make_shared<const model::Identity>(identity);
    };
    a.identity = identity_of(a, b.id);
    b.identity = identity_of(b, a.id);
    QCOMPARE(
        printed(arrange({std::make_shared<const model::Job>(a), std::make_shared<const model::Job>(b)}, {}, {})).size(),
        3);
  }

  void lines_in_words_data() {
    QTest::addColumn<JobPtr>("job");
    QTest::addColumn<QString>("wanted");
    QTest::newRow("running") << fake::training()
                             << "train_segformer_b5_cityscapes.py, Running, 61.0 %, gpu-04, 2h 32m, 2h 19m left";
    QTest::newRow("failed") << fake::failed() << "poisson_multigrid_3d.py, Failed, 2h 14m, login1, 12:41";
    QTest::newRow("stalled") << fake::stalled()
                             << "lofar_subband_0312_fft_pipeline.jl, Stalled, 43.0 %, gpu-02, still for 14m";
    QTest::newRow("no contact") << fake::silent()
                                << "mcmc_exoplanet_K2-18b_chains.py, No contact, 71.2 %, node-117, silent for 4m";
    QTest::newRow("ended early") << fake::ended_early()
                                 << "etl_parquet_compact.sh, Ended early, 1,180 of 1,200, etl-1, 09:15";
    QTest::newRow("no total") << fake::without_total()
                              << "nyc_taxi_2009_2026.py, Running, 3.41 M rows, etl-1, 2h 06m, no total";
    QTest::newRow("0 of 0") << fake::empty_loop() << "nothing_to_do.py, Finished, 0s, ws-lin, 13:43";
    QTest::newRow("only hello") << fake::just_started() << "job.py, Running, ws-lin, 0s";
  }
  void lines_in_words() {
    QFETCH(JobPtr, job);
    QFETCH(QString, wanted);
    QCOMPARE(plain(job_line(*job, fake::moment).sentence), wanted);
  }

  void progress_is_never_more_than_the_thread() {
    for (const JobPtr& job : fake::hundred()) {
      const JobLine line = job_line(*job, fake::moment);
      if (line.progress) QVERIFY2(*line.progress >= 0 && *line.progress <= 1, qPrintable(line.name));
    }
    QVERIFY(!job_line(*fake::without_total(), fake::moment).progress);
    QVERIFY(job_line(*fake::without_total(), fake::moment).progress_shown);
    QCOMPARE(job_line(*fake::empty_loop(), fake::moment).progress.value(), 1.0);
  }

  void the_model_follows_the_store() {
    JobStore store([] { return fake::moment; });
    JobListModel model(store);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    store.reset(fake::day());
    QCOMPARE(model.rowCount(), 16);

    const QPersistentModelIndex kept(model.index_of(fake::training()->id));
    QCOMPARE(kept.row(), 11);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged), layout(&model, &QAbstractItemModel::layoutChanged);
    store.apply(change({with_state(fake::training(), State::stalled)}));
    store.flush();
    QCOMPARE(changed.count(), 1);
    QCOMPARE(layout.count(), 0);  // the order changes at the beat of a second, not at each report
    QCOMPARE(kept.row(), 11);

    model.hold_order(true);
    emit store.ticked();
    QCOMPARE(kept.row(), 11);  // nor under the pointer
    model.hold_order(false);
    emit store.ticked();
    QCOMPARE(kept.data(JobListModel::job_id_role).toString(),
             QString::fromStdString(model::to_string(fake::training()->id)));
    QVERIFY(kept.row() < 6);
    QCOMPARE(model.state_counts()[static_cast<std::size_t>(State::stalled)], std::size_t{2});

    model.set_folded(fake::day()[5]->id, true);
    QVERIFY(!printed(model).contains(QStringLiteral("lr=1e-3")));
    model.set_filter({QStringLiteral("segf"), {}});
    QCOMPARE(printed(model), QStringList({"Needs a look", "train_segformer_b5_cityscapes.py", "Ended",
                                          "train_segformer_b2_baseline.py"}));
    model.set_filter({});
    model::ChangeSet gone;
    gone.gone = {fake::failed()->id};
    store.apply(gone);
    store.flush();
    QVERIFY(!printed(model).contains(QStringLiteral("poisson_multigrid_3d.py")));
    store.reset({});
    QCOMPARE(model.rowCount(), 0);
  }

  void reports_are_told_ten_times_a_second_at_most() {
    JobStore store([] { return fake::moment; });
    store.reset(fake::day());
    QSignalSpy flushed(&store, &JobStore::flushed);
    for (int i = 0; i < 1000; ++i) store.apply(change({fake::training()}));
    QCOMPARE(flushed.count(), 0);
    QVERIFY(flushed.wait());
    QCOMPARE(flushed.count(), 1);
  }

 private:
  test::QtMessages m_messages;
};

QTEST_GUILESS_MAIN(TestJobList)
#include "test_job_list.moc"
