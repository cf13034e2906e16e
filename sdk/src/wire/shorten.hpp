// SPDX-License-Identifier: MIT
// Keeping texts, paths and log lines within the limits of the protocol, so that a row always fits a datagram.
// Pure functions, any thread. Only shorten() allocates.
#pragma once

#include <algorithm>

#include "sdk/src/wire/report.hpp"
#include "sdk/src/wire/utf8.hpp"

namespace macaw::wire {

inline constexpr std::size_t max_path_bytes = 600;  // encoded
inline constexpr std::size_t max_name_bytes = 256;
inline constexpr std::size_t max_note_bytes = 512;
inline constexpr std::size_t max_log_bytes = 16 * 1024;

// Cuts `text` to at most `limit` bytes at a character boundary; returns how many bytes were cut.
inline std::size_t cut_text(Text& text, std::size_t limit) noexcept {
  if (text.size() <= limit) return 0;
  const std::size_t kept = char_boundary(text, limit);
  const std::size_t cut = text.size() - kept;
  text = text.substr(0, kept);
  return cut;
}

// `text` in at most `limit` bytes (32 or more), where it was cut with a mark that says by how many bytes: "abc…+1234".
// For names and notes, when they are first seen.
std::string shorten(Text text, std::size_t limit);

// A path whose encoding would exceed `limit` keeps as many names as fit from both ends, the last name first; `mark`,
// "…" and 8 hex digits of the hash of what it replaces, stands between them. A path that fits has no mark and is all
// head.
struct ShortPath {
  std::size_t head = 0;  // names kept in front
  std::size_t tail = 0;  // names kept at the end
  std::array<char, 11> mark{};
  bool is_cut = false;
  std::size_t size() const { return head + (is_cut ? 1 : 0) + tail; }
  Text mark_text() const { return {mark.data(), mark.size()}; }
};
ShortPath shorten_path(const Text* path, std::size_t depth, std::size_t limit = max_path_bytes) noexcept;

// Takes the next piece of at most `limit` bytes off `rest`, cut at a character boundary.
Text take_piece(Text& rest, std::size_t limit) noexcept;

// Calls each(piece) for the pieces, of at most `limit` bytes each, that carry `line`: with one `no` and with `part` and
// `parts` set. The same line and limit always give the same pieces, so that pieces sent again fit the first ones.
// A line beyond max_log_bytes is cut first, which `cut` tells.
template <class Each>
void split_log(Log line, std::size_t limit, Each each) {
  line.cut += cut_text(line.text, max_log_bytes);
  line.parts = 0;
  Text rest = line.text;
  do {
    take_piece(rest, limit);
    ++line.parts;
  } while (!rest.empty());
  rest = line.text;
  for (line.part = 1; line.part <= line.parts; ++line.part) {
    line.text = take_piece(rest, limit);
    each(static_cast<const Log&>(line));
  }
}

}  // namespace macaw::wire
