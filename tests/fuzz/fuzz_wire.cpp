// SPDX-License-Identifier: MIT
// The fuzz target of both decoders: whatever the bytes, no crash, no undefined behaviour, and what was accepted says
// the same after it was encoded and decoded once more. Under clang it is a libFuzzer program; everywhere else
// replay.cpp gives it a main.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "sdk/src/wire/decode.hpp"
#include "sdk/src/wire/encode.hpp"

namespace {

using namespace macaw::wire;

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz_wire: %s\n", what);
  std::abort();
}

const std::uint8_t* raw(const std::string& bytes) { return reinterpret_cast<const std::uint8_t*>(bytes.data()); }

// Touches every text, so that a sanitizer sees one that points nowhere.
std::size_t weight(const Report& report) {
  std::string bytes;
  encode(report, bytes);
  return bytes.size();
}

void check_report(const std::uint8_t* data, std::size_t size) {
  Report report;
  const Decoded decoded = decode(data, size, report);
  demand(refusal_name(decoded) != nullptr, "a refusal without a name");
  if (decoded != Decoded::ok) return;
  demand(report.seq != 0, "a report without a number");
  demand(report.bars.size() + report.stages.size() + report.metrics.size() + report.logs.size() + report.names.size() <=
             size,
         "more rows than bytes");
  for (const Stage& stage : report.stages) demand(stage.path.size != 0, "a stage without a path");

  std::string once, twice;
  encode(report, once);
  Report again;
  demand(decode(raw(once), once.size(), again) == Decoded::ok, "an encoded report is refused");
  demand(again.refused_rows == 0 && again.unknown_keys == 0, "an encoded row is refused");
  encode(again, twice);
  demand(once == twice, "a report changes by being encoded");
}

void check_packed(const std::uint8_t* data, std::size_t size) {
  Report report;
  if (decode(data, size, report) != Decoded::ok) return;
  const auto take = [](void*, const char* bytes, std::size_t length, std::uint64_t seq) {
    demand(length <= min_mtu, "a datagram over the limit");
    Report packed;
    demand(decode(reinterpret_cast<const std::uint8_t*>(bytes), length, packed) == Decoded::ok,
           "a datagram is refused");
    demand(packed.seq == seq && packed.refused_rows == 0 && packed.unknown_keys == 0, "a packed row is refused");
    weight(packed);
  };
  Packer packer(min_mtu, take, nullptr);
  const auto path = [&report](const Path& at) { return report.names.data() + at.first; };
  packer.begin({report.job, report.up, report.t, report.next}, 1);
  if (report.hello) packer.add_hello(*report.hello);
  if (report.finish) packer.add_finish(*report.finish);
  if (report.usage) packer.add_usage(*report.usage);
  for (const Bar& bar : report.bars) packer.add_bar(bar, path(bar.stage), bar.stage.size);
  for (const Stage& stage : report.stages) packer.add_stage(stage, path(stage.path), stage.path.size);
  for (const Metric& metric : report.metrics) packer.add_metric(metric);
  for (const Log& log : report.logs) packer.add_log(log, path(log.stage), log.stage.size);
  packer.finish();
}

void check_answer(const std::uint8_t* data, std::size_t size) {
  Answer answer;
  if (decode_answer(data, size, answer) != Decoded::ok) return;
  for (const auto* ranges : {&answer.want_logs, &answer.want_metrics, &answer.want_reports}) {
    demand(ranges->size() <= max_ranges, "too many ranges");
    for (const Range& range : *ranges) demand(range.from <= range.to, "a range that runs backwards");
  }
  std::string bytes;
  encode(answer, bytes, size);
  demand(bytes.size() <= size || bytes.size() <= 45, "an answer over its limit");
  Answer again;
  demand(decode_answer(raw(bytes), bytes.size(), again) == Decoded::ok, "an encoded answer is refused");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_report(data, size);
  check_packed(data, size);
  check_answer(data, size);
  return 0;
}
