// SPDX-License-Identifier: MIT
// The public C++ interface over the record: translates, decides nothing.
#include <cxxabi.h>
#include <pthread.h>
#include <atomic>
#include <cmath>

#include "macaw/macaw.hpp"
#include "sdk/src/process/session.hpp"
#include "sdk/src/record/thread_record.hpp"

namespace macaw {

std::atomic<bool> detail::is_off{false};

namespace {

using record::ThreadRecord;

// One relaxed load on the hot path once it is known whether this process reports.
enum class Switch : int { unknown, on, off };
std::atomic<Switch> known{Switch::unknown};

bool enabled() noexcept {
  const Switch now = known.load(std::memory_order_relaxed);
  if (__builtin_expect(now == Switch::on, 1)) return true;
  if (now == Switch::off) return false;
  static const bool asks_again_in_children = pthread_atfork(nullptr, nullptr, [] {
                                               if (known.load() == Switch::on) known.store(Switch::unknown);
                                             }) == 0;
  (void)asks_again_in_children;
  process::start();
  const bool on = !process::is_disabled();
  known.store(on ? Switch::on : Switch::off, std::memory_order_relaxed);
  detail::is_off.store(!on, std::memory_order_relaxed);
  return on;
}

// std::uncaught_exceptions(), asked twice a stage: where the Itanium ABI (2.2.2) keeps it is looked up once a thread,
// which takes a fifth off a stage's cost.
unsigned exceptions_in_flight() noexcept {
  struct Globals {
    void* caught;
    unsigned uncaught;
  };
  static __thread const Globals* mine __attribute__((tls_model("initial-exec"))) = nullptr;
  if (__builtin_expect(!mine, 0)) mine = reinterpret_cast<const Globals*>(abi::__cxa_get_globals());
  return mine->uncaught;
}

std::optional<wire::Number> number(std::optional<std::int64_t> value) {
  return value ? std::optional<wire::Number>(*value) : std::nullopt;
}

record::Bar* as_bar(void* bar) { return static_cast<record::Bar*>(bar); }

void put_metric(std::string_view name, const wire::Value& value, std::optional<double> step) noexcept {
  if (!enabled()) return;
  std::optional<wire::Number> at;
  if (step && *step == std::floor(*step) && std::fabs(*step) < 9e15)
    at = static_cast<std::int64_t>(*step);
  else if (step)
    at = *step;
  ThreadRecord::mine().metric(name, value, at);
}

}  // namespace

void init(const Options& options) noexcept {
  report::Wishes wishes;
  if (!options.name.empty()) wishes.name = options.name;
  if (!options.url.empty()) wishes.url = options.url;
  if (!options.key.empty()) wishes.key = options.key;
  wishes.tags = options.tags;
  if (!options.console.empty()) wishes.console = options.console;
  process::start(wishes);
}

void finish() noexcept { process::finish(wire::FinishState::finished, 0); }
std::string job_id() noexcept { return process::job_id(); }

Bar::Bar(std::string_view desc, std::optional<std::int64_t> total, std::string_view unit) noexcept
    : bar_(enabled() ? ThreadRecord::mine().open_bar(desc, unit, number(total), std::nullopt, nullptr) : nullptr) {}

Bar::~Bar() { close(); }

Bar& Bar::operator+=(std::int64_t steps) noexcept {
  if (bar_) as_bar(bar_)->add_shared(steps);
  return *this;
}

void Bar::set(std::int64_t n) noexcept {
  if (bar_) as_bar(bar_)->set_n(n);
}

void Bar::set_total(std::optional<std::int64_t> total) noexcept {
  if (bar_) as_bar(bar_)->set_total(number(total));
}

void Bar::close() noexcept {
  if (!bar_) return;
  const auto total = as_bar(bar_)->total();
  const bool reached = !total || record::Bar::as_double(as_bar(bar_)->n()) >= record::Bar::as_double(*total);
  ThreadRecord::mine().close_bar(as_bar(bar_), reached ? wire::BarState::done : wire::BarState::left);
  bar_ = nullptr;
}

void Bar::complete() noexcept {
  if (bar_) ThreadRecord::mine().close_bar(as_bar(bar_), wire::BarState::done);
  bar_ = nullptr;
}

namespace detail {

void enter_stage(StageEntry& out, std::string_view name, const void* key) noexcept {
  if (!enabled()) return;
  ThreadRecord& thread = ThreadRecord::mine();
  out.exceptions = exceptions_in_flight();
  const record::Entry entry = thread.enter(thread.child(thread.current(), name, wire::StageKind::stage, key));
  out.node = entry.node;
  out.outer = entry.outer;
  out.start = entry.start;
}

void leave_stage(const StageEntry& entry) noexcept {
  ThreadRecord::mine().leave(
      {static_cast<record::StageNode*>(entry.node), static_cast<record::StageNode*>(entry.outer), entry.start},
      exceptions_in_flight() > entry.exceptions);
}

void set_stage_note(const StageEntry& entry, std::string_view note) noexcept {
  static_cast<record::StageNode*>(entry.node)->set_note(note);
}

void log(Level level, std::string_view text) noexcept {
  if (enabled()) ThreadRecord::mine().log(static_cast<wire::LogLevel>(level), text);
}

void metric(std::string_view name, double value, std::optional<double> step) noexcept { put_metric(name, value, step); }
void metric(std::string_view name, std::int64_t value, std::optional<double> step) noexcept {
  put_metric(name, value, step);
}
void metric(std::string_view name, bool value, std::optional<double> step) noexcept { put_metric(name, value, step); }
void metric(std::string_view name, std::string_view value, std::optional<double> step) noexcept {
  put_metric(name, value, step);
}

}  // namespace detail
}  // namespace macaw
