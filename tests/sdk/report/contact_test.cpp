// SPDX-License-Identifier: MIT
// Loss, silence, refusal and return: what the reporter does when the network does not do its part.
#include <doctest/doctest.h>

#include "tests/sdk/report/support.hpp"

namespace macaw::report {
namespace {

// A job of some size, with its end; the same each time but for times.
void play(Job& job, int index) {
  const std::string top = "play " + std::to_string(index);
  auto* bar = open_bar(top, 20);
  {
    const Inside outer(top);
    for (int i = 0; i < 20; ++i) {
      for (int k = 0; k < 30; ++k) pass("stage " + std::to_string(k));
      log("iteration " + std::to_string(i) + std::string(500, '.'));
      record::ThreadRecord::mine().metric("loss", 1.0 / (i + 1), wire::Number{std::int64_t{i}});
      bar->add(1);
      job.round();
    }
  }
  close_bar(bar);
  job.finish({20, 0, {}, wire::FinishState::finished, {}});
}

}  // namespace

TEST_CASE("with datagrams and answers lost at random, the final state is exactly that without loss") {
  int index = 0, incomplete = 0;
  for (const double loss : {0.2, 0.3}) {
    for (unsigned seed = 0; seed < 200; ++seed) {
      Job lossy;
      lossy.wire.loss = loss;
      lossy.wire.random.seed(seed);
      play(lossy, index % 4);
      // The same record, told once more without loss.
      Job whole;
      whole.collect();
      whole.finish({20, 0, {}, wire::FinishState::finished, {}});
      CHECK(lossy.wire.peer.finish == "state 0 code 0 signal none");
      for (const auto& [path, row] : whole.wire.peer.stages) {
        const auto got = lossy.wire.peer.stages.find(path);
        const auto counts = [](const std::string& words) { return words.substr(0, words.find(" sum")); };
        if (got == lossy.wire.peer.stages.end() || counts(got->second) != counts(row)) ++incomplete;
      }
      CHECK(lossy.wire.peer.bars == whole.wire.peer.bars);
      CHECK(lossy.wire.peer.lines.size() == 20);
      CHECK(lossy.wire.peer.points.size() == 20);
      ++index;
    }
  }
  CHECK(incomplete == 0);
}

TEST_CASE("an acknowledged finish ends at once") {
  Job job;
  pass("acknowledged");
  job.run(1);
  const double before = job.wire.now;
  job.finish({1, 0, {}, wire::FinishState::finished, {}});
  CHECK(job.wire.peer.finish == "state 0 code 0 signal none");
  CHECK(job.wire.now - before < 0.01);
}

TEST_CASE("into silence the finish goes three times in some 60 ms; to one who answered before, for half a second") {
  Job silent;
  silent.wire.answering = false;
  silent.run(1);
  double before = silent.wire.now;
  silent.finish();
  CHECK(silent.wire.now - before > 0.03);
  CHECK(silent.wire.now - before < 0.08);

  Job gone;
  gone.run(1);
  gone.wire.answering = false;
  before = gone.wire.now;
  gone.finish();
  CHECK(gone.wire.now - before <= 0.501);
  CHECK(gone.wire.now - before > 0.4);
}

TEST_CASE("a wish for what nobody has any more does not hold up the end") {
  Job job;
  const std::string line(1000, 'x');
  for (int i = 0; i < 3000; ++i) log(line);  // most find no room: numbers that will never come
  job.run(8);
  const double before = job.wire.now;
  const std::size_t sent = job.wire.sent;
  job.finish();
  CHECK(job.wire.now - before < 0.05);
  CHECK(job.wire.sent - sent < 2500);
}

TEST_CASE("where nobody listens a job asks once a second, and ends at once") {
  Job job;
  job.wire.listening = false;
  pass("unheard");
  job.run(10);
  CHECK(job.wire.sent >= 8);
  CHECK(job.wire.sent <= 30 + job.wire.peer.stages.size());
  CHECK(job.reporter.unsent_datagrams() > 0);
  const double before = job.wire.now;
  job.finish();
  CHECK(job.wire.now - before < 0.02);
}

TEST_CASE("a collector that comes back learns everything: name, rows, open stages, log lines") {
  Job job;
  const Inside open("open all the while");
  auto* bar = open_bar("going on", 100);
  log("while it was there");
  job.run(2);
  job.wire.listening = false;
  pass("while it was away", 4);
  bar->add(42);
  log("while it was away");
  job.run(20);
  job.wire.listening = true;
  job.wire.peer = Peer{};
  job.run(2);
  const Peer& peer = job.wire.peer;
  CHECK(peer.name == "test.py");
  CHECK(peer.stages.at("open all the while").find("open 1") != std::string::npos);
  CHECK(peer.stages.at("open all the while/while it was away").rfind("n 4 ", 0) == 0);
  CHECK(peer.bars.at(bar->id()).rfind("going on 42/100", 0) == 0);
  CHECK(peer.lines.size() == 2);
  close_bar(bar);
}

TEST_CASE("while a name is being resolved nothing is sent, and all of it after") {
  Job job;
  job.wire.resolved = false;
  pass("before the name was known");
  log("early");
  job.run(20);
  CHECK(job.wire.sent == 0);
  job.wire.resolved = true;
  job.run(1);
  CHECK(job.wire.peer.stages.count("before the name was known") == 1);
  CHECK(job.wire.peer.lines.size() == 1);
}

TEST_CASE("an answer for another job, or none at all, changes nothing") {
  Job job;
  pass("deaf to others");
  job.run(1);
  class Hostile : public Wire {
   public:
    std::size_t receive(char* buffer, std::size_t, double) override {
      if (left == 0) return 0;
      wire::Answer answer;
      answer.job[0] = 9;
      answer.want_reports = {{1, 1000}};
      std::string bytes;
      wire::encode(answer, bytes);
      if (left-- % 2) bytes = "\xff\x00garbage";
      std::copy(bytes.begin(), bytes.end(), buffer);
      return bytes.size();
    }
    int left = 10;
  } hostile;
  Reporter reporter(test_job, Job::hello(), wire::default_mtu, hostile, [] { return wire::Usage{}; });
  reporter.round({1, 1.8e9});
  const std::size_t sent = hostile.sent;
  reporter.round({1.1, 1.8e9});
  CHECK(hostile.left == 0);
  CHECK(hostile.sent == sent);
}

TEST_CASE("lost lines and points are sent again when asked for") {
  Job job;
  job.run(0.5);
  job.wire.loss = 1;
  log("lost");
  record::ThreadRecord::mine().metric("lost", wire::Value{std::int64_t{3}}, std::nullopt);
  job.run(0.5);
  job.wire.loss = 0;
  log("seen");
  record::ThreadRecord::mine().metric("seen", true, std::nullopt);
  job.run(6);  // the next hello is answered with what is missing
  CHECK(job.wire.peer.lines.at(1).text == "lost");
  CHECK(job.wire.peer.points.at(1) == "lost=3");
}

TEST_CASE("an error's traceback is a critical line that the finish names") {
  Job job;
  Finish finish;
  finish.state = wire::FinishState::failed;
  finish.code = 1;
  finish.error = Finish::Error{"ValueError", "no infs", "Traceback (most recent call last):\n  line 1"};
  job.finish(finish);
  const Peer& peer = job.wire.peer;
  CHECK(peer.finish == "state 1 code 1 signal none ValueError: no infs");
  REQUIRE(peer.trace);
  CHECK(peer.lines.at(*peer.trace).text == "Traceback (most recent call last):\n  line 1");
}

TEST_CASE("a farewell is a whole report of its own") {
  Job job;
  job.run(1);
  const std::string bytes = job.reporter.farewell(job.now(), 15, job.reporter.next_seq());
  job.wire.peer.take(bytes);
  CHECK(job.wire.peer.refused == 0);
  CHECK(job.wire.peer.finish == "state 2 code none signal 15");
  CHECK(bytes.size() <= 256);
  CHECK(*job.wire.peer.seqs.rbegin() == job.reporter.next_seq());
}

}  // namespace macaw::report
