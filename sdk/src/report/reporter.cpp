// SPDX-License-Identifier: MIT
#include "sdk/src/report/reporter.hpp"

#include <algorithm>
#include <utility>

#include "sdk/src/wire/decode.hpp"

namespace macaw::report {
namespace {

bool touches(const std::vector<wire::Range>& ranges, std::uint64_t from, std::uint64_t to) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const wire::Range& range) { return to >= range.from && from <= range.to; });
}

wire::Value value_of(const OwnedValue& value) {
  return std::visit(
      [](const auto& v) -> wire::Value {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string>)
          return wire::Text(v);
        else
          return v;
      },
      value);
}

}  // namespace

Reporter::Reporter(wire::JobId job, Hello hello, std::size_t mtu, Transport& transport, ReadUsage read_usage,
                   std::optional<wire::Seals> seals)
    : job_(job),
      hello_(std::move(hello)),
      transport_(transport),
      seals_(seals),
      read_usage_(std::move(read_usage)),
      packer_(seals ? mtu - wire::Sealer::overhead : mtu, &Reporter::deliver, this) {}

void Reporter::deliver(void* self, const char* data, std::size_t size, std::uint64_t seq) {
  auto& reporter = *static_cast<Reporter*>(self);
  ++reporter.datagrams_;
  if (reporter.outgoing_count_ == 0) reporter.outgoing_seq_ = seq;
  if (reporter.seals_) {
    std::string& sealed = reporter.sealed_[reporter.outgoing_count_];
    reporter.seals_->reports.seal(seq, {data, size}, sealed);
    data = sealed.data();
    size = sealed.size();
  }
  reporter.outgoing_[reporter.outgoing_count_++] = {data, size};
  if (reporter.outgoing_count_ == reporter.outgoing_.size()) reporter.flush();
}

void Reporter::flush() {
  transport_.send(outgoing_.data(), outgoing_count_);
  for (std::size_t i = 0; i < outgoing_count_; ++i) {
    const Datagram::Fate fate = outgoing_[i].fate;
    ++(fate == Datagram::Fate::taken ? sent_ : unsent_);
    if (fate == Datagram::Fate::unsent && !unsent_from_) unsent_from_ = outgoing_seq_ + i;
  }
  outgoing_count_ = 0;
  if (unsent_from_) datagrams_ = most_datagrams_;  // more would not go either
}

// What nobody took is due again in the next round. (What is too large for the way is not: that would never change.)
void Reporter::take_back_unsent() {
  if (!unsent_from_) return;
  each_sent([this](Sent& sent) { sent.changed |= sent.seq >= unsent_from_; });
  if (hello_seq_ >= unsent_from_) hello_at_ = -1e9;
  if (usage_seq_ >= unsent_from_) usage_at_ = -1e9;
}

void Reporter::collect(record::ThreadRecord* first, std::uint64_t start) {
  tick_ = record::seconds_per_tick();
  events.take(first);
  stages.merge(first);
  bars.merge(first, tick_);
  events.number(start, tick_);
}

void Reporter::round(Now now) {
  if (!transport_.ready(now.up)) {
    was_refused_ = true;
    return;
  }
  begin(now);
  if (transport_.refused()) {
    // Nobody listened a second ago: one hello asks whether somebody does now.
    add_hello();
    next_seq_ = packer_.finish();
    flush();
    was_refused_ = true;
    return;
  }
  if (was_refused_) mark_all_changed();
  was_refused_ = false;
  if (now.up - hello_at_ >= (answered_ ? hello_every : hello_every_unanswered)) {
    hello_at_ = now.up;
    hello_seq_ = add_hello();
  }
  if (now.up - usage_at_ >= usage_every) {
    usage_at_ = now.up;
    usage_seq_ = packer_.add_usage(read_usage_());
  }
  send_rows(now, Scope::changed);
  send_events(now, Scope::changed);
  send_rows(now, Scope::due);
  send_events(now, Scope::due);
  next_seq_ = packer_.finish();
  flush();
  take_back_unsent();
  if (now.up - hello_at_ > answers_take) return;
  while (read_answers(0)) {
  }
}

void Reporter::begin(Now now) {
  datagrams_ = 0;
  unsent_from_ = 0;
  packer_.begin({job_, now.up, now.unix_s, promise}, next_seq_);
}

bool Reporter::is_due(const Sent& sent, double up, Scope scope) const {
  if (datagrams_ >= most_datagrams_) return false;
  return scope == Scope::all || (scope == Scope::changed ? sent.changed : up - sent.at >= refresh_every);
}

void Reporter::send_rows(Now now, Scope scope) {
  const std::uint64_t now_ticks = record::ticks();
  for (BarRow& row : bars.rows) {
    if (is_due(row.sent, now.up, scope)) row.sent = {false, add_bar(row), now.up};
  }
  for (StageRow& row : stages.rows) {
    if (is_due(row.sent, now.up, scope)) row.sent = {false, add_stage(row, now_ticks), now.up};
  }
}

