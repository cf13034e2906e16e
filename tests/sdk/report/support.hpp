// SPDX-License-Identifier: MIT
// What the reporter's tests share: a clock that stands until it is moved, a transport that loses what it likes, and a
// peer that holds what a collector would hold, in text, so that two of them can be compared.
#pragma once

#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sdk/src/report/reporter.hpp"
#include "sdk/src/wire/decode.hpp"
#include "sdk/src/wire/utf8.hpp"

namespace macaw::report {

inline const wire::JobId test_job{0xa3, 0xf2, 0xc1, 0xd0, 0x5b, 0x7e, 0x4c, 0x19,
                                  0x8f, 0x02, 0x9d, 0x3e, 0x61, 0xb7, 0xa0, 0x45};

inline std::string join(const wire::Report& report, wire::Path path) {
  std::string out;
  for (std::uint32_t i = 0; i < path.size; ++i) out += (i ? "/" : "") + std::string(report.names[path.first + i]);
  return out;
}

inline std::string number(const wire::Number& n) {
  return std::visit([](auto v) { return std::to_string(v); }, n);
}

inline std::string value_text(const wire::Value& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, wire::Text>)
          return std::string(v);
        else
          return std::to_string(v);
      },
      value);
}

struct Peer {
  struct Line {
    std::string text;
    std::vector<std::string> parts;
    std::uint64_t cut = 0;
    std::string stage;
  };
  std::map<std::string, std::string> stages;  // path, to its row in words
  std::map<std::uint64_t, std::string> bars;
  std::map<std::uint64_t, std::string> points;
  std::map<std::uint64_t, Line> lines;
  std::map<std::string, std::uint64_t> row_seq;
  std::set<std::uint64_t> seqs;
  std::vector<double> hellos, usages;  // `up` of each
  std::string name, finish;
  std::optional<std::uint64_t> trace;
  std::size_t largest = 0, refused = 0;

  // Takes a datagram; returns the answer to send, or nothing.
  std::optional<wire::Answer> take(const std::string& bytes) {
    wire::Report report;
    largest = std::max(largest, bytes.size());
    const auto verdict = wire::decode(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), report);
    if (verdict != wire::Decoded::ok || report.refused_rows) {
      ++refused;
      return std::nullopt;
    }
    seqs.insert(report.seq);
    for (const wire::Stage& s : report.stages) {
      char row[200];
      std::snprintf(row, sizeof row, "n %llu sum %.17g open %llu errors %llu ", static_cast<unsigned long long>(s.n),
                    s.sum, static_cast<unsigned long long>(s.open), static_cast<unsigned long long>(s.errors));
      put("stage " + join(report, s.path), report.seq, stages[join(report, s.path)], row + std::string(s.note));
    }
    for (const wire::Bar& b : report.bars) {
      put("bar " + std::to_string(b.id), report.seq, bars[b.id],
          std::string(b.desc) + " " + number(b.n) + "/" + (b.total ? number(*b.total) : "?") + " state " +
              std::to_string(static_cast<int>(b.state)) + " repeats " + std::to_string(b.repeats) + " in " +
              join(report, b.stage));
    }
    for (const wire::Metric& m : report.metrics) points[m.no] = std::string(m.name) + "=" + value_text(m.value);
    for (const wire::Log& l : report.logs) {
      Line& line = lines[l.no];
      line.parts.resize(l.parts);
      line.parts[l.part - 1] = l.text;
      line.cut = l.cut;
      line.stage = join(report, l.stage);
      line.text.clear();
      for (const std::string& part : line.parts) line.text += part;
    }
    if (report.hello) {
      name = report.hello->name;
      hellos.push_back(report.up);
    }
    if (report.usage) usages.push_back(report.up);
    if (report.finish) {
      finish = "state " + std::to_string(static_cast<int>(report.finish->state)) + " code " +
               (report.finish->code ? std::to_string(*report.finish->code) : "none") + " signal " +
               (report.finish->signal ? std::to_string(*report.finish->signal) : "none");
      if (report.finish->error) {
        finish += " " + std::string(report.finish->error->type) + ": " + std::string(report.finish->error->message);
        trace = report.finish->error->trace;
      }
    }
    if (!report.hello && !report.finish) return std::nullopt;
    wire::Answer answer;
    answer.job = report.job;
    answer.ack = report.seq;
    answer.want_reports = gaps(seqs);
    answer.want_logs = gaps(numbers(lines));
    answer.want_metrics = gaps(numbers(points));
    return answer;
  }

  std::string everything() const {
    std::string out = "finish " + finish + "\n";
    for (const auto& [path, row] : stages) out += path + ": " + row + "\n";
    for (const auto& [id, row] : bars) out += "bar " + std::to_string(id) + ": " + row + "\n";
    for (const auto& [no, text] : points) out += std::to_string(no) + " " + text + "\n";
    for (const auto& [no, line] : lines) out += std::to_string(no) + " " + line.stage + "> " + line.text + "\n";
    return out;
  }

 private:
  void put(const std::string& key, std::uint64_t seq, std::string& row, std::string words) {
    if (row_seq[key] > seq) return;
    row_seq[key] = seq;
    row = std::move(words);
  }
  template <class Map>
  static std::set<std::uint64_t> numbers(const Map& map) {
    std::set<std::uint64_t> out;
    for (const auto& entry : map) out.insert(entry.first);
    return out;
  }
  static std::vector<wire::Range> gaps(const std::set<std::uint64_t>& numbers) {
    std::vector<wire::Range> out;
    std::uint64_t next = 1;
    for (const std::uint64_t n : numbers) {
      if (n > next) out.push_back({next, n - 1});
      next = n + 1;
    }
    // Too many to name: the oldest share a range with what lies between them.
    while (out.size() > wire::max_ranges) {
      out[1].from = out[0].from;
      out.erase(out.begin());
    }
    return out;
  }
};

