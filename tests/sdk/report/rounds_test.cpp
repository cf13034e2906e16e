// SPDX-License-Identifier: MIT
// What goes out in which round, on a clock of the test's own.
#include <doctest/doctest.h>

#include "tests/sdk/report/support.hpp"

namespace macaw::report {

TEST_CASE("hello every 5 s, usage every second, rows when they change and again within 10 s") {
  Job job;
  pass("changes once");
  job.run(12);
  CHECK(job.wire.peer.name == "test.py");
  CHECK(job.wire.peer.hellos.size() == 3);
  CHECK(job.wire.peer.usages.size() >= 11);
  CHECK(job.wire.peer.usages.size() <= 13);
  // Between: nothing new, so a round that has nothing due sends nothing at all.
  CHECK(job.wire.sent <= 16 + job.wire.peer.stages.size());
}

TEST_CASE("a change is in the next round") {
  Job job;
  job.run(1);
  pass("just now", 3);
  const std::size_t before = job.wire.sent;
  job.round();
  CHECK(job.wire.sent > before);
  CHECK(job.wire.peer.stages.at("just now").rfind("n 3 ", 0) == 0);
}

TEST_CASE("a collector that starts late sees the whole job within 10 s") {
  Job job;
  auto* bar = open_bar("late bar", 10);
  for (int i = 0; i < 300; ++i) pass("late " + std::to_string(i));
  {
    const Inside outer("late outer");
    pass("late inner", 7);
    record::ThreadRecord::mine().metric("late metric", 0.25, wire::Number{std::int64_t{12}});
    job.run(30);
    job.wire.peer = Peer{};  // restarted: it knows nothing
    job.run(9.8);
  }
  const Peer& peer = job.wire.peer;
  CHECK(peer.name == "test.py");
  for (int i = 0; i < 300; ++i) CHECK(peer.stages.count("late " + std::to_string(i)) == 1);
  CHECK(peer.stages.at("late outer/late inner").rfind("n 7 ", 0) == 0);
  CHECK(peer.stages.at("late outer").find("open 1") != std::string::npos);
  CHECK(peer.bars.at(bar->id()).rfind("late bar 0/10", 0) == 0);
  CHECK(
      std::any_of(peer.points.begin(), peer.points.end(), [](auto& p) { return p.second == "late metric=0.250000"; }));
  close_bar(bar);
}

TEST_CASE("a burst is spread over rounds, and arrives") {
  Job job;
  for (int i = 0; i < 40; ++i) log(std::string(15'000, 'b'));
  for (int i = 0; i < 5; ++i) {
    job.round();
    CHECK(job.wire.in_round <= 64 + 16);  // a line's pieces go together
  }
  job.run(2);
  CHECK(job.wire.peer.lines.size() == 40);
}

TEST_CASE("threads are merged by path") {
  Job job;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([] {
      const Inside root("parallel root");
      pass("parallel work", 50);
    });
  }
  for (auto& thread : threads) thread.join();
  job.round();
  CHECK(job.wire.peer.stages.at("parallel root").rfind("n 8 ", 0) == 0);
  CHECK(job.wire.peer.stages.at("parallel root/parallel work").rfind("n 400 ", 0) == 0);
}

TEST_CASE("statistics merged from threads equal those of one") {
  StageTable table;
  std::vector<double> values;
  std::vector<std::thread> threads;
  std::mutex mutex;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      auto& thread = record::ThreadRecord::mine();
      auto* node = thread.child(thread.root(), "merged values", wire::StageKind::stage, nullptr);
      const std::lock_guard<std::mutex> lock(mutex);
      for (std::uint64_t i = 0; i < 100; ++i) {
        const std::uint64_t took = 1000 * static_cast<std::uint64_t>(t) + i;
        values.push_back(static_cast<double>(took));
        node->begin(1);
        node->end(1, 1 + took, false);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  Job job;
  job.collect();
  const auto& rows = job.reporter.stages.rows;
  const auto row = std::find_if(rows.begin(), rows.end(), [](const StageRow& r) { return r.name == "merged values"; });
  REQUIRE(row != rows.end());
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  for (const double v : values) squares += (v - sum / 400) * (v - sum / 400);
  CHECK(row->stats.n == 400);
  CHECK(static_cast<double>(row->stats.sum) == sum);
  CHECK(row->stats.min == 0);
  CHECK(row->stats.max == 3099);
  CHECK(row->stats.m2 == doctest::Approx(squares).epsilon(1e-9));
}

TEST_CASE("a name of 20,000 characters, a line of 1 MiB and 500 metrics stay within their datagrams") {
  Job job;
  const std::string name(20'000, 'n');
  {
    const Inside stage(name);
    auto* bar = open_bar(name, 5);
    std::string line;
    for (int i = 0; line.size() < (1 << 20); ++i) line += "é" + std::to_string(i);
    log(line);
    for (int i = 0; i < 500; ++i) {
      record::ThreadRecord::mine().metric("m" + std::to_string(i), static_cast<double>(i), std::nullopt);
    }
    record::ThreadRecord::mine().metric(name, wire::Value{wire::Text(name)}, std::nullopt);
    job.run(2);
    const Peer& peer = job.wire.peer;
    CHECK(peer.refused == 0);
    CHECK(peer.largest <= wire::default_mtu);
    CHECK(peer.points.size() == 501);
    REQUIRE(peer.lines.size() == 1);
    const auto& got = peer.lines.begin()->second;
    CHECK(got.text.size() + got.cut == line.size());
    CHECK(got.text.size() > 16'000);
    CHECK(got.text == line.substr(0, got.text.size()));
    CHECK(wire::is_utf8(got.text));
    close_bar(bar);
  }
}

TEST_CASE("raising MACAW_MTU makes larger datagrams") {
  Job job(8000);
  log(std::string(7000, 'l'));
  job.round();
  CHECK(job.wire.peer.largest > 7000);
  CHECK(job.wire.peer.largest <= 8000);
}

TEST_CASE("bytes that are no text become readable, and every later line arrives") {
  Job job;
  {
    const Inside stage("bad \x97 name");
    log("before \x97\xff after");
    log("later");
    job.round();
  }
  const Peer& peer = job.wire.peer;
  CHECK(peer.refused == 0);
  CHECK(peer.lines.at(1).text == "before \uFFFD\uFFFD after");
  CHECK(peer.lines.at(2).text == "later");
  CHECK(peer.lines.at(1).stage == "bad \uFFFD name");
}

TEST_CASE("lines of several threads are numbered in the order of their time") {
  Job job;
  for (int i = 0; i < 50; ++i) {
    std::thread([i] { log("line " + std::to_string(2 * i)); }).join();
    log("line " + std::to_string(2 * i + 1));
  }
  job.round();
  for (std::uint64_t i = 0; i < 100; ++i) CHECK(job.wire.peer.lines.at(i + 1).text == "line " + std::to_string(i));
}

TEST_CASE("what found no room shows as a gap in the numbers") {
  Job job;
  const std::string line(1000, 'x');
  int kept = 0;
  for (int i = 0; i < 3000; ++i) kept += record::ThreadRecord::mine().log(wire::LogLevel::info, line) ? 1 : 0;
  job.collect();
  log("after");
  job.run(8);
  const auto& lines = job.wire.peer.lines;
  CHECK(kept < 3000);
  CHECK(lines.rbegin()->first == 3001);
  CHECK(lines.rbegin()->second.text == "after");
  CHECK(static_cast<int>(lines.size()) == kept + 1);
}

TEST_CASE("a bar with nothing to do is done at once, and takes up work when there is some") {
  Job job;
  auto* bar = open_bar("nothing", 0);
  job.round();
  CHECK(job.wire.peer.bars.at(bar->id()) == "nothing 0/0 state 1 repeats 0 in ");
  bar->set_total(wire::Number{std::int64_t{3}});
  job.round();
  CHECK(job.wire.peer.bars.at(bar->id()) == "nothing 0/3 state 0 repeats 0 in ");
  bar->set_n(wire::Number{std::int64_t{2}});
  bar->set_total(wire::Number{std::int64_t{0}});
  job.round();
  CHECK(job.wire.peer.bars.at(bar->id()) == "nothing 2/0 state 1 repeats 0 in ");
  close_bar(bar);
}

TEST_CASE("a wrong total is told as it is: over-run, set back, left, and ended early by its own iterator") {
  Job job;
  auto* bar = open_bar("wrong total", 100);
  bar->add(130);
  job.round();
  CHECK(job.wire.peer.bars.at(bar->id()) == "wrong total 130/100 state 0 repeats 0 in ");
  bar->set_n(wire::Number{std::int64_t{60}});
  job.round();
  CHECK(job.wire.peer.bars.at(bar->id()) == "wrong total 60/100 state 0 repeats 0 in ");
  close_bar(bar, wire::BarState::done);
  job.round();
  CHECK(job.wire.peer.bars.at(bar->id()) == "wrong total 60/100 state 1 repeats 0 in ");
}

TEST_CASE("rate and estimate leave out what was done before") {
  Job job;
  auto* bar = record::ThreadRecord::mine().open_bar("resumed", "", wire::Number{std::int64_t{100}},
                                                    wire::Number{std::int64_t{90}}, nullptr);
  const std::uint64_t from = record::monotonic_ns();
  for (int i = 0; i < 5; ++i) {
    while (record::monotonic_ns() - from < static_cast<std::uint64_t>(i + 1) * 10'000'000) {
    }
    bar->add(1);
    job.collect();
  }
  const auto& rows = job.reporter.bars.rows;
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const BarRow& r) { return r.bar == bar; });
  REQUIRE(row != rows.end());
  // About the 5 steps of this run, not the 95 that are done.
  CHECK(*row->rate() * row->elapsed > 1);
  CHECK(*row->rate() * row->elapsed < 30);
  CHECK(*row->left() >= 0);
  close_bar(bar);
}

}  // namespace macaw::report
