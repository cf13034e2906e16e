// SPDX-License-Identifier: MIT
#include "sdk/src/record/stage_node.hpp"

namespace macaw::record {

bool StageNode::read(StageStats& out) const noexcept {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::uint32_t before = version_.load(std::memory_order_acquire);
    if (before & 1) continue;
    const auto load = [](const auto& field) { return field.load(std::memory_order_acquire); };
    StageStats copy;
    copy.n = load(n_);
    copy.sum = load(sum_);
    copy.min = copy.n ? load(min_) : 0;
    copy.max = load(max_);
    copy.last = load(last_);
    copy.mean = load(mean_);
    copy.m2 = load(m2_);
    copy.open = load(open_);
    copy.since = load(since_);
    copy.errors = load(errors_);
    if (version_.load(std::memory_order_relaxed) != before) continue;
    out = copy;
    return true;
  }
  return false;
}

void StageNode::set_note(std::string_view text) {
  const std::lock_guard<std::mutex> lock(note_mutex_);
  if (note_ != text) note_ = text.substr(0, 4 * wire::max_note_bytes);
}

std::string StageNode::note() const {
  const std::lock_guard<std::mutex> lock(note_mutex_);
  return note_;
}

}  // namespace macaw::record
