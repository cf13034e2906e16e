// SPDX-License-Identifier: MIT
// Each row of a report as CBOR. What equals its default is left out. Numbers and paths, whose size is bounded, come
// first and the long texts last, so that a row which must fit a datagram gives its texts what room is left.
// Pure but for the Out; one Out, one thread.
#pragma once

#include "sdk/src/wire/cbor_writer.hpp"
#include "sdk/src/wire/shorten.hpp"
#include "sdk/src/wire/words.hpp"

namespace macaw::wire {

// Largest sizes in bytes: of a whole row, and of the texts in it.
struct Limits {
  std::size_t row, path, name, note, word;
  std::size_t gpus;
};
inline constexpr std::size_t boundless = static_cast<std::size_t>(-1) / 2;
inline constexpr Limits no_limits{boundless, boundless, boundless, boundless, boundless, boundless};

constexpr Limits limits_for_row(std::size_t row) {
  return {row, max_path_bytes, max_name_bytes, max_note_bytes, 32, 16};
}

inline Text cut_to(Text text, std::size_t limit) {
  cut_text(text, limit);
  return text;
}

template <class Out>
MACAW_INLINE void put_path(Out& out, const Text* names, std::size_t depth, const Limits& limits) {
  std::size_t bound = 3;
  for (std::size_t i = 0; i < depth; ++i) bound += 3 + names[i].size();
  if (bound <= limits.path) {
    put_head(out, array_item, depth);
    for (std::size_t i = 0; i < depth; ++i) put(out, names[i]);
    return;
  }
  const ShortPath kept = shorten_path(names, depth, limits.path);
  put_head(out, array_item, kept.size());
  for (std::size_t i = 0; i < kept.head; ++i) put(out, cut_to(names[i], limits.name));
  if (!kept.is_cut) return;
  put(out, kept.mark_text());
  for (std::size_t i = depth - kept.tail; i < depth; ++i) put(out, cut_to(names[i], limits.name));
}

template <class Out>
class Row : public Map<Out> {
 public:
  Row(Out& out, const Limits& row_limits) : Map<Out>(out), limits(row_limits), out_(out) {}

  template <std::size_t N>
  MACAW_INLINE void text(const char (&key)[N], Text text, std::size_t limit) {
    cut_text(text, std::min(limit, room(N + 2)));
    if (!text.empty()) this->entry(key, text);
  }

  template <std::size_t N>
  MACAW_INLINE void path(const char (&key)[N], const Text* names, std::size_t depth) {
    if (depth == 0) return;
    this->key(key);
    put_path(out_, names, depth, limits);
  }

  template <std::size_t N>
  MACAW_INLINE void path(const char (&key)[N], const EncodedPath& path) {
    if (path.bytes.empty()) return;
    this->key(key);
    out_.run(path.bytes);
  }

  // Bytes left in the row besides `other`.
  std::size_t room(std::size_t other) const {
    const std::size_t used = this->size() + other;
    return used < limits.row ? limits.row - used : 0;
  }

  const Limits& limits;

