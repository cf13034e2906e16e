// SPDX-License-Identifier: GPL-3.0-or-later
// The Overview in words: bars of every shape, open stages, metrics that are no numbers, why a job ended, tracebacks.
#include <QLocale>
#include <QtTest>
#include <cmath>
#include <limits>

#include "widgets/gallery/fake_jobs.hpp"
#include "widgets/views/job_header.hpp"
#include "widgets/views/overview/reason.hpp"
#include "widgets/views/overview/rows.hpp"

using namespace macaw;
using namespace macaw::widgets;
using paint::Track;

namespace {

QString plain(QString text) { return text.replace(QChar(0x00A0), QLatin1Char(' ')); }

QStringList printed(const std::vector<BarRow>& rows) {
  QStringList lines;
  for (const BarRow& row : rows)
    lines << plain(QString(row.depth * 2, QLatin1Char(' ')) +
                   QStringList{row.desc, row.n, row.of, row.rate, row.left}.join(QStringLiteral(" | ")));
  return lines;
}

model::JobPtr with_bar(model::Bar bar) {
  model::Job job;
  job.bars.push_back(std::make_shared<const model::Bar>(std::move(bar)));
  return std::make_shared<const model::Job>(std::move(job));
}

QString told(const model::JobPtr& job) {
  const auto r = reason(*job, fake::moment);
  return r ? plain(QStringList{r->title, r->what, r->before}.join(QStringLiteral(" | "))) : QString();
}

}  // namespace

