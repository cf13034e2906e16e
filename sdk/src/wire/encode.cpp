// SPDX-License-Identifier: MIT
// Whole reports and answers as CBOR strings.
#include "sdk/src/wire/encode.hpp"

#include "sdk/src/wire/rows.hpp"

namespace macaw::wire {
namespace {

template <class Rows, class PutRow>
void put_rows(StringOut& out, const Rows& rows, PutRow put_one) {
  put_head(out, array_item, rows.size());
  for (const auto& row : rows) put_one(row);
}

std::size_t range_size(const Range& range) { return 1 + head_size(range.from) + head_size(range.to); }

// How many of `ranges` fit into `room` with their key and head, which they then take from it.
std::size_t take_fitting(const std::vector<Range>& ranges, std::size_t key_size, std::size_t& room) {
  std::size_t size = key_size + 1, count = 0;
  for (; count < std::min(ranges.size(), max_ranges); ++count) {
    if (size + range_size(ranges[count]) > room) break;
    size += range_size(ranges[count]);
  }
  if (count != 0) room -= size;
  return count;
}

void put_ranges(StringOut& out, const std::vector<Range>& ranges, std::size_t count) {
  put_head(out, array_item, count);
  for (std::size_t i = 0; i < count; ++i) {
    put_head(out, array_item, 2);
    put(out, ranges[i].from);
    put(out, ranges[i].to);
  }
}

}  // namespace

void encode(const Report& report, std::string& result) {
  StringOut out{result};
  const auto path = [&report](const Path& at) { return report.names.data() + at.first; };
  Map map(out);
  map.entry("v", protocol_version);
  map.entry("job", report.job);
  map.entry("seq", report.seq);
  map.unless_default("up", report.up);
  map.unless_default("t", report.t);
  map.unless_default("next", report.next);
  if (report.hello) map.key("hello"), put_row(out, no_limits, *report.hello);
  if (report.finish) map.key("finish"), put_row(out, no_limits, *report.finish);
  if (report.usage) map.key("usage"), put_row(out, no_limits, *report.usage);
  if (!report.bars.empty()) {
    map.key("bars");
    put_rows(out, report.bars, [&](const Bar& bar) { put_row(out, no_limits, bar, path(bar.stage), bar.stage.size); });
  }
  if (!report.stages.empty()) {
    map.key("stages");
    put_rows(out, report.stages,
             [&](const Stage& stage) { put_row(out, no_limits, stage, path(stage.path), stage.path.size); });
  }
  if (!report.metrics.empty()) {
    map.key("metrics");
    put_rows(out, report.metrics, [&](const Metric& metric) { put_row(out, no_limits, metric); });
  }
  if (!report.logs.empty()) {
    map.key("logs");
    put_rows(out, report.logs, [&](const Log& log) { put_row(out, no_limits, log, path(log.stage), log.stage.size); });
  }
}

std::string encode_path(const Text* names, std::size_t depth) {
  std::string bytes;
  StringOut out{bytes};
  if (depth != 0) put_path(out, names, depth, limits_for_row(min_mtu));
  return bytes;
}

void encode(const Answer& answer, std::string& result, std::size_t limit) {
  StringOut out{result};
  Map map(out);
  map.entry("v", protocol_version);
  map.entry("job", answer.job);
  map.entry("ack", answer.ack);
  constexpr std::size_t want_head = sizeof "want" + 1;
  std::size_t room = limit > map.size() + want_head ? limit - map.size() - want_head : 0;
  const std::size_t reports = take_fitting(answer.want_reports, sizeof "reports", room);
  const std::size_t logs = take_fitting(answer.want_logs, sizeof "logs", room);
  const std::size_t metrics = take_fitting(answer.want_metrics, sizeof "metrics", room);
  if (reports + logs + metrics == 0) return;
  map.key("want");
  Map want(out);
  if (logs != 0) want.key("logs"), put_ranges(out, answer.want_logs, logs);
  if (metrics != 0) want.key("metrics"), put_ranges(out, answer.want_metrics, metrics);
  if (reports != 0) want.key("reports"), put_ranges(out, answer.want_reports, reports);
}

}  // namespace macaw::wire
