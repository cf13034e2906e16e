// SPDX-License-Identifier: MIT
#include "sdk/src/console/format.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "sdk/src/wire/utf8.hpp"

namespace macaw::console {
namespace {

constexpr std::size_t widest_name = 40;
constexpr int bar_cells = 10;

__attribute__((format(printf, 1, 2))) std::string print(const char* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  const int size = std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return {buffer, static_cast<std::size_t>(std::clamp(size, 0, static_cast<int>(sizeof buffer) - 1))};
}

double as_double(const Number& n) {
  return std::visit([](auto v) { return static_cast<double>(v); }, n);
}

std::string count(const Number& n) {
  if (const auto* whole = std::get_if<std::int64_t>(&n)) return std::to_string(*whole);
  return print("%.10g", std::get<double>(n));
}

// One code point off the front of `text`; invalid bytes count as one replacement character each.
char32_t take_code_point(std::string_view& text) {
  bool valid = true;
  const std::size_t size = wire::utf8_step(text, valid);
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  char32_t code = 0xFFFD;
  if (valid && size == 1) code = byte(0);
  if (valid && size == 2) code = ((byte(0) & 31u) << 6) | (byte(1) & 63u);
  if (valid && size == 3) code = ((byte(0) & 15u) << 12) | ((byte(1) & 63u) << 6) | (byte(2) & 63u);
  if (valid && size == 4)
    code = ((byte(0) & 7u) << 18) | ((byte(1) & 63u) << 12) | ((byte(2) & 63u) << 6) | (byte(3) & 63u);
  text.remove_prefix(size);
  return code;
}

// Columns of a terminal: the East Asian wide blocks and emoji take two, marks that combine none (Unicode 15, coarse).
std::size_t width_of(char32_t c) {
  if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F)) return 0;
  const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
                    (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                    (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
  return wide ? 2 : 1;
}

// C0 and C1 controls, and what turns the direction of writing round.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x61C || c == 0x200E || c == 0x200F ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

// Control characters must never reach a terminal from a name.
std::string neutral(std::string_view text, std::string_view allowed = {}) {
  std::string out;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = take_code_point(text);
    if (is_control(c) && allowed.find(before.front()) == std::string_view::npos)
      out += print(c < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(c));
    else
      out += before.substr(0, before.size() - text.size());
  }
  return out;
}

// Beyond this depth rows stand below each other: a recursion must not push the times off the screen.
std::size_t indent(std::size_t depth, std::size_t step) { return 2 + step * std::min<std::size_t>(depth, 12); }

std::string shown_name(std::string_view name) { return cut_name(neutral(name), widest_name); }

std::string padded(std::string text, std::size_t width) {
  const std::size_t now = display_width(text);
  if (now < width) text.append(width - now, ' ');
  return text;
}

std::string value_text(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) return std::isnan(*real) ? "nan" : print("%.3g", *real);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  return shown_name(std::get<std::string>(value));
}

std::string bar_line(const Bar& bar, bool is_first) {
  std::string line = is_first || bar.desc.empty() ? "iter" : shown_name(bar.desc);
  if (!bar.total) {
    line += " " + count(bar.n) + (bar.unit.empty() ? "" : " " + shown_name(bar.unit));
    if (bar.rate) line += print("  %.3g/s", *bar.rate);
    return line + "  " + duration(bar.elapsed);
  }
  const double total = as_double(*bar.total), n = as_double(bar.n);
  // Floored from the product, as 29/100*100 is less than 29; full only when it is full.
  const auto parts_of = [&](int parts) {
    return n >= total ? parts : static_cast<int>(std::clamp(std::floor(n * parts / total), 0.0, parts - 1.0));
  };
  const std::string total_text = count(*bar.total), n_text = count(bar.n);
  line += " " + std::string(total_text.size() > n_text.size() ? total_text.size() - n_text.size() : 0, ' ') + n_text;
  line += "/" + total_text + "  [";
  for (int i = 0, done = parts_of(bar_cells); i < bar_cells; ++i) line += i < done ? "█" : " ";
  line += print("] %3d%%  eta: ", parts_of(100));
  return line + (bar.running && bar.eta ? eta(*bar.eta) : "--:--");
}

// The running bars, the outermost first; when none runs, the outermost one that ran last.
std::vector<const Bar*> shown_bars(const Snapshot& job) {
  std::vector<const Bar*> shown;
  const Bar* last = nullptr;
  for (const Bar& bar : job.bars) {
    if (bar.running) shown.push_back(&bar);
    if (bar.outermost) last = &bar;
  }
  if (shown.empty() && last) shown.push_back(last);
  std::stable_partition(shown.begin(), shown.end(), [](const Bar* bar) { return bar->outermost; });
  return shown;
}

std::string summary_rows(const Snapshot& job, std::size_t first, std::size_t end, std::size_t column) {
  // Rows first..end are siblings with all that is below them.
  std::vector<std::pair<std::size_t, std::size_t>> siblings;
  for (std::size_t i = first; i < end;) {
    std::size_t next = i + 1;
    while (next < end && job.stages[next].depth > job.stages[i].depth) ++next;
    siblings.emplace_back(i, next);
    i = next;
  }
  std::stable_sort(siblings.begin(), siblings.end(),
                   [&](auto a, auto b) { return job.stages[a.first].spent() > job.stages[b.first].spent(); });
  std::string text;
  for (const auto& [row, next] : siblings) {
    const Stage& stage = job.stages[row];
    const std::string name = std::string(indent(stage.depth, 2), ' ') + shown_name(stage.path.back());
    text += stage.count ? padded(name, column) + print("avg: %.3fs  min: %.3fs  max: %.3fs  ± %.3fs", stage.avg(),
                                                       stage.min, stage.max, stage.std_dev)
                        : name;  // entered, and never left
    text += stage.is_parallel ? "  parallel\n" : "\n";
    text += summary_rows(job, row + 1, next, column);
  }
  return text;
}

