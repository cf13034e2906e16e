// SPDX-License-Identifier: MIT
// A progress bar's record. Its slot is kept when the bar has ended: the next bar of the same place (parent bar, stage
// and description) uses it again and counts as one more repeat, so a short inner loop costs no memory and one row.
// Threads: the counter may be moved by its owner with add(), or by any thread with add_shared(); everything else by
// whoever holds the bar, one thread at a time; the reporter reads at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "sdk/src/record/clock.hpp"
#include "sdk/src/wire/report.hpp"

namespace macaw::record {

class StageNode;
using wire::BarState;
using wire::Number;

inline constexpr std::uint32_t max_bars = 500;

struct BarWords {
  std::string desc, unit;
};

class Bar {
 public:
  Bar(std::uint64_t id, Bar* outer, StageNode* stage, const void* hint, std::string_view desc, std::string_view unit)
      : id_(id), outer_(outer), stage_(stage), hint_(hint), words_{std::string(desc), std::string(unit)} {}

  std::uint64_t id() const noexcept { return id_; }
  Bar* outer() const noexcept { return outer_; }  // the bar that was innermost when this one was opened
  StageNode* stage() const noexcept { return stage_; }
  const void* hint() const noexcept { return hint_; }

  // The owner's step: a plain add.
  void add(std::int64_t steps) noexcept {
    n_.store(n_.load(std::memory_order_relaxed) + steps, std::memory_order_relaxed);
  }
  void add_shared(std::int64_t steps) noexcept { n_.fetch_add(steps, std::memory_order_relaxed); }
  void add_real(double steps) noexcept { set_n(as_double(n()) + steps); }

  void set_n(Number n) noexcept {
    if (const auto* whole = std::get_if<std::int64_t>(&n)) {
      real_.store(false, std::memory_order_relaxed);
      n_.store(*whole, std::memory_order_relaxed);
    } else {
      real_n_.store(std::get<double>(n), std::memory_order_relaxed);
      real_.store(true, std::memory_order_relaxed);
    }
  }
  bool is_real() const noexcept { return real_.load(std::memory_order_relaxed); }
  Number n() const noexcept {
    if (is_real()) return real_n_.load(std::memory_order_relaxed);
    return n_.load(std::memory_order_relaxed);
  }

  void set_total(std::optional<Number> total);
  std::optional<Number> total() const;
  std::optional<Number> initial() const;
  void set_desc(std::string_view desc);
  BarWords words() const;

  BarState state() const noexcept { return state_.load(std::memory_order_acquire); }
  std::uint64_t repeats() const noexcept { return repeats_.load(std::memory_order_relaxed); }
  std::uint64_t started() const noexcept { return started_.load(std::memory_order_relaxed); }
  std::uint64_t ended() const noexcept { return ended_.load(std::memory_order_relaxed); }  // 0: still running

  // Starts the (first or next) run of this bar.
  void open(std::optional<Number> total, std::optional<Number> initial, bool again);
  void close(BarState state) noexcept;

  static double as_double(const Number& n) noexcept {
    const auto* whole = std::get_if<std::int64_t>(&n);
    return whole ? static_cast<double>(*whole) : std::get<double>(n);
  }

 private:
  friend class ThreadRecord;
  const std::uint64_t id_;
  Bar* const outer_;
  StageNode* const stage_;
  const void* const hint_;
  std::atomic<std::int64_t> n_{0};
  std::atomic<double> real_n_{0};
  std::atomic<bool> real_{false};
  std::atomic<BarState> state_{BarState::running};
  std::atomic<std::uint64_t> repeats_{0}, started_{0}, ended_{0};
  std::atomic<Bar*> next_{nullptr};
  mutable std::mutex mutex_;  // of what follows
  BarWords words_;
  std::optional<Number> total_, initial_;
};

}  // namespace macaw::record
