// SPDX-License-Identifier: MIT
// Bars: counts from one and from many threads, totals that are wrong, repeats of short loops, and the estimate of the
// end.
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "sdk/src/record/eta.hpp"
#include "sdk/src/record/thread_record.hpp"

namespace macaw::record {
namespace {

Bar* open(const char* desc, std::optional<Number> total = {}, std::optional<Number> initial = {}) {
  return ThreadRecord::mine().open_bar(desc, "", total, initial, nullptr);
}
void close(Bar* bar, BarState state = BarState::done) { ThreadRecord::mine().close_bar(bar, state); }

std::int64_t whole(const Number& n) { return std::get<std::int64_t>(n); }

}  // namespace

TEST_CASE("the owner's steps and set values") {
  Bar* bar = open("steps", Number{std::int64_t{100}}, Number{std::int64_t{90}});
  CHECK(whole(bar->n()) == 90);
  for (int i = 0; i < 40; ++i) bar->add(1);
  CHECK(whole(bar->n()) == 130);  // past its total: as it is
  bar->add(-50);                  // and back
  CHECK(whole(bar->n()) == 80);
  bar->set_n(Number{0.5});
  bar->add_real(0.25);
  CHECK(std::get<double>(bar->n()) == 0.75);
  bar->set_n(Number{std::int64_t{1} << 60});
  CHECK(whole(bar->n()) == std::int64_t{1} << 60);
  bar->set_total(std::nullopt);
  CHECK_FALSE(bar->total());
  bar->set_desc("renamed");
  CHECK(bar->words().desc == "renamed");
  close(bar);
}

TEST_CASE("steps from many threads are all counted") {
  Bar* bar = open("shared");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([bar] {
      for (int i = 0; i < 50'000; ++i) bar->add_shared(1);
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(whole(bar->n()) == 200'000);
  close(bar);
}

TEST_CASE("bars nest by the innermost open one, and close in any order") {
  Bar* outer = open("outer");
  Bar* inner = open("inner");
  CHECK(inner->outer() == outer);
  close(outer, BarState::left);
  CHECK(ThreadRecord::mine().innermost_bar() == nullptr);
  Bar* next = open("next");
  CHECK(next->outer() == nullptr);
  close(inner);
  CHECK(ThreadRecord::mine().innermost_bar() == next);
  close(next);
  CHECK(outer->state() == BarState::left);
  close(outer, BarState::done);  // ended once is ended
  CHECK(outer->state() == BarState::left);
}

TEST_CASE("a bar that another thread closed is nobody's parent any more") {
  Bar* handed = open("handed over");
  std::thread([handed] { close(handed); }).join();
  Bar* next = open("after it");
  CHECK(next->outer() == nullptr);
  close(next);
}

TEST_CASE("a short inner loop is one bar that counts its repeats") {
  Bar* outer = open("epochs");
  Bar* first = nullptr;
  for (int i = 0; i < 1000; ++i) {
    Bar* inner = open("batches", Number{std::int64_t{5}});
    if (!first) first = inner;
    CHECK(inner == first);
    CHECK(whole(inner->n()) == 0);
    CHECK(inner->repeats() == static_cast<std::uint64_t>(i));
    for (int k = 0; k < 5; ++k) inner->add(1);
    close(inner);
  }
  Bar* open_twice = open("batches");
  CHECK(open_twice == first);
  Bar* nested = open("batches");  // the first one still runs
  CHECK(nested != first);
  close(nested);
  close(open_twice);
  close(outer);
}

TEST_CASE("another stage is another place") {
  ThreadRecord& thread = ThreadRecord::mine();
  Bar* plain = open("same words");
  close(plain);
  const Entry entry = thread.enter(thread.child(thread.root(), "elsewhere", StageKind::stage, nullptr));
  Bar* inside = open("same words");
  CHECK(inside != plain);
  CHECK(inside->stage() == entry.node);
  close(inside);
  thread.leave(entry, false);
}

TEST_CASE("rate and end from this session's steps alone") {
  Eta eta;
  CHECK_FALSE(eta.rate());
  CHECK_FALSE(eta.left(10, 0));
  for (int s = 1; s <= 5; ++s) eta.update(s, s);  // initial 90 of 100 is not in `done`
  CHECK(*eta.rate() == doctest::Approx(1));
  CHECK(*eta.left(5, 5) == doctest::Approx(5));
  CHECK(*eta.left(5, 5.5) == doctest::Approx(4.5));
  CHECK(*eta.left(5, 500) == doctest::Approx(4));  // a step that takes long is at most done
  CHECK(*eta.left(0, 5) == 0);
  CHECK_FALSE(eta.left(-3, 5));
}

TEST_CASE("the estimate survives steps back, equal times and bursts") {
  Eta eta;
  eta.update(1, 50);
  eta.update(2, 49);
  eta.update(2, 49);
  eta.update(1, 60);
  for (int i = 0; i < 1000; ++i) {
    eta.update(2 + i * 0.001, 60 + (i % 3) * i);
    if (eta.rate()) CHECK(*eta.rate() > 0);
    if (const auto left = eta.left(100, 3)) CHECK((*left >= 0 && std::isfinite(*left)));
  }
}

TEST_CASE("uneven steps: the rate is that of the run, not of the last step") {
  Eta eta;
  double at = 0;
  for (int i = 1; i <= 1000; ++i) {
    at += i % 10 == 0 ? 0.91 : 0.01;
    eta.update(at, i);
  }
  CHECK(*eta.rate() > 5);
  CHECK(*eta.rate() < 40);
}

// Last, as it uses up what a process has of bars.
TEST_CASE("the number of bars is bounded, and what is beyond is counted") {
  const std::uint64_t folded = ThreadRecord::folded_bars();
  std::vector<Bar*> bars;
  for (std::uint32_t i = 0; i < max_bars + 10; ++i) bars.push_back(open(std::to_string(i).c_str()));
  CHECK(bars.back() == nullptr);
  CHECK(ThreadRecord::folded_bars() >= folded + 10);
  for (Bar* bar : bars) {
    if (bar) close(bar);
  }
}

}  // namespace macaw::record
