// SPDX-License-Identifier: GPL-3.0-or-later
// Log lines and metric points: each once, in order, gaps counted exactly, bounded; and what is asked for again.
#include <doctest/doctest.h>

#include <cmath>

#include "collector/model/numbers.hpp"
#include "tests/support/feed.hpp"

using namespace macaw;
using test::Feed;

namespace {

std::string line(std::uint64_t no, const std::string& text, const std::string& more = "") {
  return R"("logs":[{"no":)" + std::to_string(no) + R"(,"text":")" + text + '"' + more + "}]";
}

std::string log_text(const model::Job& job) {
  std::string text;
  for (const auto& chunk : job.log->chunks)
    for (const auto& l : *chunk) text += l.text + ' ';
  return text;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs(const std::vector<wire::Range>& ranges) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  for (const auto& r : ranges) out.emplace_back(r.from, r.to);
  return out;
}

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

}  // namespace

TEST_CASE("a gap in the log is counted, asked for, filled in its place and told as repaired") {
  Feed feed;
  feed.report(1, 1, line(1, "a"));
  feed.report(2, 2, line(4, "d") + R"(,"hello":{"name":"x"})");
  feed.tick(2);
  CHECK(feed.job().lost.logs == 2);
  CHECK(pairs(feed.answer().want_logs) == Pairs{{2, 3}});
  feed.report(3, 3, line(3, "c"));
  auto changes = feed.tick(3);
  CHECK(log_text(feed.job()) == "a c d ");
  CHECK(feed.job().lost.logs == 1);
  CHECK(changes->jobs[0].log_repaired);
  CHECK(changes->jobs[0].log_after == 4);
  feed.report(4, 4, line(5, "e"));
  changes = feed.tick(4);
  CHECK_FALSE(changes->jobs[0].log_repaired);
  CHECK(changes->jobs[0].log_changed);
  CHECK(changes->jobs[0].log_after == 4);
}

TEST_CASE("full chunks stay the same objects; late lines go into the right one") {
  Feed feed;
  std::uint64_t seq = 0;
  for (std::uint64_t no = 1; no <= 700; ++no)
    if (no != 300) feed.report(1, ++seq, line(no, std::to_string(no)));
  feed.tick(1);
  const auto before = feed.job_ptr();
  CHECK(before->log->chunks.size() == 3);
  CHECK(before->log->chunks[0]->size() == model::Log::chunk_lines);
  feed.report(2, ++seq, line(300, "300"));
  feed.tick(2);
  CHECK(feed.job().log->chunks[0] == before->log->chunks[0]);
  CHECK(feed.job().log->chunks[1] != before->log->chunks[1]);
  CHECK(feed.job().log->lines == 700);
  std::uint64_t expected = 1;
  for (const auto& chunk : feed.job().log->chunks)
    for (const auto& l : *chunk) CHECK(l.no == expected++);
}

TEST_CASE("pieces of a line are joined, whatever their order; a missing one shows as a gap until it comes") {
  Feed feed;
  feed.report(1, 1, line(1, "ab", R"(,"part":[1,3])"));
  feed.report(2, 2, line(1, "ef", R"(,"part":[3,3])"));
  feed.tick(2);
  CHECK(feed.job().log->lines == 0);
  feed.tick(6);
  CHECK(log_text(feed.job()) == "ab[…]ef ");
  feed.report(7, 3, line(1, "cd", R"(,"part":[2,3])"));
  const auto changes = feed.tick(7);
  CHECK(log_text(feed.job()) == "abcdef ");
  CHECK(changes->jobs[0].log_repaired);
  CHECK(feed.job().lost.logs == 0);
  CHECK_FALSE(feed.report(8, 3, line(1, "cd", R"(,"part":[2,3])")));
}

TEST_CASE("the log keeps its newest lines") {
  model::Limits limits;
  limits.log_lines = 1000;
  Feed feed(limits);
  for (std::uint64_t no = 1; no <= 3000; ++no) feed.report(1, no, line(no, "x"));
  feed.tick(1);
  const model::Log& log = *feed.job().log;
  CHECK(log.lines <= 1000);
  CHECK(log.lines > 700);
  CHECK(log.last_no == 3000);
  CHECK(log.dropped + log.lines == 3000);
  CHECK(log.first_no == log.dropped + 1);
}

