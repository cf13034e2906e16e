// SPDX-License-Identifier: GPL-3.0-or-later
// Bars, stages and identity: the newest row wins, whatever order reports come in.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/feed.hpp"
#include "tests/support/model_printer.hpp"

using namespace macaw;
using test::Feed;

TEST_CASE("what a report says is what the job shows") {
  Feed feed;
  feed.report(0.5, 1, R"("hello":{"name":"study.py","host":"node7","tags":{"k":"v"}},
      "bars":[{"id":1,"desc":"epochs","n":4,"total":30}],
      "stages":[{"path":["fit","solve"],"n":2,"sum":0.5,"note":"batch 3"},{"path":["fit"],"n":1,"sum":0.75,"open":1}],
      "metrics":[{"no":1,"name":"loss","value":0.5},{"no":2,"name":"vibes","value":"bad"},{"no":3,"name":"big","value":false}],
      "logs":[{"no":1,"level":"warning","text":"hot"}])");
  const auto changes = feed.tick(0.6);
  REQUIRE(changes);
  CHECK(changes->number == 1);
  CHECK(changes->jobs[0].added);
  CHECK(feed.text() ==
        "study.py: running\n"
        "bar 1 epochs 4/30 running\n"
        "stage fit n 1 total 0.75 self 0.25 open 1\n"
        "stage fit/solve n 2 total 0.5 self 0.5 open 0 batch 3\n"
        "metric big false of false\n"
        "metric loss 0.5 of 0.5\n"
        "metric vibes \"bad\" of \"bad\"\n"
        "log 1 warning hot\n");
  CHECK(feed.job().identity->host == "node7");
  CHECK(feed.job().identity->tags.at("k") == "v");
  CHECK(feed.job().stages[0]->path == model::Path{"fit"});  // the parent first, though it came later
}

TEST_CASE("an older row, and a report that comes twice, change nothing") {
  Feed feed;
  feed.report(2, 5, R"("bars":[{"id":1,"n":50}],"stages":[{"path":["a"],"n":5,"sum":5}])");
  CHECK(feed.report(2.1, 4, R"("bars":[{"id":1,"n":40}],"stages":[{"path":["a"],"n":4,"sum":4}])"));
  CHECK_FALSE(feed.report(2.2, 5, R"("bars":[{"id":1,"n":50}])"));
  feed.tick(2.3);
  CHECK(std::get<std::int64_t>(feed.job().bars[0]->n) == 50);
  CHECK(feed.job().stages[0]->count == 5);
  CHECK(feed.job().up == 2);  // the older report does not set the clock back either
}

