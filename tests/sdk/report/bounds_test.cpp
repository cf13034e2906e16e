// SPDX-License-Identifier: MIT
// What is beyond the bounds is folded and counted, for all to see. A program of its own, as it uses up the process's
// bars.
#include "tests/sdk/report/support.hpp"

#include <unistd.h>

#include <fstream>

#include <doctest/doctest.h>

namespace macaw::report {

TEST_CASE("bars beyond the bound are one row that counts them") {
  Job job;
  job.round();
  CHECK(job.wire.peer.bars.empty());
  for (std::uint32_t i = 0; i < record::max_bars + 7; ++i) {
    if (auto* bar = open_bar("bar " + std::to_string(i), 1)) close_bar(bar);
  }
  job.run(3);
  CHECK(job.wire.peer.bars.size() == record::max_bars + 1);
  CHECK(job.wire.peer.bars.at(record::max_bars + 1) == "other 7/? state 1 repeats 0 in ");
}

TEST_CASE("the stages of all threads together are bounded, and none is lost") {
  Job job;
  for (int t = 0; t < 2; ++t) {
    std::thread([&, t] {
      for (int i = 0; i < 1500; ++i) pass("thread " + std::to_string(t) + " stage " + std::to_string(i));
      // Still there while the second thread starts, which so gets a record of its own.
      if (t == 0) {
        std::thread([] {
          for (int i = 0; i < 1500; ++i) pass("nested stage " + std::to_string(i));
        }).join();
      }
    }).join();
  }
  job.run(20);
  CHECK(job.wire.peer.stages.size() == record::max_stages + 1);
  std::uint64_t passes = 0;
  for (const auto& [path, row] : job.wire.peer.stages) passes += std::stoull(row.substr(2));
  CHECK(passes == 4500);
}

TEST_CASE("metric names beyond the bound are points of one name") {
  Job job;
  for (int i = 0; i < 3000; ++i) {
    record::ThreadRecord::mine().metric("name " + std::to_string(i), wire::Value{std::int64_t{i}}, std::nullopt);
  }
  job.run(10);
  std::set<std::string> names;
  for (const auto& [no, point] : job.wire.peer.points) names.insert(point.substr(0, point.find('=')));
  CHECK(names.size() == EventTable::max_metric_names + 1);
  CHECK(names.count("other") == 1);
  CHECK(job.wire.peer.points.size() == 3000);
}

TEST_CASE("what comes faster than it can be taken is dropped newest first, and the gap is numbered and counted") {
  Job job;
  job.round();
  const std::string line(1000, 'l');
  int kept = 0;
  for (int i = 0; i < 2000; ++i)
    kept += record::ThreadRecord::mine().log(wire::LogLevel::info, std::to_string(i) + line);
  int kept_points = 0;
  for (int i = 0; i < 20; ++i)
    kept_points += record::ThreadRecord::mine().metric("loss", wire::Value{wire::Text(line)}, std::nullopt);
  CHECK(kept < 2000);
  job.run(30);
  log("after");
  job.run(1);
  const Peer& peer = job.wire.peer;
  CHECK(peer.lines.size() == static_cast<std::size_t>(kept) + 1);
  CHECK(peer.lines.at(1).text == "0" + line);  // the oldest stayed
  CHECK(peer.lines.rbegin()->second.text == "after");
  CHECK(peer.lines.rbegin()->first == 2001);
  CHECK(job.reporter.events.lost_logs() == 2000 - static_cast<std::uint64_t>(kept));
  CHECK(job.reporter.events.lost_points() == 20 - static_cast<std::uint64_t>(kept_points));
}

TEST_CASE("200,000 names of stages and metrics need the memory of the first thousands") {
  const auto resident = [] {
    long pages = 0, resident_pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident_pages;
    return resident_pages * sysconf(_SC_PAGESIZE);
  };
  Job job;
  job.wire.loss = 1;  // the peer would keep every point
  std::int64_t after_first = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string name = "name of its own number " + std::to_string(i);
    pass(name);
    record::ThreadRecord::mine().metric(name, wire::Value{std::int64_t{i}}, std::nullopt);
    if (i % 1000 == 999) job.round();
    if (i == 20'000) after_first = resident();
  }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which hold on to what was freed
  CHECK(resident() - after_first < 8 << 20);
#endif
  job.wire.loss = 0;
  job.run(10);
  const Peer& peer = job.wire.peer;
  CHECK(peer.stages.size() <= record::max_stages + 1);
  std::uint64_t passes = 0;
  for (const auto& [path, row] : peer.stages) passes += std::stoull(row.substr(2));
  CHECK(passes >= 200'000);
  CHECK(std::stoull(peer.stages.at("other").substr(2)) >= 198'000);
  CHECK(job.reporter.events.latest.size() == EventTable::max_metric_names + 1);
}

}  // namespace macaw::report
