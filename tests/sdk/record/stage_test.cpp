// SPDX-License-Identifier: MIT
// Stages as one thread records them: statistics, nesting, every way of leaving, and what another thread reads.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "sdk/src/record/thread_record.hpp"

namespace macaw::record {
namespace {

StageNode* stage(const char* name, StageNode* parent = nullptr) {
  ThreadRecord& thread = ThreadRecord::mine();
  return thread.child(parent ? parent : thread.root(), name, StageKind::stage, nullptr);
}

StageStats stats(const StageNode* node) {
  StageStats out;
  CHECK(node->read(out));
  return out;
}

std::size_t children(const StageNode* node) {
  std::size_t count = 0;
  for (const StageNode* c = node->first_child(); c; c = c->next_sibling()) ++count;
  return count;
}

}  // namespace

TEST_CASE("statistics equal a naive reference") {
  std::mt19937_64 random(1);
  std::vector<double> values;
  StageNode* node = stage("statistics");
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t took = 1'000'000'000 + random() % 1000;
    values.push_back(static_cast<double>(took));
    node->begin(5);
    node->end(5, 5 + took, i % 7 == 0);
  }
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  const double mean = sum / static_cast<double>(values.size());
  for (const double v : values) squares += (v - mean) * (v - mean);
  const StageStats s = stats(node);
  CHECK(s.n == values.size());
  CHECK(static_cast<double>(s.sum) == sum);
  CHECK(static_cast<double>(s.min) == *std::min_element(values.begin(), values.end()));
  CHECK(static_cast<double>(s.max) == *std::max_element(values.begin(), values.end()));
  CHECK(static_cast<double>(s.last) == values.back());
  CHECK(s.m2 == doctest::Approx(squares).epsilon(1e-9));
  CHECK(s.errors == 1429);
  CHECK(s.open == 0);
}

TEST_CASE("a clock that steps back gives no time, never a negative one") {
  StageNode* node = stage("steps back");
  node->begin(100);
  node->end(100, 40, false);
  const StageStats s = stats(node);
  CHECK(s.n == 1);
  CHECK(s.sum == 0);
}

TEST_CASE("the same name at the same place is one stage, whatever the hint; kinds are apart") {
  ThreadRecord& thread = ThreadRecord::mine();
  const char *one = "a", *two = "b";
  StageNode* node = thread.child(thread.root(), "same", StageKind::stage, one);
  CHECK(thread.child(thread.root(), "same", StageKind::stage, two) == node);
  CHECK(thread.child(thread.root(), "same", StageKind::stage, nullptr) == node);
  CHECK(thread.child(thread.root(), "same", StageKind::call, one) != node);
  CHECK(thread.child(node, "same", StageKind::stage, one) != node);
}

TEST_CASE("stages may be left in any order, and twice, and siblings stay siblings") {
  ThreadRecord& thread = ThreadRecord::mine();
  StageNode* const before = thread.current();
  const Entry outer = thread.enter(thread.child(before, "outer", StageKind::stage, nullptr));
  const Entry inner = thread.enter(thread.child(outer.node, "inner", StageKind::stage, nullptr));
  thread.leave(outer, false);
  CHECK(thread.current() == before);
  const Entry sibling = thread.enter(thread.child(thread.current(), "sibling", StageKind::stage, nullptr));
  thread.leave(inner, true);
  CHECK(thread.current() == sibling.node);
  thread.leave(sibling, false);
  CHECK(thread.current() == before);
  thread.leave(sibling, false);
  CHECK(thread.current() == before);
  CHECK(stats(sibling.node).open == 0);
  CHECK(stats(inner.node).errors == 1);
  CHECK(sibling.node->parent() == before);
}

TEST_CASE("an open stage tells since when") {
  ThreadRecord& thread = ThreadRecord::mine();
  const std::uint64_t before = ticks();
  const Entry first = thread.enter(stage("open"));
  const Entry again = thread.enter(first.node);
  const StageStats s = stats(first.node);
  CHECK(s.open == 2);
  CHECK(s.since >= before);
  CHECK(s.since == first.start);
  thread.leave(again, false);
  thread.leave(first, false);
  CHECK(stats(first.node).open == 0);
}