TEST_CASE("every order and every doubling of the same reports ends in the same job") {
  const std::vector<std::string> rows = {
      R"("hello":{"name":"a","host":"h"},"bars":[{"id":1,"n":1,"total":9}])",
      R"("stages":[{"path":["x","y"],"n":1,"sum":1}],"logs":[{"no":1,"text":"one"},{"no":2,"text":"tw","part":[1,2]}])",
      R"("stages":[{"path":["x"],"n":1,"sum":3},{"path":["z"],"n":1,"sum":1}],"metrics":[{"no":1,"name":"m","value":1}])",
      R"("bars":[{"id":1,"n":5,"total":9},{"id":2,"n":1}],"logs":[{"no":2,"text":"o","part":[2,2]},{"no":3,"text":"three"}])",
      R"("stages":[{"path":["x","y"],"n":2,"sum":2}],"metrics":[{"no":2,"name":"m","value":2},{"no":3,"name":"k","value":true}])",
      R"("bars":[{"id":1,"n":9,"total":9,"state":"done"},{"id":2,"n":4,"state":"left"}],
         "finish":{"elapsed":6,"code":0})"};
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::string expected;
  int orders = 0;
  do {
    Feed feed;
    for (const std::size_t i : order) {
      REQUIRE(feed.report(static_cast<double>(i + 1), i + 1, rows[i]));
      if (orders % 3 == 0) feed.tick(10);                   // snapshots in between must not matter
      if (orders % 2 == 0) feed.report(9, i + 1, rows[i]);  // nor doubles
    }
    feed.tick(11);
    if (expected.empty()) expected = feed.text();
    CHECK(feed.text() == expected);
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(orders == 720);
  CHECK(expected ==
        "a: finished code 0\n"
        "bar 1  9/9 done\nbar 2  4 left\n"
        "stage x n 1 total 3 self 1 open 0\nstage x/y n 2 total 2 self 2 open 0\nstage z n 1 total 1 self 1 open 0\n"
        "metric k true of true\nmetric m 2 of 1 2\n"
        "log 1 info one\nlog 2 info two\nlog 3 info three\n");
}

TEST_CASE("children that ran at once never make a parent's own time negative") {
  Feed feed;
  feed.report(
      1, 1,
      R"("stages":[{"path":["p"],"n":1,"sum":2},{"path":["p","a"],"n":1,"sum":2},{"path":["p","b"],"n":1,"sum":2}])");
  feed.tick(1);
  CHECK(feed.job().stages[0]->self == 0);
}

TEST_CASE(
    "a stage that is open has the time that it has been, and its own share of it goes down as its children grow") {
  Feed feed;
  feed.report(10, 1, R"("stages":[{"path":["fit"],"open":1,"since":10},{"path":["fit","step"],"n":8,"sum":8}])");
  feed.tick(10);
  CHECK(feed.job().stages[0]->spent() == 10);
  CHECK(feed.job().stages[0]->self == 2);
  // The row of the outer one is not told each time, but it is open all the while.
  feed.report(14, 2, R"("stages":[{"path":["fit","step"],"n":12,"sum":11}])");
  feed.tick(14);
  CHECK(feed.job().stages[0]->spent() == 14);
  CHECK(feed.job().stages[0]->self == 3);
  CHECK(feed.job().stages[0]->avg() == 0);
  feed.report(15, 3, R"("stages":[{"path":["fit"],"n":1,"sum":14.5}])");
  feed.tick(15);
  CHECK(feed.job().stages[0]->spent() == 14.5);
  CHECK(feed.job().stages[0]->avg() == 14.5);
}

TEST_CASE("siblings stand in order of arrival, below their parent") {
  Feed feed;
  feed.report(1, 1, R"("stages":[{"path":["b","z"]},{"path":["a"]}])");
  feed.tick(1);
  feed.report(2, 2, R"("stages":[{"path":["b","c"]},{"path":["b","z","q"]}])");
  const auto changes = feed.tick(2);
  std::string order;
  for (const auto& stage : feed.job().stages) order += stage->path.back();
  CHECK(order == "bzqca");
  CHECK(std::find(changes->jobs[0].stages.begin(), changes->jobs[0].stages.end(), 2u) != changes->jobs[0].stages.end());
}

TEST_CASE("a snapshot shares with the one before what did not change") {
  Feed feed;
  feed.report(
      1, 1, R"("hello":{"name":"x"},"bars":[{"id":1,"n":1},{"id":2,"n":1}],"stages":[{"path":["a"]},{"path":["b"]}])");
  feed.tick(1);
  const model::JobPtr before = feed.job_ptr();
  feed.report(2, 2, R"("bars":[{"id":2,"n":2}],"stages":[{"path":["b"],"n":1,"sum":1}])");
  const auto changes = feed.tick(2);
  CHECK(before->bars[0] == feed.job().bars[0]);
  CHECK(before->bars[1] != feed.job().bars[1]);
  CHECK(std::get<std::int64_t>(before->bars[1]->n) == 1);
  CHECK(before->stages[0] == feed.job().stages[0]);
  CHECK(before->identity == feed.job().identity);
  CHECK(changes->jobs[0].bars == std::vector<std::uint32_t>{1});
  CHECK(changes->jobs[0].stages == std::vector<std::uint32_t>{1});
  CHECK_FALSE(changes->jobs[0].about);
  CHECK_FALSE(feed.tick(2.01));
}

TEST_CASE("nothing to do is done; too much, too little and backwards are shown as they are") {
  Feed feed;
  feed.report(1, 1, R"("bars":[{"id":1,"n":0,"total":0,"state":"done"},{"id":2,"n":130,"total":100,"state":"done"},
                               {"id":3,"n":49,"total":100,"rate":2},{"id":4,"n":60,"total":100,"state":"left"}])");
  feed.report(2, 2, R"("bars":[{"id":3,"n":48,"total":100,"rate":2}])");
  feed.tick(2);
  CHECK(std::get<std::int64_t>(feed.job().bars[2]->n) == 48);
  feed.report(3, 3, R"("bars":[{"id":3,"n":100,"total":100,"state":"done"}],"finish":{"code":0})");
  feed.tick(3);
  CHECK(feed.text() ==
        ": finished code 0\nbar 1  0/0 done\nbar 2  130/100 done\nbar 3  100/100 done\nbar 4  60/100 left\n");
}

