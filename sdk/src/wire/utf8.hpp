// SPDX-License-Identifier: MIT
// UTF-8 as the wire needs it: nearly all texts are short ASCII, so that case is decided in a few instructions; the rest
// is checked byte by byte, and what is no UTF-8 is replaced rather than refused, so that one stray byte in a log line
// never costs the line. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace macaw::wire {

// Bytes of the character at the front of `text` (not empty). Where there is none, `valid` turns false and the result
// counts the bytes that one U+FFFD stands for (the "maximal subpart" of the Unicode standard, as browsers do it).
std::size_t utf8_step(std::string_view text, bool& valid) noexcept;

bool is_utf8_slow(std::string_view text) noexcept;
std::string repaired_utf8(std::string_view text);

// The largest character boundary of `text` that is not beyond `limit`.
std::size_t char_boundary(std::string_view text, std::size_t limit) noexcept;

inline bool is_ascii(std::string_view text) noexcept {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  const char* p = text.data();
  std::size_t left = text.size();
  std::uint64_t seen = 0, word = 0;
  for (; left >= 8; p += 8, left -= 8) {
    std::memcpy(&word, p, 8);
    seen |= word;
  }
  for (; left != 0; ++p, --left) seen |= static_cast<std::uint8_t>(*p);
  return (seen & high_bits) == 0;
}

inline bool is_utf8(std::string_view text) noexcept { return is_ascii(text) || is_utf8_slow(text); }

}  // namespace macaw::wire
