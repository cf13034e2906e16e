// SPDX-License-Identifier: MIT
// The slow half of utf8.hpp, for texts that are not plain ASCII.
#include "sdk/src/wire/utf8.hpp"

namespace macaw::wire {
namespace {

constexpr bool is_continuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

// What a lead byte asks for: how many bytes follow, and the range of the first of them, which alone rules out
// overlong forms, surrogates and code points beyond U+10FFFF.
struct Lead {
  std::size_t following;
  std::uint8_t low, high;
};

constexpr Lead lead_of(std::uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {1, 0x80, 0xBF};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2, 0x80, 0xBF};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {3, 0x80, 0xBF};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

std::size_t utf8_step(std::string_view text, bool& valid) noexcept {
  const auto at = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  if (at(0) < 0x80) return 1;
  const Lead lead = lead_of(at(0));
  std::size_t length = 1;
  if (lead.following != 0 && text.size() > 1 && at(1) >= lead.low && at(1) <= lead.high) {
    length = 2;
    while (length <= lead.following && length < text.size() && is_continuation(at(length))) ++length;
  }
  if (lead.following == 0 || length != lead.following + 1) valid = false;
  return length;
}

bool is_utf8_slow(std::string_view text) noexcept {
  bool valid = true;
  while (valid && !text.empty()) text.remove_prefix(utf8_step(text, valid));
  return valid;
}

std::string repaired_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    bool valid = true;
    const std::size_t length = utf8_step(text, valid);
    result.append(valid ? text.substr(0, length) : std::string_view("\xEF\xBF\xBD"));
    text.remove_prefix(length);
  }
  return result;
}

std::size_t char_boundary(std::string_view text, std::size_t limit) noexcept {
  if (limit >= text.size()) return text.size();
  std::size_t end = limit;
  // A character has three continuation bytes at most; a longer run is no text, and is cut anywhere.
  for (int i = 0; i < 3 && end > 0 && is_continuation(static_cast<std::uint8_t>(text[end])); ++i) --end;
  return end > 0 && !is_continuation(static_cast<std::uint8_t>(text[end])) ? end : limit;
}

}  // namespace macaw::wire
