// SPDX-License-Identifier: MIT
// What one thread of the job has recorded: its tree of stages, its bars, its log lines and metric points.
// Use, in the hot path of a binding:
//   ThreadRecord& thread = ThreadRecord::mine();
//   StageNode* node = thread.child(thread.current(), "solve", StageKind::stage, hint);   // cache it in the caller
//   Entry entry = thread.enter(node);  …  ThreadRecord::mine().leave(entry, failed);
// `hint` is any pointer that stands for the same name while the record lives (an interned string): compared first.
// Threads: everything but the reading side (first(), next(), root(), bars(), events) belongs to the owning thread.
// Records are never freed; that of an ended thread serves the next thread that starts.
#pragma once

#include <string_view>
#include <unordered_map>

#include "sdk/src/record/bar.hpp"
#include "sdk/src/record/ring.hpp"
#include "sdk/src/record/stage_node.hpp"

namespace macaw::record {

using wire::LogLevel;
using wire::Value;

// One entry of a stage, held by whoever will leave it.
struct Entry {
  StageNode* node = nullptr;
  StageNode* outer = nullptr;
  std::uint64_t start = 0;
};

// A record in Ring: this head, then the text; for a metric the name, then the text of a text value.
struct EventHead {
  enum class Kind : std::uint8_t { log, metric };
  enum class Type : std::uint8_t { none, whole, real, boolean, text };
  Kind kind = Kind::log;
  LogLevel level = LogLevel::info;
  Type value_type = Type::none, step_type = Type::none;
  std::uint32_t name_size = 0;
  std::uint64_t when = 0;  // ticks
  struct Line {
    StageNode* stage;
    std::uint64_t cut;  // bytes of the text left off
  };
  union Bits {
    std::int64_t whole;
    double real;
  };
  struct Point {
    Bits value, step;
  };
  union {  // what the ring's memory costs is felt: it comes back from the reporter's core with each record
    Line line;
    Point point{};
  };
};

class ThreadRecord {
 public:
  static ThreadRecord& mine() noexcept {
    ThreadRecord* record = mine_;
    return __builtin_expect(record != nullptr, 1) ? *record : attach();
  }
  // All records, newest first; for the reporter.
  static ThreadRecord* first() noexcept;
  // In the child of a fork, which begins with no record at all: what the parent recorded is the parent's. Whatever the
  // child still leaves or counts of it goes into memory that nobody reads.
  static void forget_all() noexcept;
  ThreadRecord* next() const noexcept { return next_; }

  StageNode* root() noexcept { return &root_; }
  StageNode* current() const noexcept { return current_; }
  // For code that takes turns on one thread (tasks): where the next one stands.
  void stand(StageNode* node, Bar* bar) noexcept {
    current_ = node;
    innermost_ = bar;
  }
  Bar* innermost_bar() const noexcept { return innermost_; }

  // Finds or makes the child of `parent`. Beyond the bounds it is the row "other", beyond the depth the parent itself.
  StageNode* child(StageNode* parent, std::string_view name, StageKind kind, const void* hint) noexcept {
    int looked = 0;
    for (StageNode* c = parent->first_child(); c && looked < 8; c = c->next_sibling(), ++looked) {
      if (c->hint() == hint && hint && c->kind() == kind) return c;
    }
    return find_or_make(parent, name, kind, hint);
  }

  Entry enter(StageNode* node) noexcept {
    const Entry entry{node, current_, ticks()};
    node->begin(entry.start);
    current_ = node;
    return entry;
  }

  // A stage that is left and taken up again (a generator between two of its items) counts once, with the time inside.
  void resume(Entry& entry) noexcept {
    entry.outer = current_;
    entry.start = ticks();
    current_ = entry.node;
  }
  // Returns the ticks since resume().
  std::uint64_t suspend(const Entry& entry) noexcept {
    const std::uint64_t inside = ticks_between(entry.start, ticks());
    if (current_ == entry.node) current_ = entry.outer;
    return inside;
  }

  // Safe in any order: leaving an outer stage first also takes its inner ones off this thread's path.
  void leave(const Entry& entry, bool failed) noexcept {
    entry.node->end(entry.start, ticks(), failed);
    if (__builtin_expect(current_ == entry.node, 1)) {
      current_ = entry.outer;
    } else {
      leave_out_of_order(entry);
    }
  }

  // Counts an entry whose code ran elsewhere; this place stays.
  void end(const Entry& entry, bool failed) noexcept { entry.node->end(entry.start, ticks(), failed); }

  // Opens a bar inside the innermost one. Null when there are too many.
  Bar* open_bar(std::string_view desc, std::string_view unit, std::optional<Number> total,
                std::optional<Number> initial, const void* hint) noexcept;
  void close_bar(Bar* bar, BarState state) noexcept;
  Bar* bars() const noexcept { return bars_.load(std::memory_order_acquire); }
  static Bar* next_bar(const Bar* bar) noexcept { return bar->next_.load(std::memory_order_acquire); }

  // False: dropped for want of room, and counted.
  bool log(LogLevel level, std::string_view text) noexcept;
  // `when` in ticks: points that belong together share one, which also saves reading the clock for each.
  bool metric(std::string_view name, const Value& value, const std::optional<Number>& step,
              std::uint64_t when = ticks()) noexcept;
  Ring& events() noexcept { return events_; }
  std::uint64_t take_dropped_logs() noexcept { return dropped_logs_.exchange(0, std::memory_order_relaxed); }
  std::uint64_t take_dropped_metrics() noexcept { return dropped_metrics_.exchange(0, std::memory_order_relaxed); }

  static std::uint64_t folded_bars() noexcept { return folded_bars_.load(std::memory_order_relaxed); }
  // Called once a ring is half full; set by the reporter. Must be async and cheap.
  static std::atomic<void (*)()> on_pressure;

 private:
  friend struct Detacher;
  static ThreadRecord& attach() noexcept;
  StageNode* find_or_make(StageNode* parent, std::string_view name, StageKind kind, const void* hint) noexcept;
  StageNode* make(StageNode* parent, std::string_view name, StageKind kind, const void* hint);
  void leave_out_of_order(const Entry& entry) noexcept;
  bool push(const EventHead& head, std::string_view a, std::string_view b) noexcept;

  // Pointer-size thread storage in the static block: one instruction to reach, also from a shared library.
  static __thread ThreadRecord* mine_ __attribute__((tls_model("initial-exec")));
  static std::atomic<std::uint64_t> folded_bars_;

  ThreadRecord* next_ = nullptr;
  std::atomic<bool> in_use_{true};
  StageNode root_{nullptr, "", StageKind::stage, nullptr};
  StageNode* current_ = &root_;
  Bar* innermost_ = nullptr;
  std::atomic<Bar*> bars_{nullptr};
  Ring events_;
  std::atomic<std::uint64_t> dropped_logs_{0}, dropped_metrics_{0};
  std::uint32_t stages_ = 0;
  struct Place {
    const StageNode* parent;
    std::string_view name;
    StageKind kind;
    bool operator==(const Place& o) const { return parent == o.parent && kind == o.kind && name == o.name; }
  };
  struct PlaceHash {
    std::size_t operator()(const Place& p) const {
      return std::hash<std::string_view>{}(p.name) ^ (reinterpret_cast<std::size_t>(p.parent) >> 4);
    }
  };
  std::unordered_map<Place, StageNode*, PlaceHash> by_name_;
};

}  // namespace macaw::record
