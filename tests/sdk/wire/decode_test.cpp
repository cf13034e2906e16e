// SPDX-License-Identifier: MIT
// The rules of the schema that hold for every key: defaults, absence, wrong types, unknown things, numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/sdk/wire/support.hpp"

namespace macaw::wire {
namespace {

// Decodes json_report(more); the text lives as long as the report needs it.
struct Read {
  std::string bytes;
  Report report;
  Decoded decoded;
  explicit Read(std::string_view more) : bytes(json_report(more)), decoded(decode(bytes, report)) {}
};

// The value of a metric, given as a CBOR item in hex.
Value metric_value(const char* hex) {
  static std::string bytes;  // outlives the value, which may point into it
  bytes =
      cbor_report(1, from_hex("67 6d657472696373 81 a3 62 6e6f 01 64 6e616d65 61 6d 65 76616c7565") + from_hex(hex));
  Report report;
  REQUIRE(decode(bytes, report) == Decoded::ok);
  REQUIRE(report.metrics.size() == 1);
  return report.metrics[0].value;
}

TEST_CASE("a bare report has the identity and defaults") {
  Read read("");
  REQUIRE(read.decoded == Decoded::ok);
  CHECK(read.report.job[0] == 0xa3);
  CHECK(read.report.job[15] == 0x45);
  CHECK(read.report.seq == 5);
  CHECK(read.report.up == 0);
  CHECK(!read.report.next);
  CHECK(!read.report.hello);
  CHECK(!read.report.finish);
}

TEST_CASE("every key of a hello is read") {
  Read read(R"("hello":{"name":"n","host":"h","pid":7,"user":"u","argv":["a",""],"cwd":"/","lang":"l","sdk":"s",
    "start":1.5,"parent":"00000000-0000-0000-0000-0000000000ff","git":{"commit":"c","branch":"b","dirty":true},
    "env":{"E":"1"},"tags":{"k":"v","l":"w"}})");
  REQUIRE(read.report.hello);
  const Hello& hello = *read.report.hello;
  CHECK(hello.name == "n");
  CHECK(hello.host == "h");
  CHECK(hello.pid == 7);
  CHECK(hello.user == "u");
  CHECK(hello.argv == std::vector<Text>{"a", ""});
  CHECK(hello.cwd == "/");
  CHECK(hello.lang == "l");
  CHECK(hello.sdk == "s");
  CHECK(hello.start == 1.5);
  CHECK(hello.parent->back() == 0xff);
  CHECK(hello.git->commit == "c");
  CHECK(hello.git->branch == "b");
  CHECK(hello.git->dirty);
  CHECK(hello.env == std::vector<std::pair<Text, Text>>{{"E", "1"}});
  CHECK(hello.tags.size() == 2);
  CHECK(hello.tags[1].second == "w");
  CHECK(read.report.unknown_keys == 0);
}

TEST_CASE("every key of a bar is read") {
  Read read(R"("bars":[{"id":3,"parent":2,"stage":["a","b"],"desc":"d","n":1,"total":2.5,"initial":-4,"unit":"B",
    "elapsed":5,"rate":6.5,"eta":7,"state":"left","repeats":8}])");
  REQUIRE(read.report.bars.size() == 1);
  const Bar& bar = read.report.bars[0];
  CHECK(bar.id == 3);
  CHECK(bar.parent == 2);
  REQUIRE(bar.stage.size == 2);
  CHECK(read.report.names[bar.stage.first + 1] == "b");
  CHECK(bar.desc == "d");
  CHECK(bar.n == Number(std::int64_t{1}));
  CHECK(bar.total == Number(2.5));
  CHECK(bar.initial == Number(std::int64_t{-4}));
  CHECK(bar.unit == "B");
  CHECK(bar.elapsed == 5);
  CHECK(bar.rate == 6.5);
  CHECK(bar.eta == 7);
  CHECK(bar.state == BarState::left);
  CHECK(bar.repeats == 8);
}

