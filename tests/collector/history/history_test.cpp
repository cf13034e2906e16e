// SPDX-License-Identifier: GPL-3.0-or-later
// What is written comes back as it was: every part of a job, every kind of value, changes on top of changes.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "collector/clock.hpp"
#include "collector/history/history.hpp"
#include "collector/mirror/job_json.hpp"
#include "tests/support/feed.hpp"
#include "tests/support/model_printer.hpp"
#include "tests/support/qt_messages.hpp"

using namespace macaw;

namespace {

// All that a job is, as JSON and as text, but for ages that count on.
std::string everything(const model::Job& job) {
  std::string json;
  JsonWriter writer(json);
  write_job(writer, job, job.heard);
  for (const auto& chunk : job.log->chunks)
    for (const model::LogLine& line : *chunk) write_log_line(writer, line, job.started);
  return test::print(job) + json;
}

// Around the first place where two texts differ; empty when they do not.
QString difference(const std::string& is, const std::string& should) {
  if (is == should) return {};
  const auto at =
      static_cast<std::size_t>(std::mismatch(is.begin(), is.end(), should.begin(), should.end()).first - is.begin());
  const std::size_t from = at > 60 ? at - 60 : 0;
  return QString::fromStdString(is.substr(from, 120) + " instead of " + should.substr(from, 120));
}

// One life of the program: what it finds, and what it leaves.
class Life {
 public:
  explicit Life(const QString& folder) {
    History::Settings settings;
    settings.folder = folder;
    settings.keep_days = 1e6;  // the clock of these jobs began in 2001
    m_history = std::make_unique<History>(settings);
    QObject::connect(m_history.get(), &History::restored, [this](const std::vector<model::Job>& jobs) {
      for (const model::Job& job : jobs) feed.model().restore(job);
    });
    QObject::connect(m_history.get(), &History::problem, [this](const QString& text) { problems << text; });
    m_history->start();
    tick(monotonic_now());
  }
  void tick(double now) {
    if (const auto changes = feed.tick(now)) m_history->offer(*changes);
  }
  const model::Job& job() const { return feed.job(); }
  void end() { m_history.reset(); }  // writes what is left

  test::Feed feed;
  QStringList problems;

 private:
  std::unique_ptr<History> m_history;
};

const std::string hello =
    R"("hello":{"name":"run.py","host":"atlas","pid":48291,"user":"ada","cwd":"/home/ada","lang":"python 3.11",)"
    R"("sdk":"macaw 0.1","argv":["run.py","--lr=0.1","naïve x"],"start":1000000000.5,)"
    R"("parent":"11111111-2222-3333-4444-555555555555","tags":{"exp":"7","=x":"<b>"},"env":{"SLURM_JOB_ID":"12"},)"
    R"("git":{"commit":"abc123","branch":"main","dirty":true}})";

}  // namespace

class HistoryTest : public QObject {
  Q_OBJECT

 private slots:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void every_part_comes_back() {
    std::string before;
    {
      Life life(m_folder->path());
      life.feed.report(
          1, 1,
          hello +
              R"(,"usage":{"rss":1000,"peak":2000,"cpu":1.5,"threads":4,"gpu":[0.25,0.75]},)"
              R"("bars":[{"id":1,"desc":"doing nothing","n":41,"total":200,"unit":"it","elapsed":1,"rate":40,"eta":4},)"
              R"({"id":2,"parent":1,"stage":["a/b","c~d"],"desc":"inner","n":2.5,"total":9007199254740995,"initial":1,)"
              R"("state":"left","elapsed":0.5,"repeats":3}],)"
              R"("stages":[{"path":["a/b"],"n":3,"sum":0.3,"min":0.05,"max":0.2,"m2":0.01,"last":0.1,"errors":1,)"
              R"("open":1,"since":0.5},{"path":["a/b","c~d"],"kind":"call","n":3,"sum":0.2,"min":0.05,"max":0.1,)"
              R"("last":0.05,"note":"dtype=complex64"}],)"
              R"("metrics":[{"no":1,"name":"loss","step":1,"up":0.5,"value":0.25},)"
              R"({"no":2,"name":"loss","step":2,"up":0.6,"value":"nan"},{"no":3,"name":"loss","up":0.7,"value":"-inf"},)"
              R"({"no":4,"name":"big","up":0.5,"value":true},{"no":5,"name":"vibes","up":0.5,"value":"bad"},)"
              R"({"no":6,"name":"whole","step":2.5,"up":0.5,"value":9007199254740995}],)"
              R"("logs":[{"no":1,"up":0.1,"level":"info","text":"one","stage":["a/b"]},)"
              R"({"no":3,"up":0.3,"level":"critical","text":"Traceback: \u0000 <img>","cut":12}])");
      life.feed.report(2, 4,
                       R"("finish":{"elapsed":2,"code":1,"state":"failed","error":{"type":"ValueError",)"
                       R"("message":"no","trace":3}})");
      life.tick(2);
      life.tick(4);  // past the time for repairs
      before = everything(life.job());
      QCOMPARE(life.job().state, model::State::failed);
      QCOMPARE(life.job().lost.logs, 1u);
      life.end();
    }
    Life next(m_folder->path());
    QCOMPARE(difference(everything(next.job()), before), QString());
    QVERIFY(next.problems.isEmpty());
    const auto& metrics = next.job().metrics;
    QCOMPARE(std::get<std::int64_t>(metrics[3]->latest.value), 9007199254740995);
    QCOMPARE(std::get<bool>(metrics[1]->latest.value), true);
    QVERIFY(metrics[0]->first_nonfinite && metrics[0]->first_nonfinite->no == 2);
  }

