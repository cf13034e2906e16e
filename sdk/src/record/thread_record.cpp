// SPDX-License-Identifier: MIT
#include "sdk/src/record/thread_record.hpp"

#include "sdk/src/wire/shorten.hpp"

namespace macaw::record {

__thread ThreadRecord* ThreadRecord::mine_ __attribute__((tls_model("initial-exec"))) = nullptr;
std::atomic<std::uint64_t> ThreadRecord::folded_bars_{0};
std::atomic<void (*)()> ThreadRecord::on_pressure{nullptr};

namespace {
std::atomic<ThreadRecord*> newest{nullptr};
std::atomic<std::uint64_t> bar_ids{0};
}  // namespace

// Gives a thread's record back when the thread ends.
struct Detacher {
  ~Detacher() {
    if (ThreadRecord* record = ThreadRecord::mine_) {
      ThreadRecord::mine_ = nullptr;
      record->current_ = &record->root_;
      record->innermost_ = nullptr;
      record->in_use_.store(false, std::memory_order_release);
    }
  }
};

ThreadRecord* ThreadRecord::first() noexcept { return newest.load(std::memory_order_acquire); }

void ThreadRecord::forget_all() noexcept {
  newest.store(nullptr, std::memory_order_release);
  mine_ = nullptr;
  folded_bars_.store(0, std::memory_order_relaxed);
  bar_ids.store(0, std::memory_order_relaxed);
}

ThreadRecord& ThreadRecord::attach() noexcept {
  static thread_local Detacher detacher;
  (void)detacher;
  for (ThreadRecord* record = first(); record; record = record->next_) {
    bool free = false;
    if (record->in_use_.compare_exchange_strong(free, true, std::memory_order_acquire)) return *(mine_ = record);
  }
  auto* record = new ThreadRecord;  // NOLINT(bugprone-unhandled-exception-at-new): a thread without one cannot record
  record->next_ = newest.load(std::memory_order_relaxed);
  while (!newest.compare_exchange_weak(record->next_, record, std::memory_order_release)) {
  }
  return *(mine_ = record);
}

StageNode* ThreadRecord::find_or_make(StageNode* parent, std::string_view name, StageKind kind,
                                      const void* hint) noexcept {
  if (parent->depth() >= max_depth) return parent;
  try {
    std::string shortened;
    if (name.size() > wire::max_name_bytes) name = shortened = wire::shorten(name, wire::max_name_bytes);
    const auto known = by_name_.find({parent, name, kind});
    if (known != by_name_.end()) return known->second;
    if (stages_ < max_stages) return make(parent, name, kind, hint);
    if (parent->name() == "other") return parent;  // what is below a folded row folds too, or it could grow for ever
    const auto other = by_name_.find({parent, "other", StageKind::stage});
    return other != by_name_.end() ? other->second : make(parent, "other", StageKind::stage, nullptr);
  } catch (...) {
    return parent;  // out of memory: the time counts into the parent
  }
}

StageNode* ThreadRecord::make(StageNode* parent, std::string_view name, StageKind kind, const void* hint) {
  auto* node = new StageNode(parent, name, kind, hint);
  by_name_.emplace(Place{parent, node->name(), kind}, node);
  ++stages_;
  if (parent->last_child_) {
    parent->last_child_->next_sibling_.store(node, std::memory_order_release);
  } else {
    parent->first_child_.store(node, std::memory_order_release);
  }
  parent->last_child_ = node;
  return node;
}

void ThreadRecord::leave_out_of_order(const Entry& entry) noexcept {
  for (StageNode* node = current_; node; node = node->parent()) {
    if (node != entry.node) continue;
    current_ = entry.outer;
    return;
  }
}

Bar* ThreadRecord::open_bar(std::string_view desc, std::string_view unit, std::optional<Number> total,
                            std::optional<Number> initial, const void* hint) noexcept {
  try {
    // Another thread may have closed what was the innermost bar here.
    while (innermost_ && innermost_->state() != BarState::running) innermost_ = innermost_->outer_;
    Bar* last = nullptr;
    for (Bar* bar = bars(); bar; last = bar, bar = next_bar(bar)) {
      if (bar->outer_ != innermost_ || bar->stage_ != current_ || bar->state() == BarState::running) continue;
      if (!(hint && bar->hint_ == hint) && bar->words_.desc != desc) continue;
      bar->open(total, initial, true);
      return innermost_ = bar;
    }
    if (bar_ids.load(std::memory_order_relaxed) >= max_bars) {
      folded_bars_.fetch_add(1, std::memory_order_relaxed);
      return nullptr;
    }
    const std::uint64_t id = bar_ids.fetch_add(1, std::memory_order_relaxed) + 1;
    auto* bar = new Bar(id, innermost_, current_, hint, desc, unit);
    bar->open(total, initial, false);
    (last ? last->next_ : bars_).store(bar, std::memory_order_release);
    return innermost_ = bar;
  } catch (...) {
    return nullptr;
  }
}

void ThreadRecord::close_bar(Bar* bar, BarState state) noexcept {
  bar->close(state);
  for (Bar* open = innermost_; open; open = open->outer_) {
    if (open == bar) innermost_ = bar->outer_;
  }
}

bool ThreadRecord::push(const EventHead& head, std::string_view a, std::string_view b) noexcept {
  // Name and text value lie behind each other in the record; both are short, so one stack copy joins them.
  char joined[wire::max_name_bytes + 4 * wire::max_note_bytes];
  std::string_view body = a;
  if (!b.empty()) {
    std::memcpy(joined, a.data(), a.size());
    std::memcpy(joined + a.size(), b.data(), b.size());
    body = {joined, a.size() + b.size()};
  }
  const bool kept = events_.push(&head, sizeof head, body.data(), static_cast<std::uint32_t>(body.size()));
  if (events_.half_full()) {
    if (void (*call)() = on_pressure.load(std::memory_order_relaxed)) call();
  }
  return kept;
}

bool ThreadRecord::log(LogLevel level, std::string_view text) noexcept {
  EventHead head;
  head.kind = EventHead::Kind::log;
  head.level = level;
  head.when = ticks();
  head.line.stage = current_;
  head.line.cut = wire::cut_text(text, wire::max_log_bytes);
  if (push(head, text, {})) return true;
  dropped_logs_.fetch_add(1, std::memory_order_relaxed);
  return false;
}

bool ThreadRecord::metric(std::string_view name, const Value& value, const std::optional<Number>& step,
                          std::uint64_t when) noexcept {
  EventHead head;
  head.kind = EventHead::Kind::metric;
  head.when = when;
  std::string_view text;
  wire::cut_text(name, wire::max_name_bytes);
  head.name_size = static_cast<std::uint32_t>(name.size());
  switch (value.index()) {
    case 0:
      head.value_type = EventHead::Type::whole;
      head.point.value.whole = *std::get_if<0>(&value);
      break;
    case 1:
      head.value_type = EventHead::Type::real;
      head.point.value.real = *std::get_if<1>(&value);
      break;
    case 2:
      head.value_type = EventHead::Type::boolean;
      head.point.value.whole = *std::get_if<2>(&value);
      break;
    default:
      head.value_type = EventHead::Type::text;
      text = *std::get_if<3>(&value);
      wire::cut_text(text, wire::max_note_bytes);
  }
  if (step && step->index() == 0) {
    head.step_type = EventHead::Type::whole;
    head.point.step.whole = *std::get_if<0>(&*step);
  } else if (step) {
    head.step_type = EventHead::Type::real;
    head.point.step.real = *std::get_if<1>(&*step);
  }
  if (push(head, name, text)) return true;
  dropped_metrics_.fetch_add(1, std::memory_order_relaxed);
  return false;
}

}  // namespace macaw::record
