// SPDX-License-Identifier: MIT
// The words that enums are on the wire, in the order of the enums. New ones are added at the end. Pure functions.
#pragma once

#include "sdk/src/wire/report.hpp"

namespace macaw::wire {

inline constexpr Text stage_kinds[] = {"stage", "call"};
inline constexpr Text bar_states[] = {"running", "done", "left", "failed", "interrupted"};
inline constexpr Text log_levels[] = {"debug", "info", "warning", "error", "critical"};
inline constexpr Text finish_states[] = {"finished", "failed", "interrupted"};

constexpr const auto& words_of(StageKind) { return stage_kinds; }
constexpr const auto& words_of(BarState) { return bar_states; }
constexpr const auto& words_of(LogLevel) { return log_levels; }
constexpr const auto& words_of(FinishState) { return finish_states; }

template <class Enum>
constexpr Text word(Enum value) {
  return words_of(value)[static_cast<std::size_t>(value)];
}

template <class Enum>
constexpr bool parse_word(Text text, Enum& out) {
  std::size_t i = 0;
  for (const Text known : words_of(out)) {
    if (known == text) return out = static_cast<Enum>(i), true;
    ++i;
  }
  return false;
}

}  // namespace macaw::wire
