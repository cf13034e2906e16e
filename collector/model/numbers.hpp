// SPDX-License-Identifier: GPL-3.0-or-later
// Which running numbers (datagrams, log lines, metric points) of a job have arrived, and which are missing below the
// highest one. Bounded: when a sender leaves thousands of gaps, the oldest are given up, yet stay counted.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sdk/src/wire/report.hpp"

namespace macaw::model {

class Numbers {
 public:
  // False when `no` was there already, or lies in a gap that was given up.
  bool add(std::uint64_t no);

  // Goes on where another life of this program stopped: its gaps stay counted, and are not asked for.
  void restore(std::uint64_t last, std::uint64_t missing);

  std::uint64_t last() const { return m_last; }
  std::uint64_t missing() const { return m_missing; }

  // The gaps worth asking for, in at most `max` ranges: where there are more gaps, close ones share a range. A gap is
  // asked for `max_asks` times at most, as the sender may no longer have it.
  std::vector<wire::Range> wanted(std::size_t max) const;
  void asked(const std::vector<wire::Range>& ranges);  // they were, really

 private:
  struct Gap {
    std::uint64_t to = 0;
    int asked = 0;
  };
  static constexpr std::size_t max_gaps = 4096;
  static constexpr int max_asks = 8;

  std::map<std::uint64_t, Gap> m_gaps;  // by first number
  std::uint64_t m_last = 0, m_missing = 0;
};

}  // namespace macaw::model
