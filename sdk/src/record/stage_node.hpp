// SPDX-License-Identifier: MIT
// One stage at one place of one thread's tree: its statistics and its children.
// Threads: begin(), end() and child() belong to the thread that owns the tree; every thread may read(). A sequence lock
// of plain stores keeps a reader from seeing half of an update.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "sdk/src/record/clock.hpp"
#include "sdk/src/wire/report.hpp"
#include "sdk/src/wire/shorten.hpp"

namespace macaw::record {

using wire::StageKind;

inline constexpr std::uint32_t max_depth = 256;
inline constexpr std::uint32_t max_stages = 2000;

// Times in ticks; mean and m2 are Welford's.
struct StageStats {
  std::uint64_t n = 0, sum = 0, min = 0, max = 0, last = 0;
  double mean = 0, m2 = 0;
  std::uint64_t open = 0, since = 0, errors = 0;
};

class StageNode {
 public:
  StageNode(StageNode* parent, std::string_view name, StageKind kind, const void* hint)
      : parent_(parent), depth_(parent ? parent->depth_ + 1 : 0), kind_(kind), hint_(hint), name_(name) {}

  StageNode* parent() const noexcept { return parent_; }
  std::uint32_t depth() const noexcept { return depth_; }
  StageKind kind() const noexcept { return kind_; }
  const void* hint() const noexcept { return hint_; }
  std::string_view name() const noexcept { return name_; }
  StageNode* first_child() const noexcept { return first_child_.load(std::memory_order_acquire); }
  StageNode* next_sibling() const noexcept { return next_sibling_.load(std::memory_order_acquire); }

  void begin(std::uint64_t now) noexcept {
    const std::uint64_t open = open_.load(std::memory_order_relaxed);
    if (open == 0) since_.store(now, std::memory_order_relaxed);
    open_.store(open + 1, std::memory_order_release);  // who sees the entry sees its time
  }

  void end(std::uint64_t start, std::uint64_t now, bool failed) noexcept {
    const std::uint64_t took = ticks_between(start, now);
    const std::uint32_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    const std::uint64_t n = load(n_) + 1;
    store(n_, n);
    store(sum_, load(sum_) + took);
    if (took < load(min_)) store(min_, took);
    if (took > load(max_)) store(max_, took);
    store(last_, took);
    const double value = static_cast<double>(took);
    const double delta = value - load(mean_);
    const double mean = load(mean_) + delta / static_cast<double>(n);
    store(mean_, mean);
    store(m2_, load(m2_) + delta * (value - mean));
    const std::uint64_t open = load(open_);
    store(open_, open - (open != 0));  // an entry that was left twice must not count below zero
    if (failed) store(errors_, load(errors_) + 1);
    version_.store(version + 2, std::memory_order_release);
  }

  bool is_open() const noexcept { return open_.load(std::memory_order_relaxed) != 0; }

  // A consistent copy, or false when the owner was writing all the while (it is again readable the next round).
  bool read(StageStats& out) const noexcept;

  // Whether a note would be looked at: at first, and once after each report. Asking clears the wish.
  bool note_wanted() noexcept {
    if (__builtin_expect(!note_wanted_.load(std::memory_order_relaxed), 1)) return false;
    note_wanted_.store(false, std::memory_order_relaxed);
    return true;
  }
  void want_note() noexcept { note_wanted_.store(true, std::memory_order_relaxed); }
  void set_note(std::string_view text);
  std::string note() const;

  // For the reporter alone: the row of the merged tree that this node counts into; -1 until it knows.
  std::int32_t merged = -1;

 private:
  friend class ThreadRecord;
  template <class T>
  static T load(const std::atomic<T>& field) noexcept {
    return field.load(std::memory_order_relaxed);
  }
  // Who reads the new value also sees the odd version before it. (In place of a fence, which ThreadSanitizer does not
  // understand; on x86 the same plain store.)
  template <class T>
  static void store(std::atomic<T>& field, T value) noexcept {
    field.store(value, std::memory_order_release);
  }

  StageNode* const parent_;
  const std::uint32_t depth_;
  const StageKind kind_;
  const void* const hint_;
  std::atomic<StageNode*> first_child_{nullptr}, next_sibling_{nullptr};
  StageNode* last_child_ = nullptr;
  std::atomic<std::uint32_t> version_{0};
  std::atomic<bool> note_wanted_{true};
  std::atomic<std::uint64_t> n_{0}, sum_{0}, min_{UINT64_MAX}, max_{0}, last_{0}, open_{0}, since_{0}, errors_{0};
  std::atomic<double> mean_{0}, m2_{0};
  mutable std::mutex note_mutex_;
  std::string note_;
  const std::string name_;
};

}  // namespace macaw::record
