// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/model/numbers.hpp"

#include <algorithm>
#include <iterator>

namespace macaw::model {

bool Numbers::add(std::uint64_t no) {
  if (no > m_last) {
    if (no > m_last + 1) {
      m_gaps.emplace_hint(m_gaps.end(), m_last + 1, Gap{no - 1, 0});
      m_missing += no - 1 - m_last;
      if (m_gaps.size() > max_gaps) m_gaps.erase(m_gaps.begin());
    }
    m_last = no;
    return true;
  }
  auto gap = m_gaps.upper_bound(no);
  if (gap == m_gaps.begin()) return false;
  --gap;
  const std::uint64_t from = gap->first;
  const Gap whole = gap->second;
  if (no > whole.to) return false;
  m_gaps.erase(gap);
  if (from < no) m_gaps.emplace(from, Gap{no - 1, whole.asked});
  if (no < whole.to) m_gaps.emplace(no + 1, whole);
  --m_missing;
  return true;
}

void Numbers::restore(std::uint64_t last, std::uint64_t missing) {
  m_gaps.clear();
  m_last = last;
  m_missing = missing;
}

std::vector<wire::Range> Numbers::wanted(std::size_t max) const {
  if (max == 0) return {};
  std::vector<wire::Range> ranges;
  for (const auto& [from, gap] : m_gaps)
    if (gap.asked < max_asks) ranges.push_back({from, gap.to});
  if (ranges.size() <= max) return ranges;

  // Join across the shortest stretches of numbers that did arrive: to get those again costs least.
  std::vector<std::uint64_t> stretches;
  for (std::size_t i = 1; i < ranges.size(); ++i) stretches.push_back(ranges[i].from - ranges[i - 1].to);
  const std::size_t joins = ranges.size() - max;
  std::vector<std::uint64_t> sorted = stretches;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(joins - 1), sorted.end());
  const std::uint64_t widest = sorted[joins - 1];
  std::vector<wire::Range> joined{ranges.front()};
  std::size_t done = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (stretches[i - 1] < widest || (stretches[i - 1] == widest && done < joins)) {
      joined.back().to = ranges[i].to;
      ++done;
    } else {
      joined.push_back(ranges[i]);
    }
  }
  while (joined.size() > max) {  // equal stretches were taken before shorter ones could be
    joined[joined.size() - 2].to = joined.back().to;
    joined.pop_back();
  }
  return joined;
}

void Numbers::asked(const std::vector<wire::Range>& ranges) {
  for (const wire::Range& range : ranges)
    for (auto gap = m_gaps.lower_bound(range.from); gap != m_gaps.end() && gap->first <= range.to; ++gap)
      ++gap->second.asked;
}

}  // namespace macaw::model
