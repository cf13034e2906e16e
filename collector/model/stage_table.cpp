// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>

#include "collector/model/row_tables.hpp"

namespace macaw::model {

namespace {

// The hash of a path goes on from that of its parent's.
std::size_t step(std::size_t hash, std::string_view name) {
  return (hash ^ std::hash<std::string_view>{}(name)) * 0x9e3779b97f4a7c15u;
}

std::size_t path_hash(const wire::Report& report, wire::Path path) {
  std::size_t hash = 0;
  for (std::uint32_t i = 0; i < path.size; ++i) hash = step(hash, report.names[path.first + i]);
  return hash;
}

}  // namespace

template <class IsIt>
std::uint32_t StageTable::find(std::size_t hash, IsIt is_it) const {
  const auto [first, last] = m_index.equal_range(hash);
  for (auto at = first; at != last; ++at)
    if (is_it(m_rows[at->second].stage->path)) return at->second;
  return none;
}

std::uint32_t StageTable::find_or_add(const wire::Report& report, wire::Path path, const Limits& limits) {
  const wire::Text* names = &report.names[path.first];
  const std::size_t hash = path_hash(report, path);
  const std::uint32_t found =
      find(hash, [&](const Path& held) { return std::equal(held.begin(), held.end(), names, names + path.size); });
  if (found != none || m_rows.size() >= limits.stages) return found;

  std::uint32_t parent = none;
  if (path.size > 1) {
    parent = find_or_add(report, {path.first, path.size - 1}, limits);
    if (parent == none || m_rows.size() >= limits.stages) return none;
  }
  return add(hash, path_of(report, path), parent);
}

std::uint32_t StageTable::add(std::size_t hash, Path path, std::uint32_t parent) {
  const auto index = static_cast<std::uint32_t>(m_rows.size());
  m_rows.emplace_back();
  m_rows[index].stage->path = std::move(path);
  m_rows[index].parent = parent;
  (parent == none ? m_roots : m_rows[parent].children).push_back(index);
  m_index.emplace(hash, index);
  m_dirty.push_back(index);
  m_order_changed = true;
  return index;
}

void StageTable::restore(const std::vector<std::shared_ptr<const Stage>>& stages, std::uint64_t seq,
                         std::uint64_t folded) {
  m_folded.restore(folded);
  for (const auto& stage : stages) {
    const Path& path = stage->path;
    std::size_t hash = 0, parents_hash = 0;
    for (const std::string& name : path) {
      parents_hash = hash;
      hash = step(hash, name);
    }
    const std::uint32_t parent = find(parents_hash, [&](const Path& held) {
      return held.size() + 1 == path.size() && std::equal(held.begin(), held.end(), path.begin());
    });
    Row& row = m_rows[add(hash, path, parent)];
    *row.stage = *stage;
    row.seq = seq;
  }
}

void StageTable::mark(std::uint32_t row) {
  if (row == none || m_rows[row].dirty) return;
  m_rows[row].dirty = true;
  m_rows[row].stage = std::make_shared<Stage>(*m_rows[row].stage);
  m_dirty.push_back(row);
}

Applied StageTable::apply(const wire::Report& report, const wire::Stage& row, Seconds up, const Limits& limits) {
  if (row.path.size == 0) return Applied::same;
  const std::uint32_t index = row.path.size > max_depth ? none : find_or_add(report, row.path, limits);
  if (index == none) return m_folded.add(path_hash(report, row.path)) ? Applied::changed : Applied::same;
  Row& held = m_rows[index];
  if (report.seq <= held.seq) return Applied::old;

  mark(index);
  // Their own time depends on it, and what is open is published as of now.
  for (std::uint32_t above = held.parent; above != none; above = m_rows[above].parent) mark(above);
  Stage& stage = *held.stage;
  const bool progressed = held.seq == 0 || stage.count != row.n || stage.open != row.open;
  if (row.n > stage.count) {
    const double calls = static_cast<double>(row.n - stage.count);
    if (stage.trend.size() == trend_groups) stage.trend.erase(stage.trend.begin());
    stage.trend.push_back(static_cast<float>(std::max(0.0, row.sum - stage.total) / calls));
  }
  held.seq = report.seq;
  stage.kind = static_cast<StageKind>(row.kind);
  stage.count = row.n;
  stage.total = std::max(0.0, row.sum);
  stage.min = row.min;
  stage.max = row.max;
  stage.m2 = row.m2;
  stage.last = row.last;
  stage.open = row.open;
  stage.errors = row.errors;
  stage.since = row.since;
  stage.told = up;
  stage.note.assign(row.note);
  return progressed ? Applied::progressed : Applied::changed;
}

void StageTable::collect_order(std::uint32_t row) {
  m_order.push_back(row);
  for (const std::uint32_t child : m_rows[row].children) collect_order(child);
}

std::vector<std::uint32_t> StageTable::publish(std::vector<std::shared_ptr<const Stage>>& published, Seconds up) {
  if (m_dirty.empty()) return {};
  for (const std::uint32_t index : m_dirty) {
    Stage& stage = *m_rows[index].stage;
    if (stage.open && stage.since && up > stage.told) {
      *stage.since += up - stage.told;
      stage.told = up;
    }
  }
  for (const std::uint32_t index : m_dirty) {
    Row& row = m_rows[index];
    double self = row.stage->spent();
    for (const std::uint32_t child : row.children) self -= m_rows[child].stage->spent();
    row.stage->self = std::max(0.0, self);  // children in parallel may add up to more
  }
  m_dirty.clear();
  if (m_order_changed) {
    m_order.clear();
    for (const std::uint32_t root : m_roots) collect_order(root);
    m_order_changed = false;
  }
  std::vector<std::uint32_t> changed;
  published.resize(m_order.size());
  for (std::uint32_t place = 0; place < m_order.size(); ++place) {
    Row& row = m_rows[m_order[place]];
    published[place] = row.stage;
    if (row.dirty) changed.push_back(place);
    row.dirty = false;
  }
  return changed;
}

}  // namespace macaw::model