TEST_CASE("metric points come once each, in order; the newest is the latest") {
  Feed feed;
  const auto point = [](int no, const std::string& value) {
    return R"("metrics":[{"no":)" + std::to_string(no) + R"(,"name":"loss","value":)" + value + "}]";
  };
  feed.report(1, 1, point(1, "1"));
  feed.report(2, 2, point(3, R"("nan")"));
  feed.report(3, 3, point(3, R"("nan")"));  // refreshed
  feed.tick(3);
  CHECK(feed.job().lost.metrics == 1);
  feed.report(4, 4, point(2, R"("-inf")"));
  feed.tick(4);
  const model::Metric& metric = *feed.job().metrics[0];
  CHECK(metric.points == 3);
  CHECK(feed.job().lost.metrics == 0);
  CHECK(std::isnan(std::get<double>(metric.latest.value)));
  REQUIRE(metric.first_nonfinite);
  CHECK(metric.first_nonfinite->no == 2);
  CHECK(metric.chunks.back()->at(1).no == 2);
}

TEST_CASE("a long series is thinned, with its lows and highs kept") {
  model::Limits limits;
  limits.points = 400;
  Feed feed(limits);
  std::uint64_t seq = 0;
  for (int no = 1; no <= 5000; ++no) {
    const double value = no == 777 ? 1e6 : no == 3001 ? -1e6 : std::sin(no);
    feed.report(no, ++seq,
                R"("metrics":[{"no":)" + std::to_string(no) + R"(,"name":"m","value":)" + std::to_string(value) + "}]");
    if (no % 50 == 0) feed.tick(no);
  }
  feed.tick(5000);
  const model::Metric& metric = *feed.job().metrics[0];
  std::size_t kept = 0;
  double low = 0, high = 0;
  std::uint64_t last = 0;
  for (const auto& chunk : metric.chunks) {
    for (const auto& p : *chunk) {
      ++kept;
      low = std::min(low, std::get<double>(p.value));
      high = std::max(high, std::get<double>(p.value));
      CHECK(p.no > last);
      last = p.no;
    }
  }
  CHECK(kept <= 400);
  CHECK(kept + metric.thinned == 5000);
  CHECK(low == -1e6);
  CHECK(high == 1e6);
  CHECK(last == 5000);
}

TEST_CASE("who comes late asks for what was before, but does not call it lost") {
  Feed feed;
  feed.report(1, 100, R"("hello":{"name":"x"})");
  feed.report(2, 103, R"("hello":{"name":"x"})");
  feed.tick(2);
  CHECK(feed.job().lost.datagrams == 2);
  const wire::Answer answer = feed.answer();
  CHECK(answer.ack == 103);
  CHECK(pairs(answer.want_reports) == Pairs{{1, 99}, {101, 102}});
}

TEST_CASE("what did not fit into an answer was not asked for") {
  Feed feed;
  for (std::uint64_t no = 2; no <= 20; no += 2)
    feed.report(1, no, R"("metrics":[{"no":)" + std::to_string(no) + R"(,"name":"m","value":1}])");
  for (int i = 0; i < 20; ++i) CHECK(feed.answer(45).want_metrics.empty());
  CHECK(feed.answer().want_metrics.size() == 10);
}

TEST_CASE("a small answer still names every gap of every kind") {
  Feed feed;
  for (std::uint64_t no = 2; no <= 200; no += 2) {
    const std::string n = std::to_string(no);
    feed.report(1, no,
                R"("metrics":[{"no":)" + n + R"(,"name":"m","value":1}],"logs":[{"no":)" + n + R"(,"text":"x"}])");
  }
  const wire::Answer answer = feed.answer(200);
  for (const auto* ranges : {&answer.want_reports, &answer.want_logs, &answer.want_metrics}) {
    REQUIRE_FALSE(ranges->empty());
    CHECK(ranges->front().from == 1);
    CHECK(ranges->back().to == 199);
  }
}

TEST_CASE("gaps: split, closed, asked for a few times, joined where there are too many") {
  model::Numbers numbers;
  CHECK(numbers.add(10));
  CHECK(numbers.missing() == 9);
  CHECK(numbers.add(5));
  CHECK_FALSE(numbers.add(5));
  CHECK(numbers.add(1));
  CHECK(numbers.missing() == 7);
  for (int i = 0; i < 8; ++i) {
    CHECK(pairs(numbers.wanted(16)) == Pairs{{2, 4}, {6, 9}});
    numbers.asked({{1, 5}});
  }
  CHECK(pairs(numbers.wanted(16)) == Pairs{{6, 9}});
  CHECK(numbers.add(7));
  CHECK(numbers.missing() == 6);

  model::Numbers holes;
  for (std::uint64_t no = 2; no <= 200; no += 2) holes.add(no);
  const auto joined = holes.wanted(4);
  CHECK(joined.size() == 4);
  CHECK(joined.front().from == 1);
  CHECK(joined.back().to == 199);

  model::Numbers wild;  // numbers out of this world cost nothing
  wild.add(~std::uint64_t{0});
  wild.add(1);
  CHECK(wild.missing() == ~std::uint64_t{0} - 2);
}
