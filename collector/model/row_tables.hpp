// SPDX-License-Identifier: GPL-3.0-or-later
// A job's bars and stages while reports come in: the newest row of each, by sequence number, and what changed since
// the last snapshot. Publishing copies changed rows only; the rest is shared with the snapshot before. One thread.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "collector/model/job.hpp"
#include "collector/model/limits.hpp"
#include "sdk/src/wire/report.hpp"

namespace macaw::model {

std::string text_of(wire::Text text);
Path path_of(const wire::Report& report, wire::Path path);
void assign_path(Path& to, const wire::Report& report, wire::Path path);  // reuses what `to` holds

// For maps that are searched by text that nobody owns yet.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using NameIndex = std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>>;

// Rows beyond a bound: how many different ones there were, as long as that can be told in bounded memory.
class Folded {
 public:
  bool add(std::size_t hash) { return m_hashes.size() < max && m_hashes.insert(hash).second; }
  std::uint64_t count() const { return std::max<std::uint64_t>(m_before, m_hashes.size()); }
  void restore(std::uint64_t count) { m_before = count; }  // what an earlier life of this program counted

 private:
  static constexpr std::size_t max = 65'536;
  std::unordered_set<std::size_t> m_hashes;
  std::uint64_t m_before = 0;
};

// What one row of a report did.
enum class Applied : std::uint8_t { old, same, changed, progressed };

class BarTable {
 public:
  Applied apply(const wire::Report& report, const wire::Bar& row, Seconds up, const Limits& limits);
  void restore(const std::vector<std::shared_ptr<const Bar>>& bars, std::uint64_t seq,
               std::uint64_t folded);  // into an empty table

  // Indices of the rows that changed since the last call; `published` gets them.
  std::vector<std::uint32_t> publish(std::vector<std::shared_ptr<const Bar>>& published);

  bool any_open_short_of_total() const;  // of the top-level bars
  std::uint64_t folded() const { return m_folded.count(); }

 private:
  // Rates of the last groups of steps: how steadily the bar moves.
  struct Pace {
    static constexpr std::size_t groups = 24;
    std::vector<double> rates;
    std::size_t next = 0;
    double n = 0, elapsed = 0;
    void update(double now_n, double now_elapsed);
    std::optional<std::pair<Seconds, Seconds>> range(const Bar& bar) const;
  };
  struct Row {
    Bar bar;
    Pace pace;
    std::uint64_t seq = 0;
    bool dirty = true;
  };
  std::vector<Row> m_rows;
  std::unordered_map<std::uint64_t, std::uint32_t> m_index;
  Folded m_folded;
};

class StageTable {
 public:
  Applied apply(const wire::Report& report, const wire::Stage& row, Seconds up, const Limits& limits);
  void restore(const std::vector<std::shared_ptr<const Stage>>& stages, std::uint64_t seq,
               std::uint64_t folded);  // into an empty table
  std::vector<std::uint32_t> publish(std::vector<std::shared_ptr<const Stage>>& published,
                                     Seconds up);  // the job's own clock
  std::uint64_t folded() const { return m_folded.count(); }

 private:
  static constexpr std::uint32_t none = ~0u;
  static constexpr std::size_t trend_groups = 28;
  static constexpr std::uint32_t max_depth = 256;
  struct Row {
    std::shared_ptr<Stage> stage = std::make_shared<Stage>();  // shared with snapshots unless dirty
    std::uint64_t seq = 0;                                     // 0: only known as somebody's parent
    std::uint32_t parent = none;
    std::vector<std::uint32_t> children;
    bool dirty = true;
  };
  std::uint32_t find_or_add(const wire::Report& report, wire::Path path, const Limits& limits);
  std::uint32_t add(std::size_t hash, Path path, std::uint32_t parent);
  template <class IsIt>
  std::uint32_t find(std::size_t hash, IsIt is_it) const;  // none when there is no such row
  void collect_order(std::uint32_t row);
  void mark(std::uint32_t row);  // from now on its stage may be changed

  std::deque<Row> m_rows;
  std::vector<std::uint32_t> m_roots, m_order;
  std::unordered_multimap<std::size_t, std::uint32_t> m_index;  // by the path's hash
  std::vector<std::uint32_t> m_dirty;
  bool m_order_changed = false;
  Folded m_folded;
};

}  // namespace macaw::model