TEST_CASE("every key of a stage, a log line, the usage and the finish is read") {
  Read read(R"("stages":[{"path":["p"],"kind":"call","n":1,"sum":2,"min":3,"max":4,"m2":5,"last":6,"open":7,"since":8,
    "errors":9,"note":"x"}],"logs":[{"no":1,"up":2,"level":"critical","text":"t","stage":["s"],"part":[2,3],"cut":4}],
    "usage":{"rss":1,"peak":2,"cpu":3,"threads":4,"children":8,"tree_rss":9,"gpu":[0.5,1],"gpu_mem":[10,11],"self_cpu":5,"sent":6,"unsent":7},
    "finish":{"elapsed":1,"code":-2,"signal":3,"state":"interrupted","error":{"type":"T","message":"M","trace":4}})");
  REQUIRE(read.report.stages.size() == 1);
  const Stage& stage = read.report.stages[0];
  CHECK(stage.kind == StageKind::call);
  CHECK(stage.n == 1);
  CHECK(stage.sum == 2);
  CHECK(stage.min == 3);
  CHECK(stage.max == 4);
  CHECK(stage.m2 == 5);
  CHECK(stage.last == 6);
  CHECK(stage.open == 7);
  CHECK(stage.since == 8);
  CHECK(stage.errors == 9);
  CHECK(stage.note == "x");
  REQUIRE(read.report.logs.size() == 1);
  const Log& log = read.report.logs[0];
  CHECK(log.level == LogLevel::critical);
  CHECK(log.up == 2);
  CHECK(log.part == 2);
  CHECK(log.parts == 3);
  CHECK(log.cut == 4);
  CHECK(read.report.names[log.stage.first] == "s");
  REQUIRE(read.report.usage);
  CHECK(read.report.usage->gpu == std::vector<double>{0.5, 1});
  CHECK(read.report.usage->unsent == 7);
  CHECK(read.report.usage->children == 8);
  CHECK(read.report.usage->tree_rss == 9);
  CHECK(read.report.usage->gpu_mem == std::vector<double>{10, 11});
  CHECK(read.report.usage->self_cpu == 5);
  REQUIRE(read.report.finish);
  CHECK(read.report.finish->code == -2);
  CHECK(read.report.finish->signal == 3);
  CHECK(read.report.finish->state == FinishState::interrupted);
  CHECK(read.report.finish->error->message == "M");
  CHECK(read.report.finish->error->trace == 4);
  CHECK(read.report.unknown_keys == 0);
  CHECK(read.report.refused_rows == 0);
}

TEST_CASE("null and numbers that are not finite are as if absent") {
  Read read(R"("up":"nan","next":null,"hello":null,"bars":[{"id":1,"n":null,"rate":"inf","eta":"-inf","total":"nan",
    "parent":null,"stage":null,"desc":null,"state":null}],"logs":[{"no":1,"text":"t","part":null}])");
  REQUIRE(read.decoded == Decoded::ok);
  CHECK(read.report.up == 0);
  CHECK(!read.report.next);
  CHECK(!read.report.hello);
  REQUIRE(read.report.bars.size() == 1);
  CHECK(!read.report.bars[0].rate);
  CHECK(!read.report.bars[0].eta);
  CHECK(!read.report.bars[0].total);
  CHECK(!read.report.bars[0].parent);
  CHECK(read.report.logs.size() == 1);
  CHECK(read.report.refused_rows == 0);
}