class TestOverview : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

  void bars_of_every_shape() {
    const auto rows = bar_rows(*fake::training());
    QCOMPARE(printed(rows),
             QStringList({"epoch | 61 | 100 | 16.5 /h | 2h 19m", "  train batch | 812 | 1,250 | 6.42 /s | 1m 08s",
                          "    prefetch shard | 1,280 | 1,200 | 18.1 /s | +80",
                          "  evaluate tiles | 3,417 |  | 214 /s | no total"}));
    QCOMPARE(rows[0].track.resumed, 0.2);
    QVERIFY(rows[2].track.kind == Track::Kind::over_run);
    QCOMPARE(rows[2].track.done, 1200.0 / 1280);
    QVERIFY(rows[3].track.kind == Track::Kind::unknown_total);
    QCOMPARE(rows[3].rows_to_parent, 3);
  }

  void nothing_to_do_is_done() {  // total 0
    const auto rows = bar_rows(*fake::empty_loop());
    QCOMPARE(printed(rows), QStringList({"file | 0 | 0 |  | done"}));
    QVERIFY(rows[0].track.kind == Track::Kind::known);
    QCOMPARE(rows[0].track.done, 1.0);
  }

  void done_without_a_total_is_full() {
    model::Bar bar;
    bar.n = std::int64_t{50};
    bar.state = model::BarState::done;
    const auto rows = bar_rows(*with_bar(bar));
    QVERIFY(rows[0].track.kind == Track::Kind::known);
    QCOMPARE(rows[0].left, QStringLiteral("done"));
  }

  void no_fraction_is_ever_outside_the_track() {
    const double odd[] = {
        0, -5, 1, 130, 1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};
    for (const double n : odd)
      for (const double total : odd)
        for (const double initial : odd) {
          model::Bar bar;
          bar.n = n;
          bar.total = total;
          bar.initial = initial;
          const Track track = paint::track_of(bar);
          QVERIFY(track.done >= 0 && track.done <= 1);
          QVERIFY(track.resumed >= 0 && track.resumed <= track.done);
          QVERIFY(
              !printed(bar_rows(*with_bar(bar))).join(QString()).contains(QStringLiteral("nan"), Qt::CaseInsensitive));
        }
  }

  void a_bar_whose_parent_is_unknown_still_shows() {
    model::Bar orphan;
    orphan.id = 7;
    orphan.parent = 99;
    orphan.desc = "orphan";
    QCOMPARE(bar_rows(*with_bar(orphan)).size(), std::size_t{1});
  }

  void readouts_of_running_and_ended() {
    const auto text = [](const model::JobPtr& job) {
      QStringList parts;
      for (const Readout& r : readouts({job, {}, fake::moment})) parts << r.label + QLatin1Char(' ') + r.value;
      return plain(parts.join(QStringLiteral(", ")));
    };
    QCOMPARE(text(fake::training()), QStringLiteral("Elapsed 2 h 32 min, Left 2 h 19 min ± 9, Done 61.0 %"));
    QCOMPARE(text(fake::failed()), QStringLiteral("Ran for 2 h 14 min, Reached 64.2 %"));
    QCOMPARE(text(fake::without_total()), QStringLiteral("Elapsed 2 h 06 min, Left –, Done 3.41 M"));
    QCOMPARE(text(fake::just_started()), QStringLiteral("Elapsed 0 s"));
  }

  void open_stages_from_outer_to_inner() {
    const auto rows = open_rows(*fake::training(), fake::moment);
    QStringList names;
    for (const OpenRow& row : rows) names << row.name + (row.innermost ? "!" : "") + (row.slow ? " slow" : "");
    QCOMPARE(names, QStringList({"epoch", "train_step", "backward", "all_reduce! slow"}));
    // A stage that takes milliseconds may have closed since: its age is not counted on.
    QCOMPARE(plain(rows[3].age), QStringLiteral("84.6 ms"));
    Moment later = fake::moment;
    later.monotonic += 60;
    QCOMPARE(plain(open_rows(*fake::training(), later)[3].age), QStringLiteral("84.6 ms"));
    QCOMPARE(plain(open_rows(*fake::training(), later)[0].age), QStringLiteral("3m 07s"));
  }

  void metrics_that_are_not_numbers() {
    const auto rows = metric_rows(*fake::training());
    QCOMPARE(rows[4].name, QStringLiteral("grad_norm"));
    QCOMPARE(rows[4].value, QStringLiteral("NaN"));
    QVERIFY(!rows[4].finite);
    QCOMPARE(rows[6].value, QStringLiteral("yes"));
    QVERIFY(rows[6].curve.empty());
  }

  void reasons_data() {
    QTest::addColumn<QString>("told_text");
    QTest::addColumn<QString>("wanted");
    QTest::newRow("running") << told(fake::training()) << "";
    QTest::newRow("finished") << told(fake::finished()) << "";
    QTest::newRow("failed") << told(fake::failed())
                            << "ValueError: array must not contain infs or NaNs | Raised in smooth, V-cycle 1,284 of "
                               "2,000. Exit code 1 after 2 h 14 min. | "
                               "The metric residual first became NaN at step 1,218, 2 min 16 s earlier.";
    QTest::newRow("killed")
        << told(fake::killed())
        << "Killed by SIGKILL after 3 h 02 min | It had reached contig 8,120 of 20,000. | Memory was at 127 GB.";
    QTest::newRow("stalled")
        << told(fake::stalled())
        << "No progress for 14 min | A step usually takes 2.87 min. The process is alive and uses 0.0 cores. | ";
    QTest::newRow("no contact") << told(fake::silent())
                                << "Last heard 4 min ago | The job may still run; it comes back here by itself. | ";
    QTest::newRow("interrupted") << told(fake::interrupted())
                                 << "Stopped with Ctrl-C at 37.0 % | It ran for 6 min 12 s. | ";
    QTest::newRow("ended early") << told(fake::ended_early())
                                 << "Only 1,180 of 1,200 were done | Exit code 0 after 41 min 00 s. | ";
  }
  void reasons() {
    QFETCH(QString, told_text);
    QFETCH(QString, wanted);
    QCOMPARE(told_text, wanted);
  }

  void frames_of_a_traceback() {
    const auto calls = frames(QString::fromStdString(fake::failed()->error->traceback));
    QCOMPARE(calls.size(), std::size_t{6});
    QCOMPARE(calls[3].function, QStringLiteral("smooth"));
    QCOMPARE(calls[3].place(), QStringLiteral("mg/smooth.py:31"));
    QCOMPARE(calls[3].code, QStringLiteral("x = scipy.linalg.solve_banded((1, 1), ab, rhs)"));
    QVERIFY(!calls[3].library);
    QVERIFY(calls[4].library);
    QCOMPARE(calls[4].package(), QStringLiteral("scipy.linalg"));
    QVERIFY(frames(QStringLiteral("terminate called after throwing\nwhat(): no")).empty());
  }
};

QTEST_GUILESS_MAIN(TestOverview)
#include "test_overview.moc"
