// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on a job, on an injected clock: ends, silence, standing still.
#include <doctest/doctest.h>

#include "collector/model/clock_skew.hpp"
#include "tests/support/feed.hpp"

using namespace macaw;
using model::State;
using test::Feed;

namespace {

State state_after(const std::string& rows) {
  Feed feed;
  feed.report(1, 1, rows);
  feed.tick(1);
  return feed.job().state;
}

std::string step(int n) { return R"("next":1,"bars":[{"id":1,"n":)" + std::to_string(n) + R"(,"total":1000}])"; }

}  // namespace

TEST_CASE("each ending has its state") {
  CHECK(state_after(R"("hello":{"name":"x"})") == State::running);
  CHECK(state_after(R"("finish":{"code":0})") == State::finished);
  CHECK(state_after(R"("finish":{})") == State::finished);
  CHECK(state_after(R"("finish":{"code":3})") == State::failed);
  CHECK(state_after(R"("finish":{"code":0,"error":{"type":"E","message":"m"}})") == State::failed);
  CHECK(state_after(R"("finish":{"state":"failed"})") == State::failed);
  CHECK(state_after(R"("finish":{"signal":11})") == State::failed);
  CHECK(state_after(R"("finish":{"signal":15})") == State::interrupted);
  CHECK(state_after(R"("finish":{"signal":2,"state":"interrupted"})") == State::interrupted);
  CHECK(state_after(R"("finish":{"code":130,"state":"interrupted"})") == State::interrupted);
}

TEST_CASE("ended early is a top-level bar open short of its known total, and nothing else") {
  const std::string end = R"("finish":{"code":0},"bars":[)";
  CHECK(state_after(end + R"({"id":1,"n":4,"total":10}])") == State::ended_early);
  CHECK(state_after(end + R"({"id":1,"n":4,"total":10,"state":"left"}])") == State::finished);
  CHECK(state_after(end + R"({"id":1,"n":10,"total":10}])") == State::finished);
  CHECK(state_after(end + R"({"id":1,"n":0,"total":0}])") == State::finished);
  CHECK(state_after(end + R"({"id":1,"n":4}])") == State::finished);
  CHECK(state_after(end + R"({"id":1,"n":10,"total":10},{"id":2,"parent":1,"n":4,"total":10}])") == State::finished);
  CHECK(state_after(R"("finish":{"code":1},"bars":[{"id":1,"n":4,"total":10}])") == State::failed);
}

TEST_CASE("a late row is still taken, and may settle how it ended") {
  Feed feed;
  feed.report(1, 1, R"("bars":[{"id":1,"n":4,"total":10}])");
  feed.tick(1);
  feed.report(2, 3, R"("finish":{"code":0,"elapsed":2})");
  feed.tick(2.4);
  CHECK(feed.job().state == State::running);  // what is missing may come yet
  feed.tick(2.6);
  CHECK(feed.job().state == State::ended_early);
  feed.report(2.7, 2, R"("bars":[{"id":1,"n":10,"total":10,"state":"done"}])");
  feed.tick(2.7);
  CHECK(feed.job().state == State::finished);
  CHECK(feed.job().elapsed(99) == 2);
}

TEST_CASE("the newest word on the end holds, and no silence overwrites it") {
  Feed feed;
  feed.report(1, 1, R"("next":1,"finish":{"signal":15,"state":"interrupted"})");
  feed.report(2, 2, R"("next":1,"finish":{"code":0,"elapsed":2})");
  feed.tick(2);
  CHECK(feed.job().state == State::finished);
  feed.tick(1000);
  CHECK(feed.job().state == State::finished);
  feed.report(1001, 3, R"("next":1)");
  feed.tick(1001);
  CHECK(feed.job().state == State::finished);
}

TEST_CASE("silence after a promise is no contact within 20 s; the clock stops; it turns back") {
  Feed feed;
  feed.report(10, 1, R"("next":1)");
  feed.tick(10);
  CHECK(feed.job().elapsed(20) == 20);
  CHECK_FALSE(feed.tick(24.9));
  const auto changes = feed.tick(25.6);
  REQUIRE(changes);
  CHECK(changes->jobs[0].about);
  CHECK(feed.job().state == State::no_contact);
  CHECK(feed.job().elapsed(100) == 10);
  feed.report(60, 2, R"("next":1)");
  feed.tick(60);
  CHECK(feed.job().state == State::running);
  CHECK(feed.job().elapsed(61) == 61);
}

TEST_CASE("a longer promise is waited for three times over") {
  Feed feed;
  feed.report(0, 1, R"("next":10)");
  feed.tick(29);
  CHECK(feed.job().state == State::running);
  feed.tick(31);
  CHECK(feed.job().state == State::no_contact);
}

TEST_CASE("who promised nothing is never out of contact") {
  Feed feed;
  feed.report(1, 1, R"("hello":{"name":"shell"})");
  feed.tick(1);
  feed.tick(100000);
  CHECK(feed.job().state == State::running);
}