TEST_CASE("a wrong type refuses its row alone") {
  const char* wrong_rows[] = {
      R"("bars":[{"id":1,"n":2},{"id":2,"n":"3"}])",
      R"("bars":[{"id":1,"n":2},{"id":2,"stage":"s"}])",
      R"("bars":[{"id":1,"n":2},{"id":2,"stage":["s",1]}])",
      R"("bars":[{"id":1,"n":2},{"id":2,"stage":["s",null]}])",
      R"("bars":[{"id":1,"n":2},{"id":-2}])",
      R"("bars":[{"id":1,"n":2},{"id":1.5}])",
      R"("bars":[{"id":1,"n":2},{"id":2,"desc":["x"]}])",
      R"("bars":[{"id":1,"n":2},{"id":2,"state":5}])",
      R"("bars":[{"id":1,"n":2},{"id":2,"total":{"a":[{}]}}])",
      R"("bars":[{"id":1,"n":2},[]])",
      R"("bars":[{"id":1,"n":2},null])",
      R"("bars":[{"id":1,"n":2},{"n":2}])",
      R"("bars":[{"id":1,"n":2}],"stages":[{"n":1}])",
      R"("bars":[{"id":1,"n":2}],"stages":[{"path":[]}])",
      R"("bars":[{"id":1,"n":2}],"metrics":[{"no":1,"name":"m"}])",
      R"("bars":[{"id":1,"n":2}],"metrics":[{"no":1,"name":"m","value":[1]}])",
      R"("bars":[{"id":1,"n":2}],"metrics":[{"name":"m","value":1}])",
      R"("bars":[{"id":1,"n":2}],"logs":[{"no":1}])",
      R"("bars":[{"id":1,"n":2}],"logs":[{"no":1,"text":"","part":[0,1]}])",
      R"("bars":[{"id":1,"n":2}],"logs":[{"no":1,"text":"","part":[3,2]}])",
      R"("bars":[{"id":1,"n":2}],"logs":[{"no":1,"text":"","part":[1]}])",
      R"("bars":[{"id":1,"n":2}],"logs":[{"no":1,"text":"","part":[1,4294967296]}])",
      R"("bars":[{"id":1,"n":2}],"logs":5)",
      R"("bars":[{"id":1,"n":2}],"hello":{"host":"h"})",
      R"("bars":[{"id":1,"n":2}],"hello":{"name":1})",
      R"("bars":[{"id":1,"n":2}],"hello":{"name":"n","git":"main"})",
      R"("bars":[{"id":1,"n":2}],"hello":{"name":"n","tags":{"k":1}})",
      R"("bars":[{"id":1,"n":2}],"hello":{"name":"n","parent":"x"})",
      R"("bars":[{"id":1,"n":2}],"usage":[])",
      R"("bars":[{"id":1,"n":2}],"usage":{"rss":1.5})",
      R"("bars":[{"id":1,"n":2}],"finish":{"error":{"trace":"x"}})",
  };
  for (const char* more : wrong_rows) {
    CAPTURE(more);
    Read read(more);
    CHECK(read.decoded == Decoded::ok);
    CHECK(read.report.refused_rows == 1);
    REQUIRE(read.report.bars.size() == 1);
    CHECK(read.report.bars[0].n == Number(std::int64_t{2}));
    CHECK(read.report.names.empty());
    CHECK(read.report.stages.size() + read.report.metrics.size() + read.report.logs.size() == 0);
    CHECK(!read.report.hello);
    CHECK(!read.report.usage);
    CHECK(!read.report.finish);
  }
}

TEST_CASE("what is unknown is skipped and counted") {
  Read read(
      R"("x":{"y":[1,{"z":null}]},"bars":[{"id":1,"colour":"red","state":"paused"}],"hello":{"name":"n","git":{"q":1}})");
  CHECK(read.decoded == Decoded::ok);
  CHECK(read.report.unknown_keys == 4);
  CHECK(read.report.refused_rows == 0);
  REQUIRE(read.report.bars.size() == 1);
  CHECK(read.report.bars[0].state == BarState::running);
}

TEST_CASE("numbers keep what they are") {
  constexpr auto max = std::numeric_limits<std::int64_t>::max();
  constexpr auto min = std::numeric_limits<std::int64_t>::min();
  CHECK(metric_value("1b 7fffffffffffffff") == Value(max));
  CHECK(metric_value("3b 7fffffffffffffff") == Value(min));
  CHECK(metric_value("1b 8000000000000000") == Value(9223372036854775808.0));
  CHECK(metric_value("3b ffffffffffffffff") == Value(-18446744073709551616.0));
  CHECK(metric_value("f9 3c00") == Value(1.0));
  CHECK(metric_value("f9 0001") == Value(std::ldexp(1, -24)));
  CHECK(metric_value("f9 83ff") == Value(-std::ldexp(1023, -24)));
  CHECK(metric_value("f9 7bff") == Value(65504.0));
  CHECK(metric_value("f9 fc00") == Value(-HUGE_VAL));
  CHECK(metric_value("fa 47c35000") == Value(100000.0));
  CHECK(metric_value("fb 3ff199999999999a") == Value(1.1));
  CHECK(std::isnan(std::get<double>(metric_value("f9 7e00"))));
  CHECK(std::isnan(std::get<double>(metric_value("fa 7fc00000"))));
  CHECK(metric_value("f5") == Value(true));
  CHECK(metric_value("f4") == Value(false));
  CHECK(metric_value("c1 d8 20 18 2a") == Value(std::int64_t{42}));
  CHECK(metric_value("63 6e616e") == Value(Text("nan")));
}

