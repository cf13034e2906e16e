// SPDX-License-Identifier: MIT
#include "sdk/src/report/tables.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sdk/src/wire/shorten.hpp"
#include "sdk/src/wire/utf8.hpp"

namespace macaw::report {

using record::Bar;
using record::EventHead;
using record::StageNode;
using record::StageStats;
using record::ThreadRecord;

namespace {

// Two threads' statistics of one path (Chan's formula for mean and m2).
void add(StageStats& a, const StageStats& b) {
  if (b.open && (!a.open || b.since < a.since)) a.since = b.since;
  a.open += b.open;
  a.errors += b.errors;
  if (b.n == 0) return;
  const double n = static_cast<double>(a.n + b.n);
  const double delta = b.mean - a.mean;
  a.m2 += b.m2 + delta * delta * static_cast<double>(a.n) * static_cast<double>(b.n) / n;
  a.mean += delta * static_cast<double>(b.n) / n;
  a.min = a.n ? std::min(a.min, b.min) : b.min;
  a.max = std::max(a.max, b.max);
  a.last = b.last;
  a.n += b.n;
  a.sum += b.sum;
}

bool differs(const StageStats& a, const StageStats& b) {
  return a.n != b.n || a.open != b.open || a.errors != b.errors || a.sum != b.sum;
}

std::string text_of(wire::Text text) { return wire::is_utf8(text) ? std::string(text) : wire::repaired_utf8(text); }

}  // namespace

std::int32_t StageTable::row_of(StageNode& node, std::int32_t parent_row, std::uint32_t depth) {
  if (node.merged >= 0) return node.merged;
  Place place{parent_row, {text_of(node.name()), node.kind()}};
  // Each thread has its own bound; all of them together are held to one here.
  if (rows.size() >= record::max_stages && !by_place_.count(place)) place.second = {"other", wire::StageKind::stage};
  const auto [at, is_new] = by_place_.try_emplace(place, static_cast<std::int32_t>(rows.size()));
  if (is_new) {
    StageRow row;
    row.parent = parent_row;
    row.depth = depth;
    row.name = place.second.first;
    row.kind = place.second.second;
    rows.push_back(std::move(row));
    const auto& names = path(at->second);
    rows.back().path = wire::encode_path(names.data(), names.size());
    merged_.emplace_back();
    notes_.emplace_back();
  }
  return node.merged = at->second;
}

void StageTable::merge_children(const StageNode& parent, std::int32_t parent_row, std::uint32_t depth) {
  for (StageNode* node = parent.first_child(); node; node = node->next_sibling()) {
    const std::int32_t row = row_of(*node, parent_row, depth);
    StageStats stats;
    // A node that is being written all the while keeps what it had: rare, and right again the next round.
    if (node->read(stats)) add(merged_[static_cast<std::size_t>(row)], stats);
    std::string note = node->note();
    if (!note.empty()) notes_[static_cast<std::size_t>(row)] = std::move(note);
    node->want_note();
    merge_children(*node, row, depth + 1);
  }
}

void StageTable::merge(ThreadRecord* first) {
  std::fill(merged_.begin(), merged_.end(), StageStats{});
  for (ThreadRecord* thread = first; thread; thread = thread->next()) merge_children(*thread->root(), -1, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    StageRow& row = rows[i];
    if (differs(row.stats, merged_[i]) || row.note != notes_[i]) row.sent.changed = true;
    row.stats = merged_[i];
    row.note = notes_[i];
  }
}

const std::vector<wire::Text>& StageTable::path(std::int32_t row) {
  path_.clear();
  for (; row >= 0; row = rows[static_cast<std::size_t>(row)].parent)
    path_.push_back(rows[static_cast<std::size_t>(row)].name);
  std::reverse(path_.begin(), path_.end());
  return path_;
}

std::vector<std::int32_t> StageTable::tree_order() const {
  std::vector<std::vector<std::int32_t>> children(rows.size() + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    children[static_cast<std::size_t>(rows[i].parent) + 1].push_back(static_cast<std::int32_t>(i));
  }
  std::vector<std::int32_t> order, stack(children[0].rbegin(), children[0].rend());
  while (!stack.empty()) {
    const std::int32_t row = stack.back();
    stack.pop_back();
    order.push_back(row);
    const auto& below = children[static_cast<std::size_t>(row) + 1];
    stack.insert(stack.end(), below.rbegin(), below.rend());
  }
  return order;
}

std::optional<double> BarRow::rate() const {
  if (state == wire::BarState::running) return eta.rate();
  const double done = Bar::as_double(n) - (initial ? Bar::as_double(*initial) : 0);
  return elapsed > 0 && done > 0 ? std::optional<double>(done / elapsed) : std::nullopt;
}

std::optional<double> BarRow::left() const {
  if (!total || state != wire::BarState::running) return std::nullopt;
  return eta.left(Bar::as_double(*total) - Bar::as_double(n), elapsed);
}

void BarTable::merge(ThreadRecord* first, double tick) {
  const std::uint64_t now = record::ticks();
  for (ThreadRecord* thread = first; thread; thread = thread->next()) {
    for (Bar* bar = thread->bars(); bar; bar = ThreadRecord::next_bar(bar)) merge(*bar, now, tick);
  }
  if (const std::uint64_t folded = ThreadRecord::folded_bars()) {
    if (!other_) {
      other_ = std::make_unique<Bar>(record::max_bars + 1, nullptr, nullptr, nullptr, "other", "bars");
      other_->open({}, {}, false);
      other_->close(wire::BarState::done);
    }
    other_->set_n(static_cast<std::int64_t>(folded));
    merge(*other_, now, tick);
  }
}

void BarTable::merge(const Bar& bar, std::uint64_t now, double tick) {
  const auto [at, is_new] = by_bar_.try_emplace(&bar, rows.size());
  if (is_new) rows.emplace_back();
  BarRow& row = rows[at->second];
  const bool ran_again = row.repeats != bar.repeats();
  BarRow next = row;
  next.bar = &bar;
  next.parent = bar.outer() ? bar.outer()->id() : 0;
  next.stage = bar.stage() ? bar.stage()->merged : -1;
  next.words = bar.words();
  next.words.desc = text_of(next.words.desc);
  next.words.unit = text_of(next.words.unit);
  next.n = bar.n();
  next.total = bar.total();
  next.initial = bar.initial();
  next.state = bar.state();
  // Nothing to do is done at once, even when nobody says so.
  if (next.state == wire::BarState::running && next.total && Bar::as_double(*next.total) == 0) {
    next.state = wire::BarState::done;
  }
  next.repeats = bar.repeats();
  next.elapsed = static_cast<double>(record::ticks_between(bar.started(), bar.ended() ? bar.ended() : now)) * tick;
  if (ran_again) next.eta = record::Eta{};
  next.eta.update(next.elapsed, Bar::as_double(next.n) - (next.initial ? Bar::as_double(*next.initial) : 0));
  next.sent.changed |= is_new || ran_again || next.n != row.n || next.total != row.total || next.state != row.state ||
                       next.stage != row.stage || next.words.desc != row.words.desc;
  row = std::move(next);
}

void EventTable::take(ThreadRecord* first) {
  for (ThreadRecord* thread = first; thread; thread = thread->next()) {
    thread->events().drain([&](const char* data, std::uint32_t size) {
      Event event;
      std::memcpy(&event.head, data, sizeof event.head);
      event.body.assign(data + sizeof event.head, size - sizeof event.head);
      taken_.push_back(std::move(event));
    });
    lost_logs_ += thread->take_dropped_logs();
    lost_points_ += thread->take_dropped_metrics();
  }
}

void EventTable::number(std::uint64_t start, double tick) {
  std::stable_sort(taken_.begin(), taken_.end(),
                   [](const Event& a, const Event& b) { return a.head.when < b.head.when; });
  for (const Event& event : taken_) {
    const EventHead& head = event.head;
    const double up = static_cast<double>(record::ticks_between(start, head.when)) * tick;
    if (head.kind == EventHead::Kind::metric)
      add_point(event, up);
    else
      add_log(up, head.level, text_of(event.body), head.line.stage ? head.line.stage->merged : -1, head.line.cut);
  }
  taken_.clear();
  // What found no room consumes numbers, so that a receiver sees and counts the gap.
  all_lost_logs_ += lost_logs_;
  all_lost_points_ += lost_points_;
  log_no_ += std::exchange(lost_logs_, 0);
  point_no_ += std::exchange(lost_points_, 0);
}

std::uint64_t EventTable::add_log(double up, wire::LogLevel level, std::string text, std::int32_t stage,
                                  std::uint64_t cut) {
  LogEntry entry;
  entry.no = ++log_no_;
  entry.up = up;
  entry.level = level;
  entry.text = std::move(text);
  entry.stage = stage;
  entry.cut = cut;
  log_bytes_ += entry.text.size() + sizeof entry;
  logs.push_back(std::move(entry));
  // Lines that were never sent wait longer, but not without bound: nobody may ever listen.
  while (log_bytes_ > max_log_bytes_kept && (!logs.front().sent.changed || log_bytes_ > 4 * max_log_bytes_kept)) {
    log_bytes_ -= logs.front().text.size() + sizeof(LogEntry);
    logs.pop_front();
  }
  return log_no_;
}

void EventTable::add_point(const Event& event, double up) {
  const EventHead& head = event.head;
  const wire::Text body = event.body;
  MetricEntry point;
  point.no = ++point_no_;
  point.up = up;
  point.name = text_of(body.substr(0, head.name_size));
  if (head.step_type == EventHead::Type::whole) point.step = head.point.step.whole;
  if (head.step_type == EventHead::Type::real) point.step = head.point.step.real;
  switch (head.value_type) {
    case EventHead::Type::whole: point.value = head.point.value.whole; break;
    case EventHead::Type::real: point.value = head.point.value.real; break;
    case EventHead::Type::boolean: point.value = head.point.value.whole != 0; break;
    default: point.value = text_of(body.substr(head.name_size));
  }
  if (latest.size() >= max_metric_names && !latest_by_name_.count(point.name)) point.name = "other";
  const auto [at, is_new] = latest_by_name_.try_emplace(point.name, latest.size());
  if (is_new) latest.emplace_back();
  latest[at->second] = point;
  latest[at->second].sent = {false, 0, up};  // it goes out as a point first
  points.push_back(std::move(point));
  while (points.size() > max_points_kept && (!points.front().sent.changed || points.size() > 4 * max_points_kept)) {
    points.pop_front();
  }
}

}  // namespace macaw::report