// Time moves when somebody waits for an answer, and when a test says so.
class Wire : public Transport {
 public:
  Peer peer;
  double now = 0;
  double loss = 0;        // of datagrams and of answers
  bool listening = true;  // nobody listens: what comes is refused
  bool answering = true;
  bool resolved = true;
  std::size_t sent = 0, in_round = 0;
  std::mt19937 random{1};

  bool ready(double) override { return resolved && (!refused_ || now >= ask_again_); }
  void send(Datagram* datagrams, std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) {
      if (take(datagrams[i].data, datagrams[i].size)) datagrams[i].fate = Datagram::Fate::taken;
    }
  }
  std::size_t receive(char* buffer, std::size_t size, double wait) override {
    if (answers_.empty()) {
      now += wait;
      return 0;
    }
    now += std::min(wait, 0.0001);
    const std::string bytes = answers_.front();
    answers_.pop_front();
    std::copy_n(bytes.data(), std::min(size, bytes.size()), buffer);
    return std::min(size, bytes.size());
  }
  bool refused() const override { return refused_; }

 private:
  bool take(const char* data, std::size_t size) {
    if (refused_ && now < ask_again_) return false;
    ++sent;
    ++in_round;
    if (!listening) {
      refused_ = true;
      ask_again_ = now + 1;
      return false;
    }
    refused_ = false;
    if (lost()) return true;
    const auto answer = peer.take({data, size});
    if (answer && answering && !lost()) {
      std::string bytes;
      wire::encode(*answer, bytes, size);  // never larger than what it answers
      answers_.push_back(bytes);
    }
    return true;
  }
  bool lost() { return loss > 0 && std::uniform_real_distribution<double>(0, 1)(random) < loss; }
  std::deque<std::string> answers_;
  bool refused_ = false;
  double ask_again_ = 0;
};

// Nodes remember their row, which belongs to the reporter before this one.
inline void forget(record::StageNode& node) {
  node.merged = -1;
  for (auto* child = node.first_child(); child; child = child->next_sibling()) forget(*child);
}
inline void forget_all() {
  for (auto* thread = record::ThreadRecord::first(); thread; thread = thread->next()) {
    forget(*thread->root());
    thread->events().drain([](const char*, std::uint32_t) {});
    thread->take_dropped_logs();
    thread->take_dropped_metrics();
  }
}

// A job of one test: its reporter over what this process records from now on.
struct Job {
  Wire wire;
  Reporter reporter;
  std::uint64_t start = record::ticks();

  explicit Job(std::size_t mtu = wire::default_mtu)
      : reporter(test_job, hello(), mtu, wire, [] { return wire::Usage{}; }) {
    forget_all();
  }

  static Hello hello() {
    Hello hello;
    hello.name = "test.py";
    hello.host = "workstation";
    hello.user = "someone";
    hello.cwd = "/home/someone/research/experiment";
    hello.lang = "c++";
    hello.sdk = "macaw 0.1.0";
    hello.argv = {"/home/someone/research/experiment/test.py", "--epochs", "200"};
    return hello;
  }
  void collect() { reporter.collect(record::ThreadRecord::first(), start); }
  Now now() const { return {wire.now, 1.8e9 + wire.now}; }
  void round() {
    wire.in_round = 0;
    collect();
    reporter.round(now());
    wire.now += 0.1;
  }
  void run(double seconds) {
    for (const double end = wire.now + seconds; wire.now < end;) round();
  }
  void finish(Finish finish = {}) {
    collect();
    reporter.finish(finish, [this] { return now(); });
  }
};

// --- what a job does ---

inline void pass(const std::string& name, int times = 1) {
  auto& thread = record::ThreadRecord::mine();
  for (int i = 0; i < times; ++i) {
    thread.leave(thread.enter(thread.child(thread.current(), name, wire::StageKind::stage, nullptr)), false);
  }
}

class Inside {
 public:
  explicit Inside(const std::string& name) {
    auto& thread = record::ThreadRecord::mine();
    entry_ = thread.enter(thread.child(thread.current(), name, wire::StageKind::stage, nullptr));
  }
  ~Inside() { record::ThreadRecord::mine().leave(entry_, false); }

 private:
  record::Entry entry_;
};

inline void log(std::string_view text) { record::ThreadRecord::mine().log(wire::LogLevel::info, text); }

inline record::Bar* open_bar(std::string_view desc, std::optional<std::int64_t> total = {}) {
  return record::ThreadRecord::mine().open_bar(desc, "", total ? std::optional<wire::Number>(*total) : std::nullopt,
                                               std::nullopt, nullptr);
}
inline void close_bar(record::Bar* bar, wire::BarState state = wire::BarState::done) {
  record::ThreadRecord::mine().close_bar(bar, state);
}

}  // namespace macaw::report
