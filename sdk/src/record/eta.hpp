// SPDX-License-Identifier: MIT
// How fast a bar moves and when it will be done, from this session's steps alone: what was there at the start (initial)
// counts for the percentage, never for the rate. Pure; times are seconds on one monotonic clock.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace macaw::record {

class Eta {
 public:
  // `elapsed` since the bar started, `done` steps since then.
  void update(double elapsed, double done) {
    if (done < done_ || elapsed < changed_) *this = Eta{};  // set back: begin again
    if (done == done_ || elapsed <= 0) return;
    const double gap = elapsed - changed_;
    if (gap <= 0) return;
    const double now = (done - done_) / gap;
    // A window that grows with the run: steady bars give steady estimates, yet a slower phase shows within a fifth.
    const double weight = rate_ > 0 ? 1 - std::exp(-gap / std::max(5.0, elapsed / 5)) : 1;
    rate_ += weight * (now - rate_);
    done_ = done;
    changed_ = elapsed;
  }

  std::optional<double> rate() const { return rate_ > 0 ? std::optional<double>(rate_) : std::nullopt; }

  // Seconds until `remaining` more steps are done. Time since the last step counts as progress on the next one.
  std::optional<double> left(double remaining, double elapsed) const {
    if (!(rate_ > 0) || remaining < 0) return std::nullopt;
    const double since_step = std::min(elapsed - changed_, 1 / rate_);
    return std::max(0.0, remaining / rate_ - std::max(0.0, since_step));
  }

 private:
  double rate_ = 0, done_ = 0, changed_ = 0;
};

}  // namespace macaw::record