std::string bytes(std::int64_t count) {
  const double mb = static_cast<double>(count) / 1e6;
  return mb < 1000 ? print("%.1f MB", mb) : print("%.2f GB", mb / 1000);
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += width_of(take_code_point(text));
  return width;
}

// A name too wide loses its middle; a dotted name keeps its last part, which tells most.
std::string cut_name(std::string_view name, std::size_t width) {
  if (display_width(name) <= width) return std::string(name);
  const std::size_t dot = name.rfind('.');
  std::size_t tail_width = (width - 1) / 2;
  if (dot != std::string_view::npos) tail_width = std::min(display_width(name.substr(dot)), width - 6);
  std::string head;
  std::string_view rest = name;
  for (std::size_t room = width - 1 - tail_width; !rest.empty();) {
    const std::string_view before = rest;
    const std::size_t taken = width_of(take_code_point(rest));
    if (taken > room) break;
    room -= taken;
    head += before.substr(0, before.size() - rest.size());
  }
  rest = name;
  while (display_width(rest) > tail_width) take_code_point(rest);
  return head + "…" + std::string(rest);
}

std::string duration(double seconds) {
  const auto s = static_cast<long long>(std::max(0.0, seconds));
  if (seconds < 10) return print("%.1fs", std::max(0.0, std::floor(seconds * 10) / 10));
  if (s < 60) return print("%llds", s);
  if (s < 3600) return print("%lldm %02llds", s / 60, s % 60);
  if (s < 86400) return print("%lldh %02lldm", s / 3600, s / 60 % 60);
  return print("%lldd %02lldh", s / 86400, s / 3600 % 24);
}

std::string eta(double seconds) {
  if (!(seconds < 1e9)) return "--:--";
  const auto s = static_cast<long long>(std::ceil(std::max(0.0, seconds)));
  if (s < 3600) return print("%02lld:%02lld", s / 60, s % 60);
  return print("%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
}

std::string started(const Snapshot& job) {
  return "[macaw] job started: " + neutral(job.name) + print(" (pid: %lld, job_id: ", static_cast<long long>(job.pid)) +
         job.job_id + ")\n";
}

std::string block(const Snapshot& job) {
  std::string text;
  for (const Bar* bar : shown_bars(job)) text += bar_line(*bar, text.empty()) + "\n";
  std::vector<std::size_t> columns;  // where the times of each depth begin
  const auto head = [](const Stage& stage) {
    return std::string(indent(stage.depth, 4), ' ') + "→ " + shown_name(stage.path.back());
  };
  for (const Stage& stage : job.stages) {
    columns.resize(std::max<std::size_t>(columns.size(), stage.depth + 1), 25);
    columns[stage.depth] = std::max(columns[stage.depth], display_width(head(stage)) + 2);
  }
  for (const Stage& stage : job.stages) {
    text += stage.count ? padded(head(stage), columns[stage.depth]) + print("%.3fs", stage.last) : head(stage);
    if (!stage.note.empty()) text += "  " + neutral(stage.note);
    text += "\n";
  }
  std::string metrics;
  for (const auto& [name, value] : job.metrics)
    metrics += (metrics.empty() ? "" : "  ") + shown_name(name) + "=" + value_text(value);
  if (!metrics.empty()) text += "  metrics: " + metrics + "\n";
  return text;
}

bool has_moved(const Snapshot& job) {
  if (!job.bars.empty()) {
    return std::any_of(job.bars.begin(), job.bars.end(), [](const Bar& bar) { return as_double(bar.n) != 0; });
  }
  return !job.metrics.empty() ||
         std::any_of(job.stages.begin(), job.stages.end(), [](const Stage& stage) { return stage.count != 0; });
}

std::string stage_summary(const Snapshot& job) {
  std::size_t column = 23;
  for (const Stage& stage : job.stages) {
    column = std::max(column, indent(stage.depth, 2) + display_width(shown_name(stage.path.back())) + 1);
  }
  return summary_rows(job, 0, job.stages.size(), column);
}

std::string finished(const Snapshot& job, const Ending& ending) {
  std::string text = "[macaw] job " + ending.word + ": " + neutral(job.name) + "\n";
  if (!ending.error.empty()) text += "  error:       " + neutral(ending.error) + "\n";
  text += "  elapsed:     " + duration(ending.elapsed) + "\n";
  text += print("  exit code:   %lld\n", static_cast<long long>(ending.exit_code));
  text += "  peak memory: " + bytes(ending.peak_bytes) + "\n";
  if (ending.lost_logs) text += print("  lost lines:  %llu\n", static_cast<unsigned long long>(ending.lost_logs));
  if (ending.lost_points) text += print("  lost points: %llu\n", static_cast<unsigned long long>(ending.lost_points));
  const Bar* main = nullptr;
  for (const Bar& bar : job.bars) {
    if (bar.outermost && (!main || bar.elapsed > main->elapsed)) main = &bar;
  }
  if (main) text += "  iterations:  " + count(main->n) + (main->total ? "/" + count(*main->total) : "") + "\n";
  if (!job.stages.empty()) text += "\n  stage summary:\n" + stage_summary(job);
  return text;
}

std::string log_line(std::string_view level, std::string_view text) {
  // A newline is the writer's wish; other controls could move the cursor.
  return "[" + std::string(level) + "] " + neutral(text, "\n\t") + "\n";
}

}  // namespace macaw::console