void Reporter::send_events(Now now, Scope scope) {
  if (scope != Scope::due) {
    for (MetricEntry& point : events.points) {
      if (is_due(point.sent, now.up, Scope::changed)) point.sent = {false, add_metric(point), now.up};
    }
    for (LogEntry& entry : events.logs) {
      if (is_due(entry.sent, now.up, Scope::changed)) add_log(entry, now.up);
    }
  }
  if (scope == Scope::changed) return;
  for (MetricEntry& point : events.latest) {  // the newest point of each metric stands like a row
    if (is_due(point.sent, now.up, scope)) point.sent = {false, add_metric(point), now.up};
  }
}

std::uint64_t Reporter::add_hello() {
  wire::Hello hello;
  hello.name = hello_.name;
  hello.host = hello_.host;
  hello.user = hello_.user;
  hello.cwd = hello_.cwd;
  hello.lang = hello_.lang;
  hello.sdk = hello_.sdk;
  for (const std::string& argument : hello_.argv) hello.argv.push_back(argument);
  hello.pid = hello_.pid;
  hello.start = hello_.start;
  hello.parent = hello_.parent;
  for (const auto& [name, value] : hello_.tags) hello.tags.emplace_back(name, value);
  for (const auto& [name, value] : hello_.env) hello.env.emplace_back(name, value);
  return packer_.add_hello(hello);
}

std::uint64_t Reporter::add_stage(const StageRow& row, std::uint64_t now_ticks) {
  const auto seconds = [this](std::uint64_t ticks) {
    return static_cast<double>(static_cast<std::int64_t>(ticks)) * tick_;  // signed: one instruction to convert
  };
  const record::StageStats& stats = row.stats;
  wire::Stage& stage = stage_;  // of which everything is set anew: clearing it first takes as long as all of that
  stage.kind = row.kind;
  stage.n = stats.n;
  stage.sum = seconds(stats.sum);
  stage.min = seconds(stats.min);
  stage.max = seconds(stats.max);
  stage.m2 = stats.m2 * tick_ * tick_;
  stage.last = seconds(stats.last);
  stage.open = stats.open;
  stage.errors = stats.errors;
  stage.since.reset();
  if (stats.open) stage.since = seconds(record::ticks_between(stats.since, now_ticks));
  stage.note = row.note;
  return packer_.add_stage(stage, wire::EncodedPath{row.path});
}

std::uint64_t Reporter::add_bar(const BarRow& row) {
  wire::Bar bar;
  bar.id = row.bar->id();
  if (row.parent) bar.parent = row.parent;
  bar.desc = row.words.desc;
  bar.unit = row.words.unit;
  bar.n = row.n;
  bar.total = row.total;
  bar.initial = row.initial;
  bar.elapsed = row.elapsed;
  bar.rate = row.rate();
  bar.eta = row.left();
  bar.state = row.state;
  bar.repeats = row.repeats;
  return packer_.add_bar(bar, stages.encoded_path(row.stage));
}

void Reporter::add_log(LogEntry& entry, double up) {
  wire::Log log;
  log.no = entry.no;
  log.up = entry.up;
  log.level = entry.level;
  log.text = entry.text;
  log.cut = entry.cut;
  const wire::EncodedPath path = stages.encoded_path(entry.stage);
  entry.sent = {false, 0, up};
  wire::split_log(log, packer_.log_piece_bytes(path), [&](const wire::Log& piece) {
    entry.sent.seq = packer_.add_log(piece, path);
    if (!entry.sent.first_seq) entry.sent.first_seq = entry.sent.seq;
  });
}

std::uint64_t Reporter::add_metric(const MetricEntry& entry) {
  wire::Metric metric;
  metric.no = entry.no;
  metric.name = entry.name;
  metric.step = entry.step;
  metric.up = entry.up;
  metric.value = value_of(entry.value);
  return packer_.add_metric(metric);
}

void Reporter::add_finish(const Finish& finish) {
  wire::Finish row;
  row.elapsed = finish.elapsed;
  row.code = finish.code;
  row.signal = finish.signal;
  row.state = finish.state;
  if (finish.error) row.error = wire::Error{finish.error->type, finish.error->message, trace_no_};
  finish_seq_ = packer_.add_finish(row);
}

std::string Reporter::farewell(Now now, int signal, std::uint64_t seq) const {
  std::string out;
  wire::Packer packer(
      wire::default_mtu,
      [](void* text, const char* data, std::size_t size, std::uint64_t) {
        static_cast<std::string*>(text)->assign(data, size);
      },
      &out);
  packer.begin({job_, now.up, now.unix_s, std::nullopt}, seq);
  wire::Finish row;
  row.elapsed = now.up;
  row.signal = signal;
  row.state = wire::FinishState::interrupted;
  packer.add_finish(row);
  packer.finish();
  if (seals_) seals_->reports.seal(seq, std::string(out), out);
  return out;
}

