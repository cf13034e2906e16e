// SPDX-License-Identifier: GPL-3.0-or-later
// How far a sender's wall clock is ahead of the collector's. A datagram that waited on its way makes the sender look
// late, so the one that waited least counts, of the last minute or two: a clock that is set right shows as such.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "collector/model/job.hpp"

namespace macaw::model {

class ClockSkew {
 public:
  // `ahead`: the sender's time in a report less the collector's at its arrival. `now`: monotonic.
  void add(double ahead, Seconds now) {
    if (!m_newest || now - m_begun >= half_window) {
      m_older = m_newest.value_or(ahead);
      m_newest = ahead;
      m_begun = now;
    }
    m_newest = std::max(*m_newest, ahead);
  }

  // Whole seconds, so that it changes seldom; nothing when it is what networks and busy machines make of equal clocks.
  std::optional<Seconds> value() const {
    if (!m_newest) return std::nullopt;
    const double ahead = std::round(std::max(*m_newest, m_older));
    return std::abs(ahead) >= least ? std::optional(ahead) : std::nullopt;
  }

 private:
  static constexpr Seconds half_window = 60;
  static constexpr Seconds least = 3;
  std::optional<double> m_newest;  // the most of the half that runs
  double m_older = 0;              // of the half before
  Seconds m_begun = 0;
};

}  // namespace macaw::model