TEST_CASE("a shorter float is the same float") {
  for (const double value :
       {0.0, -0.0, 1.0, -2.5, 65504.0, 65505.0, 65536.0, 1e-5, 6.103515625e-05, 5.960464477539063e-08,
        3.5762786865234375e-07, 1.401298464324817e-45, 3.4028234663852886e+38, 1e300, 5e-324, 0.1}) {
    Report report;
    report.job = {1};
    report.seq = 1;
    report.metrics.emplace_back().value = value;
    const std::string bytes = encoded(report);
    Report again;
    REQUIRE(decode(bytes, again) == Decoded::ok);
    const double read = std::get<double>(again.metrics[0].value);
    CHECK(read == value);
    CHECK(std::signbit(read) == std::signbit(value));
  }
}

TEST_CASE("a report is emptied before it is filled again") {
  const std::string full = json_report(
      R"("next":1,"hello":{"name":"n"},"usage":{},"finish":{},"bars":[{"id":"x"},{"id":1,"stage":["s"],"desc":"\n"}],
         "stages":[{"path":["p"]}],"metrics":[{"no":1,"name":"m","value":1}],"logs":[{"no":1,"text":"t"}],"x":1)");
  Report report;
  REQUIRE(decode(full, report) == Decoded::ok);
  const std::string bare = cbor_report();
  REQUIRE(decode(bare, report) == Decoded::ok);
  CHECK(encoded(report) == bare);
  CHECK(report.names.empty());
  CHECK(report.storage.empty());
  CHECK(report.refused_rows + report.unknown_keys == 0);
}

TEST_CASE("a text points into the datagram") {
  const std::string bytes = cbor_report(1, from_hex("65 68656c6c6f a1 64 6e616d65 64 c3a9c3a9"));
  Report report;
  REQUIRE(decode(bytes, report) == Decoded::ok);
  CHECK(report.hello->name.data() == bytes.data() + bytes.size() - 4);
}

TEST_CASE("an answer's ranges are bounded, and what is no range is passed over") {
  std::string ranges = "[2,1],[1],[1,2,3],\"x\",[\"a\",2],[-1,2],null";
  for (int i = 1; i <= 40; ++i) ranges += ",[" + std::to_string(i) + "," + std::to_string(i) + "]";
  const std::string bytes = R"({"v":1,"job":"a3f2c1d0-5b7e-4c19-8f02-9d3e61b7a045","ack":9,"more":1,"want":{"logs":[)" +
                            ranges + R"(],"metrics":7,"reports":[[3,4]],"other":[1]}})";
  Answer answer;
  REQUIRE(decode(bytes, answer) == Decoded::ok);
  CHECK(answer.ack == 9);
  CHECK(answer.want_logs.size() == max_ranges);
  CHECK(answer.want_logs[0].from == 1);
  CHECK(answer.want_metrics.empty());
  REQUIRE(answer.want_reports.size() == 1);
  CHECK(answer.want_reports[0].to == 4);
}

TEST_CASE("an answer gives up ranges to stay within its limit") {
  Answer answer;
  answer.job = {1};
  answer.ack = 400;
  for (std::uint64_t i = 0; i < 20; ++i) {
    for (auto* ranges : {&answer.want_logs, &answer.want_metrics, &answer.want_reports}) {
      ranges->push_back({1000 * i + 1, 1000 * i + 500});
    }
  }
  std::size_t before = 0;
  for (std::size_t limit = 0; limit <= 600; ++limit) {
    std::string bytes;
    encode(answer, bytes, limit);
    CHECK(bytes.size() <= std::max<std::size_t>(limit, 45));
    Answer read;
    REQUIRE(decode(bytes, read) == Decoded::ok);
    CHECK(read.ack == 400);
    CHECK(read.want_metrics.size() <= read.want_logs.size() + 1);
    CHECK(read.want_logs.size() <= read.want_reports.size() + 1);
    const std::size_t ranges = read.want_logs.size() + read.want_metrics.size() + read.want_reports.size();
    CHECK(ranges >= before);
    before = ranges;
  }
  CHECK(before == 3 * max_ranges);
}

}  // namespace
}  // namespace macaw::wire