 private:
  Out& out_;
};

inline std::size_t text_size(Text text) { return head_size(text.size()) + text.size(); }

// The first texts of `list` that fit `room`, and where some do not, how many in a last one: "…+3".
template <class Out>
void put_fitting(Out& out, const std::vector<Text>& list, std::size_t room) {
  constexpr std::size_t mark_room = 16;
  std::size_t size = 0, fitting = 0;
  while (fitting < list.size() && size + text_size(list[fitting]) + mark_room <= room)
    size += text_size(list[fitting++]);
  const bool all = fitting == list.size();
  put_head(out, array_item, fitting + (all ? 0 : 1));
  for (std::size_t i = 0; i < fitting; ++i) put(out, list[i]);
  if (!all) put(out, Text("\xE2\x80\xA6+" + std::to_string(list.size() - fitting)));
}

template <class Out>
void put_fitting(Out& out, const std::vector<std::pair<Text, Text>>& map, std::size_t room) {
  constexpr std::size_t mark_room = 16;
  std::size_t size = 0, fitting = 0;
  const auto pair_size = [](const auto& pair) { return text_size(pair.first) + text_size(pair.second); };
  while (fitting < map.size() && size + pair_size(map[fitting]) + mark_room <= room) size += pair_size(map[fitting++]);
  const bool all = fitting == map.size();
  put_head(out, map_item, fitting + (all ? 0 : 1));
  for (std::size_t i = 0; i < fitting; ++i) put(out, map[i].first), put(out, map[i].second);
  if (!all) put(out, Text("\xE2\x80\xA6")), put(out, Text("+" + std::to_string(map.size() - fitting)));
}

template <class Out>
MACAW_INLINE void put_row(Out& out, const Limits& limits, const Hello& hello) {
  Row row(out, limits);
  row.entry("name", cut_to(hello.name, limits.name));
  row.unless_default("pid", hello.pid);
  row.unless_default("start", hello.start);
  row.unless_default("parent", hello.parent);
  row.text("host", hello.host, limits.name / 2);
  row.text("user", hello.user, limits.name / 4);
  row.text("lang", hello.lang, limits.word);
  row.text("sdk", hello.sdk, limits.word);
  if (hello.git) {
    row.key("git");
    Row git(out, limits);
    git.text("commit", hello.git->commit, limits.name / 4);
    git.text("branch", hello.git->branch, limits.name / 4);
    git.unless_default("dirty", hello.git->dirty);
  }
  row.text("cwd", hello.cwd, limits.name);
  const auto list = [&](const auto& key, const auto& texts) {
    constexpr std::size_t least = 48;  // the key, a head, and the mark of what was left out
    if (texts.empty() || row.room(0) < least) return;
    row.key(key);
    put_fitting(out, texts, row.room(3));
  };
  list("tags", hello.tags);
  list("env", hello.env);
  list("argv", hello.argv);
}

template <class Out>
MACAW_INLINE void put_row(Out& out, const Limits& limits, const Usage& usage) {
  Row row(out, limits);
  row.unless_default("rss", usage.rss);
  row.unless_default("peak", usage.peak);
  row.unless_default("cpu", usage.cpu);
  row.unless_default("threads", usage.threads);
  row.unless_default("children", usage.children);
  row.unless_default("tree_rss", usage.tree_rss);
  const auto devices = [&](const auto& key, const std::vector<double>& values) {
    if (values.empty()) return;
    const std::size_t count = std::min(values.size(), limits.gpus);
    row.key(key);
    put_head(out, array_item, count);
    for (std::size_t i = 0; i < count; ++i) put(out, values[i]);
  };
  devices("gpu", usage.gpu);
  devices("gpu_mem", usage.gpu_mem);
  row.unless_default("self_cpu", usage.self_cpu);
  row.unless_default("sent", usage.sent);
  row.unless_default("unsent", usage.unsent);
}

template <class Out, class... Path>
MACAW_INLINE void put_row(Out& out, const Limits& limits, const Bar& bar, const Path&... path) {
  Row row(out, limits);
  row.entry("id", bar.id);
  row.unless_default("parent", bar.parent);
  row.path("stage", path...);
  row.entry("n", bar.n);
  row.unless_default("total", bar.total);
  row.unless_default("initial", bar.initial);
  row.text("unit", bar.unit, limits.word);
  row.unless_default("elapsed", bar.elapsed);
  row.unless_default("rate", bar.rate);
  row.unless_default("eta", bar.eta);
  if (bar.state != BarState::running) row.entry("state", word(bar.state));
  row.unless_default("repeats", bar.repeats);
  row.text("desc", bar.desc, limits.name);
}

template <class Out, class... Path>
MACAW_INLINE void put_row(Out& out, const Limits& limits, const Stage& stage, const Path&... path) {
  Row row(out, limits);
  row.path("path", path...);
  if (stage.kind != StageKind::stage) row.entry("kind", word(stage.kind));
  row.entry("n", stage.n);
  row.unless_default("sum", stage.sum);
  row.unless_default("min", stage.min);
  row.unless_default("max", stage.max);
  row.unless_default("m2", stage.m2);
  row.unless_default("last", stage.last);
  row.unless_default("open", stage.open);
  row.unless_default("since", stage.since);
  row.unless_default("errors", stage.errors);
  row.text("note", stage.note, limits.note);
}

template <class Out>
MACAW_INLINE void put_row(Out& out, const Limits& limits, const Metric& metric) {
  Row row(out, limits);
  row.entry("no", metric.no);
  row.entry("name", cut_to(metric.name, limits.name));
  row.unless_default("step", metric.step);
  row.unless_default("up", metric.up);
  if (const auto* text = std::get_if<Text>(&metric.value)) return row.entry("value", cut_to(*text, limits.note));
  row.entry("value", metric.value);
}

template <class Out, class... Path>
MACAW_INLINE void put_row(Out& out, const Limits& limits, const Log& log, const Path&... path) {
  Row row(out, limits);
  row.entry("no", log.no);
  row.unless_default("up", log.up);
  if (log.level != LogLevel::info) row.entry("level", word(log.level));
  row.path("stage", path...);
  if (log.parts != 1) {
    row.key("part");
    put_head(out, array_item, 2);
    put_head(out, whole_item, log.part);
    put_head(out, whole_item, log.parts);
  }
  Text text = log.text;
  constexpr std::size_t cut_entry = 13;
  const std::uint64_t cut = log.cut + cut_text(text, row.room(8 + cut_entry));
  row.unless_default("cut", cut);
  row.entry("text", text);
}

template <class Out>
MACAW_INLINE void put_row(Out& out, const Limits& limits, const Finish& finish) {
  Row row(out, limits);
  row.unless_default("elapsed", finish.elapsed);
  row.unless_default("code", finish.code);
  row.unless_default("signal", finish.signal);
  if (finish.state != FinishState::finished) row.entry("state", word(finish.state));
  if (!finish.error) return;
  row.key("error");
  Row error(out, limits);
  error.text("type", finish.error->type, limits.name);
  error.unless_default("trace", finish.error->trace);
  error.text("message", finish.error->message, limits.note);
}

}  // namespace macaw::wire
