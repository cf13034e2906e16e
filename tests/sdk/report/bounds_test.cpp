// SPDX-License-Identifier: MIT
// What is beyond the bounds is folded and counted, for all to see. A program of its own, as it uses up the process's
// bars.
#include "tests/sdk/report/support.hpp"

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

}  // namespace macaw::report