TEST_CASE("the trend is the mean of each group of calls, the last 28") {
  Feed feed;
  for (int i = 1; i <= 40; ++i)
    feed.report(
        i, static_cast<std::uint64_t>(i),
        R"("stages":[{"path":["a"],"n":)" + std::to_string(2 * i) + R"(,"sum":)" + std::to_string(i * (i + 1)) + "}]");
  feed.tick(40);
  const auto& trend = feed.job().stages[0]->trend;
  REQUIRE(trend.size() == 28);
  CHECK(trend.front() == doctest::Approx(13));  // two calls took 2 * 13 more than before
  CHECK(trend.back() == doctest::Approx(40));
}

TEST_CASE("the time left gets a range once the pace is known, around the sender's own estimate") {
  Feed feed;
  double elapsed = 0;
  for (int i = 1; i <= 12; ++i) {
    elapsed += i % 2 ? 1 : 3;
    feed.report(elapsed, static_cast<std::uint64_t>(i),
                R"("bars":[{"id":1,"n":)" + std::to_string(i) + R"(,"total":20,"elapsed":)" + std::to_string(elapsed) +
                    R"(,"eta":16}])");
    if (i == 4) {
      feed.tick(elapsed);
      CHECK_FALSE(feed.job().bars[0]->eta_range);
    }
  }
  feed.tick(elapsed);
  REQUIRE(feed.job().bars[0]->eta_range);
  CHECK(feed.job().bars[0]->eta_range->first == doctest::Approx(8));
  CHECK(feed.job().bars[0]->eta_range->second == doctest::Approx(24));
}

TEST_CASE("rows beyond the bounds are folded away and counted, deep paths too") {
  model::Limits limits;
  limits.bars = limits.stages = limits.metrics = 3;
  Feed feed(limits);
  for (int i = 1; i <= 10; ++i) {
    const std::string n = std::to_string(i);
    const std::string rows = R"("bars":[{"id":)" + n + R"(}],"stages":[{"path":["s)" + n + R"("]}],"metrics":[{"no":)" +
                             n + R"(,"name":"m)" + n + R"(","value":1}])";
    feed.report(i, static_cast<std::uint64_t>(i), rows);
  }
  feed.tick(10);
  CHECK(feed.job().bars.size() == 3);
  CHECK(feed.job().others_bars == 7);
  CHECK(feed.job().stages.size() == 3);
  CHECK(feed.job().others_stages == 7);
  CHECK(feed.job().metrics.size() == 3);
  CHECK(feed.job().others_metrics == 7);

  std::string deep = R"("stages":[{"path":["x")";
  for (int i = 0; i < 5000; ++i) deep += R"(,"")";
  Feed other;
  CHECK(other.report(1, 1, deep + "]}]"));
  other.tick(1);
  CHECK(other.job().stages.empty());
  CHECK(other.job().others_stages == 1);
}

TEST_CASE("beyond ten thousand jobs, those that ended first leave first") {
  model::Limits limits;
  limits.jobs = 2;
  Feed feed(limits);
  const std::string a = "aaaaaaaa-0000-4000-8000-000000000000", b = "bbbbbbbb-0000-4000-8000-000000000000",
                    c = "cccccccc-0000-4000-8000-000000000000";
  feed.report(1, 1, R"("hello":{"name":"a"})", a);
  feed.report(1, 1, R"("hello":{"name":"b"},"finish":{"code":0})", b);
  feed.tick(1);
  feed.report(2, 1, R"("hello":{"name":"c"})", c);
  const auto changes = feed.tick(2);
  REQUIRE(changes->gone.size() == 1);
  CHECK(model::to_string(changes->gone[0]) == b);
  CHECK(feed.model().size() == 2);
}
