// SPDX-License-Identifier: MIT
// What leaves the packer: datagrams within the limit that hold every row that was added, whatever the rows hold.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include "tests/sdk/wire/support.hpp"

namespace macaw::wire {
namespace {

struct Sent {
  std::map<std::uint64_t, std::string> datagrams;
  static void take(void* self, const char* data, std::size_t size, std::uint64_t seq) {
    CHECK(static_cast<Sent*>(self)->datagrams.emplace(seq, std::string(data, size)).second);
  }
  std::size_t largest() const {
    std::size_t size = 0;
    for (const auto& [seq, bytes] : datagrams) size = std::max(size, bytes.size());
    return size;
  }
};

Header header() {
  Header result;
  result.job = {0xa3, 0xf2};
  result.up = 1.1;
  result.t = 1764590400.1;
  result.next = 0.3;
  return result;
}

Report read(const std::string& bytes) {
  Report report;
  const Decoded decoded = decode(bytes, report);
  CHECK_MESSAGE(decoded == Decoded::ok, refusal_name(decoded));
  CHECK(report.refused_rows == 0);
  CHECK(report.unknown_keys == 0);
  return report;
}

TEST_CASE("nothing added, nothing sent") {
  Sent sent;
  Packer packer(default_mtu, Sent::take, &sent);
  packer.begin(header(), 5);
  CHECK(packer.finish() == 5);
  CHECK(sent.datagrams.empty());
}

TEST_CASE("a datagram carries the header, and its rows in the recommended order") {
  Sent sent;
  Packer packer(default_mtu, Sent::take, &sent);
  packer.begin(header(), 5);
  const Text path[] = {"a", "b"};
  Log log;
  log.no = 1;
  log.text = "t";
  Stage stage;
  Bar bar;
  CHECK(packer.add_log(log, path, 2) == 5);
  CHECK(packer.add_stage(stage, path, 1) == 5);
  CHECK(packer.add_bar(bar, nullptr, 0) == 5);
  CHECK(packer.add_stage(stage, path, 2) == 5);
  CHECK(packer.add_usage({}) == 5);
  CHECK(packer.add_metric({}) == 5);
  CHECK(packer.add_finish({}) == 5);
  CHECK(packer.add_hello({}) == 5);
  CHECK(packer.finish() == 6);
  REQUIRE(sent.datagrams.size() == 1);
  const std::string& bytes = sent.datagrams[5];
  const Report report = read(bytes);
  CHECK(report.job == header().job);
  CHECK(report.seq == 5);
  CHECK(report.up == 1.1);
  CHECK(report.t == 1764590400.1);
  CHECK(report.next == 0.3);
  CHECK(report.stages.size() == 2);
  CHECK(report.logs.size() == 1);
  CHECK(report.names.size() == 5);
  CHECK(encoded(report) == bytes);
}

TEST_CASE("a second hello takes the next datagram") {
  Sent sent;
  Packer packer(default_mtu, Sent::take, &sent);
  packer.begin(header(), 1);
  CHECK(packer.add_hello({}) == 1);
  CHECK(packer.add_hello({}) == 2);
  CHECK(packer.finish() == 3);
  CHECK(sent.datagrams.size() == 2);
}

TEST_CASE("rows fill datagrams to the brim, and none is lost") {
  for (const std::size_t mtu : {min_mtu, default_mtu, std::size_t{1500}, std::size_t{9000}, max_mtu}) {
    CAPTURE(mtu);
    Sent sent;
    Packer packer(mtu, Sent::take, &sent);
    packer.begin(header(), 1);
    std::mt19937 random(static_cast<unsigned>(mtu));
    std::map<std::uint64_t, std::uint64_t> bar_seq, stage_n;
    for (std::uint64_t i = 1; i <= 6000; ++i) {
      const std::string name(random() % 40, 'n');
      const Text path[] = {"root", name};
      if (random() % 2) {
        Bar bar;
        bar.id = i;
        bar.desc = name;
        bar_seq[i] = packer.add_bar(bar, path, random() % 3);
      } else {
        Stage stage;
        stage.n = i;
        stage.sum = 0.1;
        stage_n[i] = packer.add_stage(stage, path, 1 + random() % 2);
      }
    }
    packer.finish();
    CHECK(sent.largest() <= mtu);
    std::size_t total = 0;
    for (auto& [seq, bytes] : sent.datagrams) {
      total += bytes.size();
      const Report report = read(bytes);
      CHECK(report.seq == seq);
      CHECK(encoded(report) == bytes);  // so that heads, too, are the shortest
      for (const Bar& bar : report.bars) CHECK(bar_seq[bar.id] == seq);
      for (const Stage& stage : report.stages) CHECK(stage_n[stage.n] == seq);
      for (const Bar& bar : report.bars) bar_seq.erase(bar.id);
      for (const Stage& stage : report.stages) stage_n.erase(stage.n);
    }
    CHECK(bar_seq.empty());
    CHECK(stage_n.empty());
    const std::size_t unused = sent.datagrams.size() * mtu - total;
    CHECK(unused <= (sent.datagrams.size() - 1) * 200 + mtu);
  }
}

TEST_CASE("the limit is met to the byte, and never passed") {
  std::size_t largest = 0;
  for (std::size_t pad = 0; pad < 64; ++pad) {
    Sent sent;
    Packer packer(default_mtu, Sent::take, &sent);
    packer.begin(header(), 1);
    const std::string name(pad, 'n');
    Hello hello;
    hello.name = name;
    packer.add_hello(hello);
    for (std::size_t i = 0; i < 100 + pad; ++i) packer.add_bar({}, nullptr, 0);
    for (int i = 0; i < 10; ++i) packer.add_metric({});
    packer.finish();
    CHECK(sent.largest() <= default_mtu);
    largest = std::max(largest, sent.largest());
    for (const auto& [seq, bytes] : sent.datagrams) read(bytes);
  }
  CHECK(largest == default_mtu);
}

// Rows in which everything is as long as it may be, and longer.
struct Monsters {
  std::string huge = std::string(70'000, 'x');
  Text path[300];
  Monsters() {
    for (Text& name : path) name = huge;
  }
};

TEST_CASE("the largest rows fit the smallest datagram") {
  const Monsters monsters;
  const Text huge = monsters.huge;
  for (const std::size_t mtu : {std::size_t{0}, min_mtu, default_mtu}) {
    for (const std::size_t depth : {1u, 2u, 3u, 23u, 24u, 300u}) {
      CAPTURE(depth);
      Sent sent;
      Packer packer(mtu, Sent::take, &sent);
      packer.begin(header(), ~std::uint64_t{0} - 20);
      Hello hello;
      hello.name = hello.host = hello.user = hello.cwd = hello.lang = hello.sdk = huge;
      hello.argv.assign(1000, huge.substr(0, 10));
      hello.pid = std::numeric_limits<std::int64_t>::min();
      hello.start = 0.1;
      hello.parent = JobId{};
      hello.git = Git{huge, huge, true};
      hello.env.assign(1000, {"name", "value"});
      hello.tags.assign(1000, {huge, huge});
      packer.add_hello(hello);
      const std::vector<double> devices(1000, 0.1);
      Usage usage{1LL << 62, 1LL << 62, 1LL << 62, 0.1,       0.1,      1LL << 62,
                  1LL << 62, devices,   devices,   1LL << 62, 1LL << 62};
      packer.add_usage(usage);
      Bar bar;
      bar.id = bar.repeats = ~std::uint64_t{0};
      bar.parent = bar.id;
      bar.n = 0.1;
      bar.total = bar.initial = Number(0.1);
      bar.elapsed = 0.1;
      bar.rate = bar.eta = 0.1;
      bar.state = BarState::interrupted;
      bar.desc = bar.unit = huge;
      packer.add_bar(bar, monsters.path, depth);
      Stage stage;
      stage.kind = StageKind::call;
      stage.n = stage.open = stage.errors = ~std::uint64_t{0};
      stage.sum = stage.min = stage.max = stage.m2 = stage.last = 0.1;
      stage.since = 0.1;
      stage.note = huge;
      packer.add_stage(stage, monsters.path, depth);
      Metric metric;
      metric.no = ~std::uint64_t{0};
      metric.name = huge;
      metric.step = Number(0.1);
      metric.up = 0.1;
      metric.value = huge;
      packer.add_metric(metric);
      Log log;
      log.no = log.cut = ~std::uint64_t{0} >> 1;
      log.up = 0.1;
      log.level = LogLevel::critical;
      log.part = log.parts = ~std::uint32_t{0};
      log.text = huge;
      packer.add_log(log, monsters.path, depth);
      Finish finish;
      finish.elapsed = 0.1;
      finish.code = finish.signal = std::numeric_limits<std::int64_t>::min();
      finish.state = FinishState::interrupted;
      finish.error = Error{huge, huge, ~std::uint64_t{0}};
      packer.add_finish(finish);
      packer.finish();
      CHECK(sent.largest() <= std::max(mtu, min_mtu));

      Report all;
      std::string texts;
      for (const auto& [seq, bytes] : sent.datagrams) {
        const Report report = read(bytes);
        for (const Bar& row : report.bars) {
          CHECK(row.state == BarState::interrupted);
          CHECK(row.desc.size() > 50);
          CHECK(row.stage.size > 0);
        }
        for (const Stage& row : report.stages) {
          CHECK(row.note.size() > 50);
          CHECK(row.since == 0.1);
        }
        for (const Log& row : report.logs) {
          CHECK(row.text.size() > 200);
          CHECK(row.text.size() + row.cut == huge.size() + log.cut);
        }
        for (const Metric& row : report.metrics) {
          CHECK(row.name.size() == max_name_bytes);
          CHECK(std::get<Text>(row.value).size() == max_note_bytes);
        }
        if (report.hello) {
          CHECK(report.hello->name.size() == max_name_bytes);
          CHECK(report.hello->cwd.size() > 100);
          all.hello.emplace();
        }
        if (report.usage) {
          CHECK(report.usage->gpu.size() == 16);
          all.usage.emplace();
        }
        if (report.finish) {
          CHECK(report.finish->error->type.size() == max_name_bytes);
          CHECK(report.finish->error->message.size() > 200);
          all.finish.emplace();
        }
        all.bars.insert(all.bars.end(), report.bars.size(), {});
        all.stages.insert(all.stages.end(), report.stages.size(), {});
        all.metrics.insert(all.metrics.end(), report.metrics.size(), {});
        all.logs.insert(all.logs.end(), report.logs.size(), {});
      }
      CHECK(all.hello);
      CHECK(all.usage);
      CHECK(all.finish);
      CHECK(all.bars.size() == 1);
      CHECK(all.stages.size() == 1);
      CHECK(all.metrics.size() == 1);
      CHECK(all.logs.size() == 1);
    }
  }
}

TEST_CASE("arguments that do not fit are counted in the last one") {
  Sent sent;
  Packer packer(default_mtu, Sent::take, &sent);
  packer.begin(header(), 1);
  Hello hello;
  hello.name = "n";
  hello.argv.assign(1000, "argument");
  packer.add_hello(hello);
  packer.finish();
  const Report report = read(sent.datagrams[1]);
  const std::vector<Text>& argv = report.hello->argv;
  CHECK(argv.size() > 100);
  CHECK(argv.back() == "…+" + std::to_string(1000 - (argv.size() - 1)));
}

TEST_CASE("tags that do not fit are counted in the last one") {
  Sent sent;
  Packer packer(default_mtu, Sent::take, &sent);
  packer.begin(header(), 1);
  const std::string huge(5000, 'x');
  Hello hello;
  hello.name = "n";
  hello.tags = {{"first", "kept"}, {"second", huge}, {"third", "behind it"}};
  packer.add_hello(hello);
  packer.finish();
  const Report report = read(sent.datagrams[1]);
  CHECK(report.hello->tags == std::vector<std::pair<Text, Text>>{{"first", "kept"}, {"…", "+2"}});
}

TEST_CASE("a long path is shortened in the row, the last name kept") {
  Sent sent;
  Packer packer(default_mtu, Sent::take, &sent);
  packer.begin(header(), 1);
  std::vector<std::string> names;
  for (int i = 0; i < 250; ++i) names.push_back("name" + std::to_string(i));
  const std::vector<Text> path(names.begin(), names.end());
  packer.add_stage({}, path.data(), path.size());
  packer.finish();
  const Report report = read(sent.datagrams[1]);
  REQUIRE(report.stages.size() == 1);
  CHECK(report.names.front() == "name0");
  CHECK(report.names.back() == "name249");
  std::size_t marks = 0;
  for (const Text name : report.names) marks += name.substr(0, 3) == "…";
  CHECK(marks == 1);
  CHECK(report.names.size() > 60);
}

TEST_CASE("a long line goes out in pieces, one a datagram, that join again") {
  Sent sent;
  Packer packer(default_mtu, Sent::take, &sent);
  packer.begin(header(), 1);
  std::string text;
  while (text.size() < 10'000) text += "línea €";
  Log line;
  line.no = 3;
  line.level = LogLevel::error;
  line.text = text;
  const Text path[] = {"a stage"};
  const std::size_t limit = packer.log_piece_bytes(path, 1);
  CHECK(limit > 950);
  split_log(line, limit, [&](const Log& piece) { packer.add_log(piece, path, 1); });
  packer.finish();
  CHECK(sent.largest() <= default_mtu);
  CHECK(sent.datagrams.size() == text.size() / limit + 1);
  std::string joined;
  for (const auto& [seq, bytes] : sent.datagrams) {
    const Report report = read(bytes);
    for (const Log& piece : report.logs) {
      CHECK(piece.parts == sent.datagrams.size());
      CHECK(piece.cut == 0);
      joined += piece.text;
    }
  }
  CHECK(joined == text);
}

TEST_CASE("pieces fit beside the longest path") {
  const Monsters monsters;
  Sent sent;
  Packer packer(min_mtu, Sent::take, &sent);
  packer.begin(header(), 1);
  Log line;
  line.text = Text(monsters.huge).substr(0, max_log_bytes);
  line.up = 0.1;
  line.no = ~std::uint64_t{0};
  line.level = LogLevel::critical;
  std::size_t size = 0;
  split_log(line, packer.log_piece_bytes(monsters.path, 300), [&](const Log& piece) {
    packer.add_log(piece, monsters.path, 300);
    size += piece.text.size();
  });
  packer.finish();
  for (const auto& [seq, bytes] : sent.datagrams) {
    for (const Log& piece : read(bytes).logs) {
      CHECK(piece.cut == 0);
      size -= piece.text.size();
    }
  }
  CHECK(size == 0);
}

}  // namespace
}  // namespace macaw::wire
