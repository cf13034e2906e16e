// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "collector/model/row_tables.hpp"

namespace macaw::model {

namespace {

double as_double(const Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

void fill(Bar& bar, const wire::Report& report, const wire::Bar& row) {
  bar.id = row.id;
  bar.parent = row.parent;
  assign_path(bar.stage, report, row.stage);
  bar.desc.assign(row.desc);
  bar.unit.assign(row.unit);
  bar.n = row.n;
  bar.total = row.total;
  bar.initial = row.initial;
  bar.elapsed = std::max(0.0, row.elapsed);
  bar.rate = row.rate;
  bar.eta = row.eta ? std::optional(std::max(0.0, *row.eta)) : std::nullopt;
  bar.state = static_cast<BarState>(row.state);
  bar.repeats = row.repeats;
}

}  // namespace

std::string text_of(wire::Text text) { return std::string(text); }

Path path_of(const wire::Report& report, wire::Path path) {
  Path names;
  assign_path(names, report, path);
  return names;
}

void assign_path(Path& to, const wire::Report& report, wire::Path path) {
  to.resize(path.size);
  for (std::uint32_t i = 0; i < path.size; ++i) to[i].assign(report.names[path.first + i]);
}

void BarTable::Pace::update(double now_n, double now_elapsed) {
  if (now_n < n || now_elapsed < elapsed) *this = Pace{};  // set back, or another round of the same bar
  if (now_n > n && now_elapsed > elapsed) {
    const double rate = (now_n - n) / (now_elapsed - elapsed);
    if (rates.size() < groups)
      rates.push_back(rate);
    else
      rates[next] = rate;
    next = (next + 1) % groups;
    n = now_n;
    elapsed = now_elapsed;
  }
}

// From the slower and the faster of the last groups. The time left averages over the steps to come, so it varies less
// than single groups do: the quartiles, not the extremes.
std::optional<std::pair<Seconds, Seconds>> BarTable::Pace::range(const Bar& bar) const {
  if (!bar.eta || !bar.total || bar.state != BarState::running || rates.size() < 8) return std::nullopt;
  const double left = as_double(*bar.total) - as_double(bar.n);
  if (!(left > 0)) return std::nullopt;
  std::vector<double> sorted = rates;
  std::sort(sorted.begin(), sorted.end());
  const double slow = sorted[sorted.size() / 4], fast = sorted[sorted.size() - 1 - sorted.size() / 4];
  return std::pair{std::min(left / fast, *bar.eta), std::max(left / slow, *bar.eta)};
}

Applied BarTable::apply(const wire::Report& report, const wire::Bar& row, Seconds up, const Limits& limits) {
  auto found = m_index.find(row.id);
  if (found == m_index.end()) {
    if (m_rows.size() >= limits.bars) {
      return m_folded.add(static_cast<std::size_t>(row.id)) ? Applied::changed : Applied::same;
    }
    found = m_index.emplace(row.id, static_cast<std::uint32_t>(m_rows.size())).first;
    m_rows.emplace_back();
  }
  Row& held = m_rows[found->second];
  if (report.seq <= held.seq) return Applied::old;
  const bool progressed = held.seq == 0 || held.bar.n != row.n || held.bar.repeats != row.repeats ||
                          held.bar.state != static_cast<BarState>(row.state);
  held.seq = report.seq;
  fill(held.bar, report, row);
  held.bar.told = up;
  held.pace.update(as_double(held.bar.n), held.bar.elapsed);
  held.dirty = true;
  return progressed ? Applied::progressed : Applied::changed;
}

void BarTable::restore(const std::vector<std::shared_ptr<const Bar>>& bars, std::uint64_t seq, std::uint64_t folded) {
  m_folded.restore(folded);
  for (const auto& bar : bars) {
    m_index.emplace(bar->id, static_cast<std::uint32_t>(m_rows.size()));
    m_rows.push_back({*bar, {}, seq, true});
  }
}

std::vector<std::uint32_t> BarTable::publish(std::vector<std::shared_ptr<const Bar>>& published) {
  std::vector<std::uint32_t> changed;
  published.resize(m_rows.size());
  for (std::uint32_t i = 0; i < m_rows.size(); ++i) {
    if (!m_rows[i].dirty) continue;
    m_rows[i].dirty = false;
    m_rows[i].bar.eta_range = m_rows[i].pace.range(m_rows[i].bar);
    published[i] = std::make_shared<const Bar>(m_rows[i].bar);
    changed.push_back(i);
  }
  return changed;
}

bool BarTable::any_open_short_of_total() const {
  return std::any_of(m_rows.begin(), m_rows.end(), [](const Row& row) {
    const Bar& bar = row.bar;
    return !bar.parent && bar.state == BarState::running && bar.total && as_double(bar.n) < as_double(*bar.total);
  });
}

}  // namespace macaw::model
