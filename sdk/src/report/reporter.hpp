// SPDX-License-Identifier: MIT
// What is sent when: new and changed rows first, every row again within 10 s, events numbered and repeated on demand,
// and a finish that is repeated until somebody has it all. No thread, no clock, no socket of its own: the session's
// reporter thread calls in, tests drive it with a clock and a transport of theirs. One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sdk/src/report/tables.hpp"
#include "sdk/src/report/transport.hpp"
#include "sdk/src/wire/encode.hpp"
#include "sdk/src/wire/seal.hpp"

namespace macaw::report {

struct Hello {
  std::string name, host, user, cwd, lang, sdk;
  std::vector<std::string> argv;
  std::int64_t pid = 0;
  double start = 0;  // Unix s
  std::optional<wire::JobId> parent;
  std::vector<std::pair<std::string, std::string>> tags, env;
};

struct Finish {
  double elapsed = 0;
  std::optional<std::int64_t> code, signal;
  wire::FinishState state = wire::FinishState::finished;
  struct Error {
    std::string type, message, trace;
  };
  std::optional<Error> error;
};

struct Now {
  double up = 0;  // s since the job started
  double unix_s = 0;
};

using ReadUsage = std::function<wire::Usage()>;

class Reporter {
 public:
  // With seals, whatever is sent is sealed, and no other answer believed.
  Reporter(wire::JobId job, Hello hello, std::size_t mtu, Transport& transport, ReadUsage read_usage,
           std::optional<wire::Seals> seals = {});

  StageTable stages;
  BarTable bars;
  EventTable events;

  // Takes over what the threads have recorded. `start` is the tick of the job's start.
  void collect(record::ThreadRecord* first, std::uint64_t start);

  // Seconds a tick, as of the last collect(): whoever shows the tables with it shows the numbers that are sent.
  double tick() const { return tick_; }

  // Sends what is due, then reads the answers that are there.
  void round(Now now);

  // The last words, with repeats: returns after at most 0.5 s, at once when nobody is there. `clock` gives the time
  // as it goes on.
  void finish(const Finish& finish, const std::function<Now()>& clock);

  // A whole datagram with nothing but a finish by `signal`, for a handler that may do no more than send it. `seq` must
  // be one that no report has or gets: next_seq() between two rounds, seqs_a_round more during one.
  std::string farewell(Now now, int signal, std::uint64_t seq) const;
  std::uint64_t next_seq() const { return next_seq_; }
  // More sequence numbers than one round takes.
  static constexpr std::uint64_t seqs_a_round = 128;

  double promise = 2;  // s until the next report, as promised
  std::uint64_t sent_datagrams() const { return sent_; }
  std::uint64_t unsent_datagrams() const { return unsent_; }

 private:
  enum class Scope { due, changed, all };
  void send_rows(Now now, Scope scope);
  void send_events(Now now, Scope scope);
  void add_finish(const Finish& finish);
  void send_finish(const Finish& finish, Now now);
  enum class Heard { nothing, wish, everything };
  Heard wait_for_answer(double until, const std::function<Now()>& clock);
  bool read_answers(double wait);
  void take(const wire::Answer& answer);
  void mark_all_changed();
  bool is_due(const Sent& sent, double up, Scope scope) const;
  std::uint64_t add_hello();
  std::uint64_t add_stage(const StageRow& row, std::uint64_t now_ticks);
  std::uint64_t add_bar(const BarRow& row);
  void add_log(LogEntry& entry, double up);
  std::uint64_t add_metric(const MetricEntry& entry);
  void begin(Now now);
  static void deliver(void* self, const char* data, std::size_t size, std::uint64_t seq);
  void flush();
  void take_back_unsent();
  template <class Each>
  void each_sent(Each&& each);

  static constexpr double hello_every = 5, hello_every_unanswered = 1, usage_every = 1, refresh_every = 8;
  static constexpr double answers_take = 0.5;  // s after a hello; a later one is read after the next
  static constexpr double longest_finish = 0.5, first_gap = 0.012;
  static constexpr int repeats_into_silence = 3;  // some 60 ms in all when nobody ever answered

  const wire::JobId job_;
  const Hello hello_;
  Transport& transport_;
  const std::optional<wire::Seals> seals_;
  std::string opened_;
  // Datagrams on their way: sequence numbers outgoing_seq_ and up.
  std::array<Datagram, wire::Packer::standing> outgoing_;
  std::array<std::string, wire::Packer::standing> sealed_;
  std::size_t outgoing_count_ = 0;
  std::uint64_t outgoing_seq_ = 0;
  ReadUsage read_usage_;
  wire::Packer packer_;
  wire::Stage stage_;
  double tick_ = 0;
  std::uint64_t next_seq_ = 1;
  double hello_at_ = -1e9, usage_at_ = -1e9;
  int datagrams_ = 0, most_datagrams_ = 64;  // in this round; what is left goes with the next one
  std::uint64_t unsent_from_ = 0;            // the first sequence number of this round that nobody took; 0: none
  std::uint64_t hello_seq_ = 0, usage_seq_ = 0;
  std::uint64_t sent_ = 0, unsent_ = 0;
  bool was_refused_ = false, answered_ = false;
  bool wants_more_ = false;  // an answer asked for something that can be sent again
  std::uint64_t finish_seq_ = 0, acknowledged_ = 0;
  std::optional<std::uint64_t> trace_no_;
};

}  // namespace macaw::report