TEST_CASE("a note is wanted at first and once a round") {
  StageNode* node = stage("noted");
  CHECK(node->note_wanted());
  CHECK_FALSE(node->note_wanted());
  node->want_note();
  CHECK(node->note_wanted());
  node->set_note("shape=(4,)");
  CHECK(node->note() == "shape=(4,)");
}

TEST_CASE("a name of 20,000 characters is one bounded stage with a mark") {
  const std::string name(20'000, 'x');
  StageNode* node = stage(name.c_str());
  CHECK(node->name().size() <= wire::max_name_bytes);
  CHECK(node->name().find("…") != std::string_view::npos);
  CHECK(stage(name.c_str()) == node);
}

TEST_CASE("depth is bounded: deeper calls count into the deepest row") {
  std::thread([] {
    ThreadRecord& thread = ThreadRecord::mine();
    std::vector<Entry> entries;
    for (int i = 0; i < 1000; ++i) {
      entries.push_back(thread.enter(thread.child(thread.current(), "down", StageKind::call, nullptr)));
    }
    CHECK(thread.current()->depth() == max_depth);
    CHECK(stats(thread.current()).open == 1000 - max_depth + 1);
    for (; !entries.empty(); entries.pop_back()) thread.leave(entries.back(), false);
    CHECK(thread.current() == thread.root());
  }).join();
}

TEST_CASE("a reader never sees half of an update") {
  StageNode node(nullptr, "torn", StageKind::stage, nullptr);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop) {
      node.begin(1);
      node.end(1, 8, true);
    }
  });
  std::uint64_t seen = 0;
  while (seen < 20'000) {
    StageStats s;
    if (!node.read(s)) continue;
    if (s.sum != 7 * s.n || s.errors != s.n) FAIL("torn: n " << s.n << ", sum " << s.sum << ", errors " << s.errors);
    seen += s.n > 0;
  }
  stop = true;
  writer.join();
}

TEST_CASE("the record of a thread that ended serves the next one, with what it knew") {
  ThreadRecord* first = nullptr;
  std::thread([&] {
    first = &ThreadRecord::mine();
    first->enter(stage("left open by its thread"));
  }).join();
  for (int i = 0; i < 100; ++i) {
    std::thread([&] {
      CHECK(&ThreadRecord::mine() == first);
      CHECK(first->current() == first->root());
      first->leave(first->enter(stage("of all threads")), false);
    }).join();
  }
  std::uint64_t n = 0;
  for (const StageNode* c = first->root()->first_child(); c; c = c->next_sibling()) {
    if (c->name() == "of all threads") n = stats(c).n;
  }
  CHECK(n == 100);
}

TEST_CASE("ticks count up at the pace of the monotonic clock") {
  const std::uint64_t from_ns = monotonic_ns(), from = ticks();
  std::uint64_t last = from;
  while (monotonic_ns() - from_ns < 20'000'000) {
    const std::uint64_t now = ticks();
    REQUIRE(now >= last);
    last = now;
  }
  const double counted = static_cast<double>(ticks() - from) * seconds_per_tick();
  const double real = static_cast<double>(monotonic_ns() - from_ns) * 1e-9;
  CHECK(counted == doctest::Approx(real).epsilon(0.02));
}

// Last, as it uses up what a record has of stages.
TEST_CASE("the number of stages is bounded: more fold into one row that counts them") {
  std::thread([] {
    ThreadRecord& thread = ThreadRecord::mine();
    StageNode* parent = thread.child(thread.root(), "many names", StageKind::stage, nullptr);
    for (int i = 0; i < 20'000; ++i) {
      StageNode* node = thread.child(parent, "request " + std::to_string(i), StageKind::stage, nullptr);
      const Entry entry = thread.enter(node);
      thread.leave(thread.enter(thread.child(node, "inner " + std::to_string(i), StageKind::stage, nullptr)), false);
      thread.leave(entry, false);
    }
    CHECK(children(parent) <= max_stages);
    std::uint64_t all = 0;
    for (const StageNode* c = parent->first_child(); c; c = c->next_sibling()) {
      CHECK(children(c) <= 1);
      if (c->name() != "other")
        all += stats(c).n;
      else
        all += stats(c).n / 2;  // with the inner ones, which fold too
    }
    CHECK(all == 20'000);
  }).join();
}

}  // namespace macaw::record
