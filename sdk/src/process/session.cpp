// SPDX-License-Identifier: MIT
#include "sdk/src/process/session.hpp"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "macaw/version.hpp"
#include "sdk/src/console/writer.hpp"
#include "sdk/src/process/fair_mutex.hpp"
#include "sdk/src/process/farewell.hpp"
#include "sdk/src/process/identity.hpp"
#include "sdk/src/process/usage.hpp"
#include "sdk/src/report/reporter.hpp"
#include "sdk/src/report/sodium.hpp"
#include "sdk/src/report/udp_transport.hpp"

namespace macaw::process {
namespace {

using record::ThreadRecord;

double unix_now() {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// A worker's parent has the console: where that draws a block, a line in between would tear it.
console::Mode console_mode(report::ConsoleMode wish, bool is_worker) {
  if (wish == report::ConsoleMode::off) return console::Mode::off;
  if (wish == report::ConsoleMode::plain) return console::Mode::plain;
  if (wish == report::ConsoleMode::live) return console::Mode::live;
  const char* term = getenv("TERM");
  const bool capable = isatty(STDERR_FILENO) && term && std::strcmp(term, "dumb") != 0;
  if (is_worker) return capable ? console::Mode::off : console::Mode::lines;
  return capable ? console::Mode::live : console::Mode::plain;
}

console::Value console_value(const report::OwnedValue& value) {
  return std::visit([](const auto& v) -> console::Value { return v; }, value);
}

const char* level_word(wire::LogLevel level) {
  static constexpr const char* words[] = {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"};
  return words[static_cast<std::size_t>(level)];
}

std::optional<wire::Seals> seals(const report::Settings& settings, const wire::JobId& job) {
  if (settings.key.empty()) return std::nullopt;
  return wire::Seals(*report::load_sodium(), settings.key, job);
}

// With a key and nothing to seal with, nothing is sent.
report::Settings sealable(report::Settings settings) {
  if (settings.key.empty() || report::load_sodium()) return settings;
  settings.key.clear();
  settings.targets.clear();
  settings.warnings.emplace_back(
      "there is a key, but no libsodium to seal reports with (Debian and Ubuntu: apt install libsodium23): nothing is "
      "sent");
  return settings;
}

class Session {
 public:
  Session(const report::Settings& settings, report::Hello hello)
      : id_(random_job_id()),
        pid_(getpid()),
        start_ticks_(record::ticks()),
        start_ns_(record::monotonic_ns()),
        interval_(settings.interval),
        name_(hello.name),
        transport_(settings.targets),
        writer_(STDERR_FILENO, console_mode(settings.console, hello.parent.has_value())),
        reporter_(
            id_, std::move(hello), settings.mtu, transport_, [this] { return usage(); }, seals(settings, id_)) {
    reporter_.promise = std::max(2.0, 3 * interval_);
    for (const std::string& warning : settings.warnings) dprintf(STDERR_FILENO, "[macaw] %s\n", warning.c_str());
    writer_.start(snapshot());
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);  // the job's signals stay with the job's threads
    thread_ = std::thread([this] { run(); });
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
    install_farewell();
  }

  std::string id() const { return job_id_text(id_); }
  bool is_live() const { return writer_.mode() == console::Mode::live; }
  bool is_running() const { return running_ && getpid() == pid_; }
  void print_above(std::string_view text) { writer_.print_above(text); }

  // Collects and describes; the caller holds no lock.
  console::Snapshot collected_snapshot() {
    const std::lock_guard<FairMutex> lock(mutex_);
    reporter_.collect(ThreadRecord::first(), start_ticks_);
    return snapshot();
  }

  void set_error(report::Finish::Error error) {
    const std::lock_guard<FairMutex> lock(mutex_);
    error_ = std::move(error);
  }

  // `signal` 0: by exit status.
  void end(std::optional<wire::FinishState> wish, int code, int signal) {
    if (!is_running() || ending_.exchange(true)) return;
    hold_signals();
    {
      const std::lock_guard<std::mutex> lock(sleep_mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
    {
      const std::lock_guard<FairMutex> lock(mutex_);
      say_last_words(wish, code, signal ? signal : held_signal());
    }
    release_signals();
  }

  // The caller holds the lock.
  void say_last_words(std::optional<wire::FinishState> wish, int code, int signal) {
    report::Finish finish;
    finish.error = error_;
    finish.state = signal           ? wire::FinishState::interrupted
                   : error_ || code ? wire::FinishState::failed
                                    : wish.value_or(wire::FinishState::finished);
    if (!signal) finish.code = error_ && code == 0 ? 1 : code;
    if (signal) finish.signal = signal;
    close_bars(finish.state);
    reporter_.collect(ThreadRecord::first(), start_ticks_);
    print_logs();
    final_usage_ = usage_.read();
    finish.elapsed = up();
    disarm_farewell();
    print_ending(finish);
    reporter_.finish(finish, [this] { return now(); });
    running_ = false;
  }

  // --- around fork: the child must find every lock free, and must send and print nothing of its parent's ---
  void before_fork() {
    mutex_.lock();
    writer_.lock();
  }
  void after_fork_in_parent() {
    writer_.unlock();
    mutex_.unlock();
  }
  // True: a session of the child's own may take its place. Nothing of the parent's is sent or printed any more.
  bool after_fork_in_child() {
    writer_.unlock();
    mutex_.unlock();
    disarm_farewell();
    int descriptors[report::UdpTransport::max_targets + 1];
    transport_.descriptors(descriptors);
    for (const int* fd = descriptors; *fd >= 0; ++fd) close(*fd);
    return running_.exchange(false);
  }

  // Not in a fork's child: its copy of the condition still counts a waiter that only the parent has.
  void wake() {
    if (!running_ || woken_.load(std::memory_order_relaxed)) return;
    if (!woken_.exchange(true, std::memory_order_relaxed)) wake_.notify_one();
  }

 private:
  double up() const { return static_cast<double>(record::monotonic_ns() - start_ns_) * 1e-9; }
  report::Now now() const { return {up(), unix_now()}; }

  wire::Usage usage() {
    wire::Usage usage = final_usage_ ? *final_usage_ : usage_.read();
    timespec spent{};
    if (!final_usage_ && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent) == 0) {
      self_cpu_ = static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
    }
    usage.self_cpu = self_cpu_;
    usage.sent = static_cast<std::int64_t>(reporter_.sent_datagrams());
    usage.unsent = static_cast<std::int64_t>(reporter_.unsent_datagrams());
    return usage;
  }

  void run() {
    pthread_setname_np(pthread_self(), "macaw");
    while (!stop_) {
      {
        const std::lock_guard<FairMutex> lock(mutex_);
        step();
      }
      sleep();
      if (const int signal = ending_signal()) {
        const std::lock_guard<FairMutex> lock(mutex_);
        if (!ending_.exchange(true)) say_last_words(std::nullopt, 0, signal);
        last_words_said();
        return;
      }
    }
  }

  void sleep() {
    std::unique_lock<std::mutex> lock(sleep_mutex_);
    wake_.wait_for(lock, std::chrono::duration<double>(interval_), [this] { return stop_ || woken_; });
  }

  void step() noexcept {
    woken_ = false;
    try {
      reporter_.collect(ThreadRecord::first(), start_ticks_);
      print_logs();
      writer_.flush();
      if (writer_.wants_block(up())) writer_.block(snapshot(), up());
      prepare_last_words(reporter_.next_seq() + report::Reporter::seqs_a_round);
      reporter_.round(now());
      prepare_last_words(reporter_.next_seq());
    } catch (...) {
      // Out of memory in a job that is about to feel it too: this round says nothing, the next one tries again.
    }
  }

  void prepare_last_words(std::uint64_t seq) {
    std::string farewells[3];
    for (std::size_t i = 0; i < 3; ++i) farewells[i] = reporter_.farewell(now(), farewell_signals[i], seq);
    int descriptors[report::UdpTransport::max_targets + 1];
    transport_.descriptors(descriptors);
    prepare_farewell(farewells, descriptors);
  }

  void print_logs() {
    const auto& logs = reporter_.events.logs;
    auto entry = std::upper_bound(logs.begin(), logs.end(), printed_,
                                  [](std::uint64_t no, const report::LogEntry& line) { return no < line.no; });
    for (; entry != logs.end(); ++entry) {
      writer_.log(level_word(entry->level), entry->text);
      printed_ = entry->no;
    }
  }

  void print_ending(const report::Finish& finish) {
    console::Ending ending;
    ending.word = finish.state == wire::FinishState::finished ? "finished"
                  : finish.state == wire::FinishState::failed ? "failed"
                                                              : "interrupted";
    ending.elapsed = finish.elapsed;
    ending.exit_code = finish.signal ? 128 + *finish.signal : finish.code.value_or(0);
    ending.peak_bytes = final_usage_ ? final_usage_->peak.value_or(0) : 0;
    ending.lost_logs = reporter_.events.lost_logs();
    ending.lost_points = reporter_.events.lost_points();
    if (finish.error) ending.error = finish.error->type + ": " + finish.error->message;
    writer_.finish(snapshot(), ending);
  }

  static void close_bars(wire::FinishState state) {
    if (state == wire::FinishState::finished) return;  // a bar still open at a good end says "ended early"
    const auto last = state == wire::FinishState::failed ? wire::BarState::failed : wire::BarState::interrupted;
    for (ThreadRecord* thread = ThreadRecord::first(); thread; thread = thread->next()) {
      for (record::Bar* bar = thread->bars(); bar; bar = ThreadRecord::next_bar(bar)) bar->close(last);
    }
  }

  console::Snapshot snapshot() {
    console::Snapshot out;
    out.name = name_;
    out.job_id = id();
    out.pid = pid_;
    for (const report::BarRow& row : reporter_.bars.rows) {
      console::Bar bar;
      bar.desc = row.words.desc;
      bar.unit = row.words.unit;
      bar.n = row.n;
      bar.total = row.total;
      bar.rate = row.rate();
      bar.eta = row.left();
      bar.elapsed = row.elapsed;
      bar.running = row.state == wire::BarState::running;
      bar.outermost = row.parent == 0;
      out.bars.push_back(std::move(bar));
    }
    add_stages(out);
    for (const report::MetricEntry& point : reporter_.events.latest) {
      out.metrics.emplace_back(point.name, console_value(point.value));
    }
    return out;
  }

  // Several threads or tasks were in it at once: together longer than what is around it, or than the job. Folded rows
  // may hold entries inside each other, which says nothing.
  bool is_parallel(const report::StageRow& row) const {
    if (row.name == "other" || row.depth + 1 >= record::max_depth) return false;
    const auto& rows = reporter_.stages.rows;
    const report::StageRow* around = row.parent < 0 ? nullptr : &rows[static_cast<std::size_t>(row.parent)];
    if (around && around->stats.open == 0) return row.stats.sum > around->stats.sum;
    return static_cast<double>(row.stats.sum) * reporter_.tick() > up();
  }

  void add_stages(console::Snapshot& out) {
    const double tick = reporter_.tick();
    const std::uint64_t now = record::ticks();
    report::StageTable& table = reporter_.stages;
    const auto total = [tick](const record::StageStats& stats) { return static_cast<double>(stats.sum) * tick; };
    const auto open_for = [tick, now](const record::StageStats& stats) {
      return stats.open ? static_cast<double>(record::ticks_between(stats.since, now)) * tick : 0;
    };
    std::vector<double> below(table.rows.size(), 0);  // time of a row's children
    for (const report::StageRow& row : table.rows) {
      if (row.parent >= 0) below[static_cast<std::size_t>(row.parent)] += total(row.stats) + open_for(row.stats);
    }
    for (const std::int32_t index : table.tree_order()) {
      const report::StageRow& row = table.rows[static_cast<std::size_t>(index)];
      console::Stage stage;
      stage.depth = row.depth;
      for (const wire::Text& name : table.path(index)) stage.path.emplace_back(name);
      stage.is_call = row.kind == wire::StageKind::call;
      stage.is_parallel = is_parallel(row);
      stage.count = row.stats.n;
      stage.errors = row.stats.errors;
      stage.total = total(row.stats);
      stage.open_for = open_for(row.stats);
      stage.self = std::max(0.0, stage.spent() - below[static_cast<std::size_t>(index)]);
      stage.min = static_cast<double>(row.stats.min) * tick;
      stage.max = static_cast<double>(row.stats.max) * tick;
      stage.last = static_cast<double>(row.stats.last) * tick;
      if (row.stats.n > 1) stage.std_dev = std::sqrt(row.stats.m2 / static_cast<double>(row.stats.n - 1)) * tick;
      stage.note = row.note;
      out.stages.push_back(std::move(stage));
    }
  }

  const wire::JobId id_;
  const pid_t pid_;
  const std::uint64_t start_ticks_, start_ns_;
  const double interval_;
  const std::string name_;
  report::UdpTransport transport_;
  UsageReader usage_;
  console::Writer writer_;

  FairMutex mutex_;  // of the reporter and what follows
  report::Reporter reporter_;
  std::optional<report::Finish::Error> error_;
  std::optional<wire::Usage> final_usage_;
  double self_cpu_ = 0;
  std::uint64_t printed_ = 0;
  std::atomic<bool> stop_{false};

  std::mutex sleep_mutex_;
  std::condition_variable wake_;
  std::atomic<bool> woken_{false};  // since the last round: once is enough, and each time costs the job a system call
  std::atomic<bool> running_{true}, ending_{false};
  std::thread thread_;
};

// Made once, never destroyed: threads of the job may record until the very end of the process.
std::atomic<Session*> session{nullptr};
std::mutex start_mutex;
bool disabled = false;
std::string language = "c++", sdk_name = "macaw " MACAW_VERSION;
std::optional<report::Wishes> first_wishes;  // of the process that forked: its workers want the same

void on_exit_status(int status, void*) {
  if (Session* s = session.load()) s->end(std::nullopt, status & 0xFF, 0);  // what the shell sees of it
}

void install_process_hooks() {
  static bool installed = false;  // a fork's child has its parent's
  if (std::exchange(installed, true)) return;
  on_exit(on_exit_status, nullptr);
  pthread_atfork(
      [] {
        start_mutex.lock();
        if (Session* s = session.load()) s->before_fork();
      },
      [] {
        if (Session* s = session.load()) s->after_fork_in_parent();
        start_mutex.unlock();
      },
      [] {
        // The parent's session stays in memory, with its threads that only the parent has. Where it had ended, the
        // child reports nothing either.
        if (Session* s = session.load()) {
          if (s->after_fork_in_child()) session.store(nullptr);
          ThreadRecord::forget_all();
        }
        start_mutex.unlock();
      });
  ThreadRecord::on_pressure = [] {
    if (Session* s = session.load()) s->wake();
  };
}

}  // namespace

void set_language(std::string lang, std::string sdk) {
  language = std::move(lang);
  sdk_name = std::move(sdk);
}

namespace {

// Programs that this job starts say whose children they are, and report to where it does.
void leave_to_children(const Session& parent, const report::Wishes& wishes) {
  setenv("MACAW_JOB", parent.id().c_str(), 1);
  if (wishes.url) setenv("MACAW_URL", wishes.url->c_str(), 1);
  if (wishes.key) setenv("MACAW_KEY", wishes.key->c_str(), 1);
}

report::Wishes filled(report::Wishes wishes, const report::Wishes& from) {
  if (!wishes.name) wishes.name = from.name;
  if (!wishes.url) wishes.url = from.url;
  if (!wishes.key) wishes.key = from.key;
  if (!wishes.console) wishes.console = from.console;
  if (wishes.tags.empty()) wishes.tags = from.tags;
  return wishes;
}

}  // namespace

bool start(const report::Wishes& wishes) noexcept {
  if (Session* s = session.load(std::memory_order_acquire)) return s->is_running();
  try {
    const std::lock_guard<std::mutex> lock(start_mutex);
    if (Session* s = session.load()) return s->is_running();
    if (disabled) return false;
    const bool is_fork = first_wishes.has_value();
    const report::Wishes wanted = is_fork ? filled(wishes, *first_wishes) : wishes;
    report::Settings settings = sealable(report::read_settings(wanted));
    if (is_fork) settings.warnings.clear();  // the parent has said them
    if (settings.disabled) {
      disabled = true;
      return false;
    }
    report::Hello hello = read_identity(settings, language, sdk_name);
    auto* s = new Session(settings, std::move(hello));
    first_wishes = wanted;
    leave_to_children(*s, wanted);
    session.store(s, std::memory_order_release);
    install_process_hooks();
    return true;
  } catch (...) {
    disabled = true;
    return false;
  }
}

bool is_running() noexcept {
  const Session* s = session.load(std::memory_order_acquire);
  return s && s->is_running();
}

bool is_disabled() noexcept {
  const char* value = getenv("MACAW_DISABLE");
  return disabled || (value && *value && std::strcmp(value, "0") != 0);
}

std::string job_id() noexcept {
  const Session* s = session.load(std::memory_order_acquire);
  return s ? s->id() : std::string();
}

console::Snapshot snapshot() noexcept {
  try {
    if (Session* s = session.load(std::memory_order_acquire)) return s->collected_snapshot();
  } catch (...) {
    // An empty summary is better than a failed job.
  }
  return {};
}

bool console_is_live() noexcept {
  const Session* s = session.load(std::memory_order_acquire);
  return s && s->is_running() && s->is_live();
}

void print_above(std::string_view text) noexcept {
  if (Session* s = session.load(std::memory_order_acquire)) s->print_above(text);
}

void set_error(std::string type, std::string message, std::string trace) noexcept {
  if (Session* s = session.load(std::memory_order_acquire))
    s->set_error({std::move(type), std::move(message), std::move(trace)});
}

void finish(wire::FinishState state, int code) noexcept {
  if (Session* s = session.load(std::memory_order_acquire)) s->end(state, code, 0);
}

void finish_by_signal(int signal) noexcept {
  if (Session* s = session.load(std::memory_order_acquire)) s->end(std::nullopt, 0, signal);
}

}  // namespace macaw::process