TEST_CASE("stalled is to stand still far longer than ever before, while alive") {
  Feed feed;
  std::uint64_t seq = 0;
  for (int i = 1; i <= 20; ++i) feed.report(i, ++seq, step(i));
  feed.tick(20);
  CHECK(feed.job().state == State::running);
  const auto wait_until = [&](double until) {
    for (double now = feed.job().up + 1; now <= until; ++now) feed.report(now, ++seq, step(20));
    feed.tick(until);
  };
  wait_until(75);
  CHECK(feed.job().state == State::running);
  wait_until(85);
  CHECK(feed.job().state == State::stalled);
  feed.report(86, ++seq, step(21));
  feed.tick(86);
  CHECK(feed.job().state == State::running);
}

TEST_CASE("a job of long steps, or one that has hardly begun, does not stall") {
  Feed slow;
  for (int i = 1; i <= 8; ++i) slow.report(100.0 * i, static_cast<std::uint64_t>(i), step(i));
  slow.report(1200, 9, step(8));
  slow.tick(1200);
  CHECK(slow.job().state == State::running);

  Feed fresh;
  fresh.report(1, 1, step(1));
  for (int i = 2; i < 200; ++i) fresh.report(i, static_cast<std::uint64_t>(i), R"("next":1)");
  fresh.tick(199);
  CHECK(fresh.job().state == State::running);
}

TEST_CASE("the traceback is the log line that the error names, whichever comes first") {
  const std::string finish = R"("finish":{"code":1,"error":{"type":"ValueError","message":"no infs","trace":1}})";
  const std::string line = R"("logs":[{"no":1,"level":"critical","text":"Traceback…"}])";
  for (const bool line_first : {true, false}) {
    Feed feed;
    feed.report(1, 1, line_first ? line : finish);
    feed.tick(1);
    feed.report(2, 2, line_first ? finish : line);
    feed.tick(2);
    REQUIRE(feed.job().error);
    CHECK(feed.job().error->type == "ValueError");
    CHECK(feed.job().error->traceback == "Traceback…");
  }
}

TEST_CASE("a start that the sender does not tell is guessed once, and ages never go back") {
  Feed feed;
  feed.report(5, 1, "");
  feed.tick(5);
  CHECK(feed.job().started == doctest::Approx(1e9));
  feed.report(7, 2, R"("hello":{"name":"x","start":123.5})");
  feed.tick(7);
  CHECK(feed.job().started == 123.5);
  CHECK(feed.job().elapsed(3) == 7);
}

TEST_CASE("silence that the collector itself slept through is nobody's") {
  Feed feed;
  feed.report(1, 1, R"("next":3)");
  feed.tick(1);
  feed.model().tick(60, 2);  // stopped from 2 to 60, and what came in between is not read yet
  CHECK(feed.job().state == State::running);
  feed.report(60, 20, R"("next":3)");
  feed.tick(61);
  CHECK(feed.job().state == State::running);
  feed.tick(76);
  CHECK(feed.job().state == State::no_contact);
}

TEST_CASE("a machine that slept for an hour comes back with its clocks apart, and nothing is negative") {
  Feed feed;
  feed.report(100, 1, R"("next":3,"bars":[{"id":1,"n":50,"total":100,"elapsed":99,"eta":99}])");
  feed.tick(100);
  feed.tick(3600);
  CHECK(feed.job().state == State::no_contact);
  // Its monotonic clock stood still meanwhile.
  feed.report_at(3700, 101, 2, R"("next":3,"bars":[{"id":1,"n":51,"total":100,"elapsed":100,"eta":98}])");
  feed.tick(3700);
  CHECK(feed.job().state == State::running);
  CHECK(feed.job().elapsed(3700) == 101);
  CHECK(feed.job().elapsed(3690) >= 101);
}

TEST_CASE("a wall clock that is off is told, network delay is not, and a clock set right is forgotten") {
  model::ClockSkew skew;
  skew.add(-0.4, 0);
  CHECK_FALSE(skew.value());
  skew.add(-20, 1);  // one report that waited
  CHECK_FALSE(skew.value());
  skew.add(300, 2);  // set forward
  CHECK(*skew.value() == 300);
  for (int t = 3; t < 200; ++t) skew.add(0.1, t);
  CHECK_FALSE(skew.value());
  for (int t = 200; t < 400; ++t) skew.add(-7200, t);
  CHECK(*skew.value() == -7200);
}

TEST_CASE("the skew of a job is in its snapshot, and changes it only when it does") {
  Feed feed;
  const auto report = [&](double now, std::uint64_t seq, double ahead) {
    feed.report(now, seq, R"("t":)" + std::to_string(1e9 + now + ahead));
  };
  report(1, 1, 90.2);
  feed.tick(1);
  CHECK(feed.job().skew == 90);
  report(2, 2, 89.9);
  const auto changes = feed.tick(2);
  CHECK(feed.job().skew == 90);
  CHECK_FALSE(changes->jobs[0].about);
  CHECK(feed.job().started == doctest::Approx(1e9));
}

TEST_CASE("two processes with one name, or with one pid after the other, are two jobs") {
  Feed feed;
  const std::string hello = R"("hello":{"name":"train.py","host":"gpu3","pid":77})";
  const std::string other = "00000000-0000-4000-8000-000000000002";
  feed.report(1, 1, hello + R"(,"finish":{"elapsed":1})");
  feed.report(1, 1, hello + R"(,"bars":[{"id":1,"n":3}])", other);
  feed.tick(1);
  CHECK(feed.model().size() == 2);
  CHECK(feed.job().state == State::running);
  CHECK(feed.job().bars.size() == 1);
}