void Reporter::finish(const Finish& finish, const std::function<Now()>& clock) {
  if (finish.error && !finish.error->trace.empty()) {
    wire::Text trace = finish.error->trace;
    const std::uint64_t cut = wire::cut_text(trace, wire::max_log_bytes);
    trace_no_ = events.add_log(clock().up, wire::LogLevel::critical, std::string(trace), -1, cut);
  }
  most_datagrams_ = 8192;
  const double end = clock().up + longest_finish;
  double gap = first_gap;
  for (int repeat = 0; answered_ || repeat < repeats_into_silence; ++repeat) {
    const Now now = clock();
    if (now.up >= end || !transport_.ready(now.up) || (repeat > 0 && transport_.refused())) return;
    send_finish(finish, now);
    switch (wait_for_answer(std::min(now.up + gap, end), clock)) {
      case Heard::everything: return;
      case Heard::wish: gap = first_gap; break;  // somebody is there, and close: go on at once
      case Heard::nothing: gap *= 1.3; break;
    }
  }
}

void Reporter::send_finish(const Finish& finish, Now now) {
  begin(now);
  add_hello();
  packer_.add_usage(read_usage_());
  add_finish(finish);
  // Everything once more, as nobody has said what is missing; what was asked for, once somebody has.
  const Scope scope = acknowledged_ ? Scope::changed : Scope::all;
  send_rows(now, scope);
  send_events(now, scope);
  const std::uint64_t first_seq = std::exchange(next_seq_, packer_.finish());
  flush();
  if (next_seq_ == first_seq + 1) return;
  // The finish again, in the last datagram: whoever answers this one has seen which of the others are missing. With a
  // hello, as an answer is never larger than what it answers, and this one may have much to ask for.
  begin(now);
  add_hello();
  add_finish(finish);
  next_seq_ = packer_.finish();
  flush();
}

Reporter::Heard Reporter::wait_for_answer(double until, const std::function<Now()>& clock) {
  for (double left = until - clock().up; left > 0; left = until - clock().up) {
    wants_more_ = false;
    if (!read_answers(left)) break;
    if (wants_more_) return Heard::wish;
    if (acknowledged_ >= finish_seq_) return Heard::everything;
  }
  return Heard::nothing;
}

bool Reporter::read_answers(double wait) {
  char buffer[2048];
  const std::size_t size = transport_.receive(buffer, sizeof buffer, wait);
  if (size == 0) return false;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(buffer);
  if (seals_) {
    wire::Envelope envelope;
    if (!wire::read_envelope(bytes, size, envelope) || !seals_->answers.open(envelope, opened_)) return true;
    bytes = reinterpret_cast<const std::uint8_t*>(opened_.data());
  }
  wire::Answer answer;
  const auto verdict = wire::decode_answer(bytes, seals_ ? opened_.size() : size, answer);
  if (verdict == wire::Decoded::ok && answer.job == job_) take(answer);
  return true;
}

void Reporter::take(const wire::Answer& answer) {
  answered_ = true;
  if (finish_seq_) acknowledged_ = std::max(acknowledged_, answer.ack);
  // What is still held is sent again. A number may stay wanted for ever: its row has gone with a later one since, or
  // the line is no longer kept.
  wants_more_ = false;
  const auto ask_again = [&](Sent& sent, const std::vector<wire::Range>& numbers, std::uint64_t no) {
    const std::uint64_t first = sent.first_seq ? sent.first_seq : sent.seq;
    if (touches(numbers, no, no) || (sent.seq && touches(answer.want_reports, first, sent.seq)))
      sent.changed = wants_more_ = true;
  };
  for (LogEntry& entry : events.logs) ask_again(entry.sent, answer.want_logs, entry.no);
  for (MetricEntry& point : events.points) ask_again(point.sent, answer.want_metrics, point.no);
  for (BarRow& row : bars.rows) ask_again(row.sent, {}, 0);
  for (StageRow& row : stages.rows) ask_again(row.sent, {}, 0);
}

template <class Each>
void Reporter::each_sent(Each&& each) {
  for (BarRow& row : bars.rows) each(row.sent);
  for (StageRow& row : stages.rows) each(row.sent);
  for (LogEntry& entry : events.logs) each(entry.sent);
  for (MetricEntry& point : events.points) each(point.sent);
}

void Reporter::mark_all_changed() {
  hello_at_ = usage_at_ = -1e9;
  each_sent([](Sent& sent) { sent.changed = true; });
}

}  // namespace macaw::report
