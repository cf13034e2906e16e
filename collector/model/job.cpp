// SPDX-License-Identifier: GPL-3.0-or-later
// The few questions that the values of job.hpp answer by themselves, and the names that their enums have in JSON and on
// screen.
#include "collector/model/job.hpp"

#include <algorithm>
#include <cmath>

namespace macaw::model {

namespace {

constexpr std::size_t id_text_length = 36;
constexpr bool is_dash_place(std::size_t i) { return i == 8 || i == 13 || i == 18 || i == 23; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string to_string(const JobId& id) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(id_text_length);
  for (const std::uint8_t byte : id) {
    if (is_dash_place(text.size())) text += '-';
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::optional<JobId> parse_job_id(const std::string& text) {
  if (text.size() != id_text_length) return std::nullopt;
  JobId id{};
  std::size_t nibble = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_dash_place(i)) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    const int digit = hex_digit(text[i]);
    if (digit < 0) return std::nullopt;
    id[nibble / 2] = static_cast<std::uint8_t>(id[nibble / 2] << 4 | digit);
    ++nibble;
  }
  return id;
}

const char* state_name(State state) {
  static constexpr const char* names[] = {"running", "stalled",     "no contact", "finished",
                                          "failed",  "interrupted", "ended early"};
  return names[static_cast<std::size_t>(state)];
}

const char* bar_state_name(BarState state) {
  static constexpr const char* names[] = {"running", "done", "left", "failed", "interrupted"};
  return names[static_cast<std::size_t>(state)];
}

const char* log_level_name(LogLevel level) {
  static constexpr const char* names[] = {"debug", "info", "warning", "error", "critical"};
  return names[static_cast<std::size_t>(level)];
}

Seconds Stage::std_dev() const { return count < 2 ? 0 : std::sqrt(std::max(0.0, m2) / static_cast<double>(count - 1)); }

Seconds Job::elapsed(Seconds now) const {
  if (ended) return *ended;
  if (state == State::no_contact) return up;
  return up + std::max(0.0, now - heard);
}

const Bar* Job::main_bar() const {
  const Bar* longest = nullptr;
  for (const auto& bar : bars)
    if (!bar->parent && (!longest || bar->elapsed > longest->elapsed)) longest = bar.get();
  return longest;
}

}  // namespace macaw::model
