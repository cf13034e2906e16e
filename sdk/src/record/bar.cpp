// SPDX-License-Identifier: MIT
#include "sdk/src/record/bar.hpp"

namespace macaw::record {

void Bar::open(std::optional<Number> total, std::optional<Number> initial, bool again) {
  const std::lock_guard<std::mutex> lock(mutex_);
  total_ = total;
  initial_ = initial;
  if (again) repeats_.fetch_add(1, std::memory_order_relaxed);
  set_n(initial.value_or(std::int64_t{0}));
  started_.store(ticks(), std::memory_order_relaxed);
  ended_.store(0, std::memory_order_relaxed);
  state_.store(BarState::running, std::memory_order_release);
}

void Bar::close(BarState state) noexcept {
  if (ended() != 0) return;
  ended_.store(ticks(), std::memory_order_relaxed);
  state_.store(state, std::memory_order_release);
}

void Bar::set_total(std::optional<Number> total) {
  const std::lock_guard<std::mutex> lock(mutex_);
  total_ = total;
}

std::optional<Number> Bar::total() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return total_;
}

std::optional<Number> Bar::initial() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return initial_;
}

void Bar::set_desc(std::string_view desc) {
  const std::lock_guard<std::mutex> lock(mutex_);
  words_.desc = desc;
}

BarWords Bar::words() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return words_;
}

}  // namespace macaw::record
