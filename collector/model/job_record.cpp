// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/model/job_record.hpp"

#include <algorithm>
#include <csignal>

#include "sdk/src/wire/decode.hpp"
#include "sdk/src/wire/encode.hpp"

namespace macaw::model {

namespace {

// Silence that breaks the sender's promise: long enough that a busy machine or a lost datagram or two do not.
constexpr Seconds least_silence = 15;
constexpr double promises_broken = 3;

// Standing still is news only when it lasts far longer than it ever did.
constexpr Seconds least_standstill = 60;
constexpr double usual_gaps = 20, longest_gaps = 3;
constexpr std::uint64_t enough_progresses = 5;

Identity identity_of(const wire::Hello& hello) {
  Identity id;
  id.name = text_of(hello.name);
  id.host = text_of(hello.host);
  id.user = text_of(hello.user);
  id.cwd = text_of(hello.cwd);
  id.lang = text_of(hello.lang);
  id.sdk = text_of(hello.sdk);
  for (const wire::Text argument : hello.argv) id.argv.push_back(text_of(argument));
  id.pid = hello.pid;
  id.parent = hello.parent;
  for (const auto& [key, value] : hello.tags) id.tags.emplace(key, value);
  for (const auto& [key, value] : hello.env) id.env.emplace(key, value);
  if (hello.git) {
    id.git_commit = text_of(hello.git->commit);
    id.git_branch = text_of(hello.git->branch);
    id.git_dirty = hello.git->dirty;
  }
  return id;
}

// Each kind of gap gets a third of the room. Fewer, wider ranges name all gaps, where more of them would push out those
// of another kind: numbers of datagrams stay wanted, as their rows come in others.
std::size_t ranges_that_fit(const Numbers& numbers, std::size_t limit) {
  constexpr std::size_t answer_without_ranges = 80;
  constexpr std::size_t kinds = 3;
  if (limit <= answer_without_ranges) return 0;
  const std::uint64_t last = numbers.last();
  const std::size_t digits = last < 256 ? 2 : last < 65536 ? 3 : last >> 32 ? 9 : 5;  // bytes of a number in CBOR
  return std::min(wire::max_ranges, (limit - answer_without_ranges) / kinds / (1 + 2 * digits));
}

}  // namespace

JobRecord::JobRecord(const JobId& id, Arrival first) {
  m_job.id = id;
  m_job.identity = std::make_shared<const Identity>();
  m_job.usage = std::make_shared<const Usage>();
  m_job.log = std::make_shared<const Log>();
  m_job.started = first.unix_s;
}

JobRecord::JobRecord(const Job& kept) : m_job(kept), m_started_told(true) {
  m_bars.restore(kept.bars, kept.seq, kept.others_bars);
  m_stages.restore(kept.stages, kept.seq, kept.others_stages);
  m_metrics.restore(kept.metrics, kept.lost.metrics, kept.others_metrics);
  m_log.restore(*kept.log, kept.lost.logs);
  m_datagrams.restore(kept.seq, kept.lost.datagrams);
  m_seq = m_hello_seq = m_usage_seq = m_finish_seq = kept.seq;
  m_rated_up = kept.up;
  m_rated_cpu = kept.usage->cpu.value_or(0);
  if (!is_terminal(kept.state)) return;
  m_finish = kept.state == State::failed        ? wire::FinishState::failed
             : kept.state == State::interrupted ? wire::FinishState::interrupted
                                                : wire::FinishState::finished;
}

bool JobRecord::apply(const wire::Report& report, Arrival arrival, const Limits& limits) {
  if (m_datagrams.last() == 0) m_missed_before = report.seq - 1;
  const bool heard_before = !m_datagrams.add(report.seq);
  m_missed_before = std::min(m_missed_before, report.seq - 1);
  m_dirty = true;

  const Seconds up = report.up > 0 ? report.up : std::max(0.0, arrival.unix_s - m_job.started);
  if (report.seq > m_seq) {
    if (report.up > 0 && !m_started_told) m_job.started = std::min(m_job.started, arrival.unix_s - report.up);
    m_seq = m_job.seq = report.seq;
    m_job.up = up;
    m_job.heard = arrival.now;
    m_job.heard_unix = arrival.unix_s;
    m_job.promise = report.next;
    if (report.t > 0) m_skew.add(report.t - arrival.unix_s, arrival.now);
  }
  if (heard_before) return false;

  if (report.hello && report.seq > m_hello_seq) {
    m_hello_seq = report.seq;
    apply_hello(*report.hello);
  }
  if (report.usage && report.seq > m_usage_seq) {
    m_usage_seq = report.seq;
    apply_usage(*report.usage, up);
  }
  bool progressed = false;
  for (const wire::Bar& bar : report.bars) progressed |= m_bars.apply(report, bar, up, limits) == Applied::progressed;
  for (const wire::Stage& stage : report.stages)
    progressed |= m_stages.apply(report, stage, up, limits) == Applied::progressed;
  for (const wire::Metric& point : report.metrics) m_metrics.apply(point, limits);
  for (const wire::Log& line : report.logs) m_log.apply(report, line, arrival.now);
  if (progressed) note_progress(up);
  if (report.finish && report.seq > m_finish_seq) {
    m_finish_seq = report.seq;
    if (!m_finish) m_finish_heard = arrival.now;
    apply_finish(*report.finish);
    if (!m_job.ended || report.finish->elapsed > 0)
      m_job.ended = report.finish->elapsed > 0 ? report.finish->elapsed : up;
  }
  return true;
}

void JobRecord::apply_hello(const wire::Hello& hello) {
  if (hello.start) {
    m_job.started = *hello.start;
    m_started_told = true;
  }
  m_job.identity = std::make_shared<const Identity>(identity_of(hello));
  m_about = true;
}

void JobRecord::apply_usage(const wire::Usage& row, Seconds up) {
  auto usage = std::make_shared<Usage>();
  usage->rss = row.rss;
  usage->peak = row.peak;
  usage->threads = row.threads;
  usage->cpu = row.cpu;
  usage->children = row.children;
  usage->tree_rss = row.tree_rss;
  usage->gpu = row.gpu;
  usage->gpu_mem = row.gpu_mem;
  usage->cpu_rate = m_job.usage->cpu_rate;
  if (row.cpu && up - m_rated_up >= 1) {
    usage->cpu_rate = std::max(0.0, (*row.cpu - m_rated_cpu) / (up - m_rated_up));
    m_rated_up = up;
    m_rated_cpu = *row.cpu;
  }
  m_job.usage = std::move(usage);
  m_about = true;
}

void JobRecord::apply_finish(const wire::Finish& finish) {
  m_finish = finish.state;
  m_job.exit_code = finish.code;
  m_job.exit_signal = finish.signal;
  if (finish.error) {
    auto error = std::make_shared<Error>();
    error->type = text_of(finish.error->type);
    error->message = text_of(finish.error->message);
    if (m_job.error && m_trace == finish.error->trace) error->traceback = m_job.error->traceback;
    m_trace = finish.error->trace;
    m_job.error = std::move(error);
  }
  m_about = true;
}

void JobRecord::note_progress(Seconds up) {
  const Seconds gap = up - m_progress_up;
  if (m_progresses > 0 && gap > 0) {
    m_longest_gap = std::max(m_longest_gap, gap);
    m_mean_gap = m_mean_gap > 0 ? m_mean_gap + (gap - m_mean_gap) / 8 : gap;
  }
  m_progress_up = std::max(m_progress_up, up);
  ++m_progresses;
}

State JobRecord::judge(Seconds heard_until) const {
  if (m_finish) {
    const auto signal = m_job.exit_signal.value_or(0);
    if (*m_finish == wire::FinishState::failed) return State::failed;
    if (*m_finish == wire::FinishState::interrupted || signal == SIGINT || signal == SIGTERM) return State::interrupted;
    if (m_job.error || signal != 0 || m_job.exit_code.value_or(0) != 0) return State::failed;
    return m_bars.any_open_short_of_total() ? State::ended_early : State::finished;
  }
  if (m_job.promise && heard_until - m_job.heard > std::max(least_silence, promises_broken * *m_job.promise))
    return State::no_contact;
  const Seconds patience = std::max({least_standstill, usual_gaps * m_mean_gap, longest_gaps * m_longest_gap});
  if (m_progresses >= enough_progresses && m_job.up - m_progress_up > patience) return State::stalled;
  return State::running;
}

bool JobRecord::find_traceback() {
  if (!m_trace || !m_job.error || !m_job.error->traceback.empty()) return false;
  const LogLine* line = m_log.find(*m_trace);
  if (!line) return false;
  auto error = std::make_shared<Error>(*m_job.error);
  error->traceback = line->text;
  m_job.error = std::move(error);
  return true;
}

void JobRecord::answer(const wire::Report& report, std::size_t limit, std::string& out) {
  wire::Answer answer;
  answer.job = report.job;
  answer.ack = report.seq;
  answer.want_reports = m_datagrams.wanted(ranges_that_fit(m_datagrams, limit));
  answer.want_logs = m_log.numbers().wanted(ranges_that_fit(m_log.numbers(), limit));
  answer.want_metrics = m_metrics.numbers().wanted(ranges_that_fit(m_metrics.numbers(), limit));
  const std::size_t start = out.size();
  wire::encode(answer, out, limit);
  // Ranges that did not fit were not asked for.
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(out.data() + start);
  if (wire::decode_answer(bytes, out.size() - start, answer) != wire::Decoded::ok) return;
  m_datagrams.asked(answer.want_reports);
  m_log.numbers().asked(answer.want_logs);
  m_metrics.numbers().asked(answer.want_metrics);
}

bool JobRecord::is_repairing(Seconds now) const {
  if (!m_finish || is_terminal(m_job.state) || now - m_finish_heard >= repair_time) return false;
  return m_datagrams.missing() + m_log.numbers().missing() + m_metrics.numbers().missing() > 0;
}

std::optional<JobChange> JobRecord::publish(Seconds now, Seconds heard_until, const Limits& limits) {
  if (is_repairing(now)) return std::nullopt;
  const State state = judge(heard_until);
  if (!m_dirty && state == m_job.state && !m_log.overdue(now)) return std::nullopt;

  JobChange change;
  change.added = !m_published;
  change.bars = m_bars.publish(m_job.bars);
  change.stages = m_stages.publish(m_job.stages, m_job.up);
  change.metrics = m_metrics.publish(m_job.metrics, limits);
  const LogBook::Changes log = m_log.publish(m_job.log, now, limits);
  change.log_changed = log.changed;
  change.log_repaired = log.repaired;
  change.log_after = log.after;
  m_about |= find_traceback() || state != m_job.state;
  m_job.state = state;
  m_about |= m_job.skew != m_skew.value();
  m_job.skew = m_skew.value();

  const Lost lost{m_datagrams.missing() - std::min(m_datagrams.missing(), m_missed_before), m_log.numbers().missing(),
                  m_metrics.numbers().missing()};
  m_about |=
      lost.datagrams != m_job.lost.datagrams || lost.logs != m_job.lost.logs || lost.metrics != m_job.lost.metrics;
  m_job.lost = lost;
  m_about |= m_job.others_bars != m_bars.folded() || m_job.others_stages != m_stages.folded() ||
             m_job.others_metrics != m_metrics.folded();
  m_job.others_bars = m_bars.folded();
  m_job.others_stages = m_stages.folded();
  m_job.others_metrics = m_metrics.folded();

  change.about = m_about || change.added;
  m_dirty = m_about = false;
  m_published = std::make_shared<const Job>(m_job);
  change.job = m_published;
  return change;
}

}  // namespace macaw::model