  void a_running_job_goes_on_where_it_was() {
    {
      Life life(m_folder->path());
      life.feed.report(1, 1, hello + R"(,"logs":[{"no":1,"text":"one"}],"bars":[{"id":1,"n":1,"total":9}])");
      life.tick(1);
      life.end();
    }
    Life next(m_folder->path());
    QCOMPARE(next.job().identity->name, std::string("run.py"));
    next.feed.report(3, 2, R"("logs":[{"no":2,"text":"two"}],"bars":[{"id":1,"n":2,"total":9}],"next":1)");
    next.tick(3);
    QCOMPARE(next.job().state, model::State::running);
    QCOMPARE(next.job().log->lines, 2u);
    QCOMPARE(next.job().bars.size(), 1u);
    QCOMPARE(std::get<std::int64_t>(next.job().bars[0]->n), 2);
    QVERIFY(!next.feed.report(3, 1, R"("bars":[{"id":1,"n":0}])"));  // replayed from before the restart
  }

  void what_changes_later_is_written_too() {
    std::string before;
    {
      Life life(m_folder->path());
      std::uint64_t seq = 0, no = 0;
      for (int round = 0; round < 40; ++round) {
        std::string logs, points;
        for (int i = 0; i < 30; ++i) {
          ++no;
          if (no % 100 == 7) continue;  // lost; some come late
          logs += (logs.empty() ? "" : ",") + (R"({"no":)" + std::to_string(no)) + R"(,"text":"line"})";
          points += (points.empty() ? "" : ",") + (R"({"no":)" + std::to_string(no)) + R"(,"name":"m","value":)" +
                    std::to_string(no * no % 977) + "}";
        }
        life.feed.report(round, ++seq, R"("logs":[)" + logs + R"(],"metrics":[)" + points + "]");
        if (round == 20)
          life.feed.report(round, ++seq,
                           R"("logs":[{"no":107,"text":"late"}],"metrics":[{"no":207,"name":"m","value":1}])");
        life.tick(round);
        QTest::qWait(round % 10 == 0 ? 600 : 0);  // lets a batch be written
      }
      before = everything(life.job());
      life.end();
    }
    Life next(m_folder->path());
    QCOMPARE(difference(everything(next.job()), before), QString());
  }

  void a_thinned_series_comes_back_thinned() {
    std::string before;
    {
      test::Feed feed(model::Limits{.points = 100});
      History::Settings settings;
      settings.folder = m_folder->path();
      History history(settings);
      history.start();
      for (std::uint64_t no = 1; no <= 1000; ++no) {
        feed.report(static_cast<double>(no), no,
                    R"("metrics":[{"no":)" + std::to_string(no) + R"(,"name":"m","value":)" +
                        std::to_string(no * 37 % 101) + "}]");
        if (const auto changes = feed.tick(static_cast<double>(no))) history.offer(*changes);
        if (no % 300 == 0) QTest::qWait(600);
      }
      before = everything(feed.job());
    }
    Life next(m_folder->path());
    QCOMPARE(difference(everything(next.job()), before), QString());
    QCOMPARE(next.job().metrics[0]->points, 1000u);
  }

 private:
  std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(HistoryTest)
#include "history_test.moc"
