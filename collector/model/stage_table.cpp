// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>

#include "collector/model/row_tables.hpp"

namespace macaw::model {

namespace {

void append_key(std::string& key, wire::Text name) {
  const auto size = static_cast<std::uint32_t>(name.size());
  key.append(reinterpret_cast<const char*>(&size), sizeof size);
  key.append(name);
}

std::size_t path_hash(const wire::Report& report, wire::Path path) {
  std::string key;
  for (std::uint32_t i = 0; i < path.size; ++i) append_key(key, report.names[path.first + i]);
  return std::hash<std::string>{}(key);
}

}  // namespace

std::uint32_t StageTable::find_or_add(const wire::Report& report, wire::Path path, const Limits& limits) {
  m_key.clear();
  for (std::uint32_t i = 0; i < path.size; ++i) append_key(m_key, report.names[path.first + i]);
  if (const auto found = m_index.find(m_key); found != m_index.end()) return found->second;
  if (m_rows.size() >= limits.stages) return none;

  std::uint32_t parent = none;
  if (path.size > 1) {
    parent = find_or_add(report, {path.first, path.size - 1}, limits);
    if (parent == none || m_rows.size() >= limits.stages) return none;
  }
  m_key.clear();  // the parent's own search used it
  for (std::uint32_t i = 0; i < path.size; ++i) append_key(m_key, report.names[path.first + i]);
  return add(m_key, path_of(report, path), parent);
}

std::uint32_t StageTable::add(const std::string& key, Path path, std::uint32_t parent) {
  const auto index = static_cast<std::uint32_t>(m_rows.size());
  m_rows.emplace_back();
  m_rows[index].stage.path = std::move(path);
  m_rows[index].parent = parent;
  (parent == none ? m_roots : m_rows[parent].children).push_back(index);
  m_index.emplace(key, index);
  m_dirty.push_back(index);
  m_order_changed = true;
  return index;
}

void StageTable::restore(const std::vector<std::shared_ptr<const Stage>>& stages, std::uint64_t seq,
                         std::uint64_t folded) {
  m_folded.restore(folded);
  for (const auto& stage : stages) {
    std::string key;
    std::uint32_t parent = none;
    for (const std::string& name : stage->path) {
      if (const auto found = m_index.find(key); found != m_index.end()) parent = found->second;
      append_key(key, name);
    }
    Row& row = m_rows[add(key, stage->path, parent)];
    row.stage = *stage;
    row.seq = seq;
  }
}

void StageTable::mark(std::uint32_t row) {
  if (row == none || m_rows[row].dirty) return;
  m_rows[row].dirty = true;
  m_dirty.push_back(row);
}

Applied StageTable::apply(const wire::Report& report, const wire::Stage& row, Seconds up, const Limits& limits) {
  if (row.path.size == 0) return Applied::same;
  const std::uint32_t index = row.path.size > max_depth ? none : find_or_add(report, row.path, limits);
  if (index == none) return m_folded.add(path_hash(report, row.path)) ? Applied::changed : Applied::same;
  Row& held = m_rows[index];
  if (report.seq <= held.seq) return Applied::old;

  Stage& stage = held.stage;
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
  mark(index);
  mark(held.parent);  // whose own time depends on it
  return progressed ? Applied::progressed : Applied::changed;
}

void StageTable::collect_order(std::uint32_t row) {
  m_order.push_back(row);
  for (const std::uint32_t child : m_rows[row].children) collect_order(child);
}

std::vector<std::uint32_t> StageTable::publish(std::vector<std::shared_ptr<const Stage>>& published) {
  if (m_dirty.empty()) return {};
  for (const std::uint32_t index : m_dirty) {
    Row& row = m_rows[index];
    row.stage.self = row.stage.total;
    for (const std::uint32_t child : row.children) row.stage.self -= m_rows[child].stage.total;
    row.stage.self = std::max(0.0, row.stage.self);  // children in parallel may add up to more
    row.published = std::make_shared<const Stage>(row.stage);
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
    published[place] = row.published;
    if (row.dirty) changed.push_back(place);
    row.dirty = false;
  }
  return changed;
}

}  // namespace macaw::model
