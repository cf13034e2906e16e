// SPDX-License-Identifier: GPL-3.0-or-later
// One job while reports come in: takes the rows of each, judges the state, publishes immutable snapshots. One thread.
#pragma once

#include <optional>

#include "collector/model/clock_skew.hpp"
#include "collector/model/event_tables.hpp"
#include "collector/model/job.hpp"
#include "collector/model/row_tables.hpp"

namespace macaw::model {

// When a report arrived, on the collector's clocks.
struct Arrival {
  Seconds now = 0;    // monotonic
  double unix_s = 0;  // for labels
};

class JobRecord {
 public:
  // A sender that ends sends again what was lost, for about this long. Until then the end is not told, so that what is
  // shown as ended is complete.
  static constexpr Seconds repair_time = 0.5;

  JobRecord(const JobId& id, Arrival first);
  explicit JobRecord(const Job& kept);  // goes on where a snapshot from history stands

  // False when this very datagram was here before.
  bool apply(const wire::Report& report, Arrival arrival, const Limits& limits);
  // Appends the answer to a report, at most `limit` bytes, and remembers what it asks for.
  void answer(const wire::Report& report, std::size_t limit, std::string& out);

  // What changed since the last call, states that only time changes included; nothing when nothing did. `heard_until`:
  // everything sent to the collector before then was applied, so silence counts up to there.
  std::optional<JobChange> publish(Seconds now, Seconds heard_until, const Limits& limits);

  const JobPtr& published() const { return m_published; }
  bool dirty() const { return m_dirty; }

 private:
  void apply_hello(const wire::Hello& hello);
  void apply_usage(const wire::Usage& usage, Seconds up);
  void apply_finish(const wire::Finish& finish);
  void note_progress(Seconds up);
  State judge(Seconds heard_until) const;
  bool find_traceback();
  bool is_repairing(Seconds now) const;

  Job m_job;
  JobPtr m_published;
  BarTable m_bars;
  StageTable m_stages;
  MetricTable m_metrics;
  LogBook m_log;
  Numbers m_datagrams;
  std::uint64_t m_missed_before = 0;  // datagrams sent before the first one that was heard: not lost, only unheard

  std::uint64_t m_seq = 0, m_hello_seq = 0, m_usage_seq = 0, m_finish_seq = 0;  // newest applied
  std::optional<wire::FinishState> m_finish;
  Seconds m_finish_heard = 0;            // the first, on the collector's clock
  std::optional<std::uint64_t> m_trace;  // the log line that holds the traceback
  bool m_started_told = false;           // `started` is the sender's word
  Seconds m_rated_up = 0;                // when cpu_rate was taken
  double m_rated_cpu = 0;

  // Progress of bars and stages, on the job's own clock.
  Seconds m_progress_up = 0, m_mean_gap = 0, m_longest_gap = 0;
  std::uint64_t m_progresses = 0;

  ClockSkew m_skew;
  bool m_dirty = true, m_about = true;
};

}  // namespace macaw::model
