// SPDX-License-Identifier: MIT
// The JSON grammar, in the order of RFC 8259: structure, literals, numbers, strings.
#include "sdk/src/wire/json_reader.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "sdk/src/wire/utf8.hpp"

namespace macaw::wire {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Four hexadecimal digits; -1 when they are not.
int hex_unit(const char* p, const char* end) {
  if (end - p < 4) return -1;
  int unit = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_digit(p[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&out](unsigned byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

// The character of a \u escape whose first digit is at `p`, which moves behind it and behind the other half of a
// surrogate pair. A half alone is no character and becomes U+FFFD. take_string() has checked the digits.
unsigned escaped_code(const char*& p, const char* end) {
  const auto unit = static_cast<unsigned>(hex_unit(p, end));
  p += 4;
  if (unit < 0xD800 || unit > 0xDFFF) return unit;
  if (unit < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
    const auto low = static_cast<unsigned>(hex_unit(p + 2, end));
    if (low >= 0xDC00 && low <= 0xDFFF) {
      p += 6;
      return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
  }
  return 0xFFFD;
}

constexpr Text escapes = "\"\\/bfnrt";
constexpr Text escaped = "\"\\/\b\f\n\r\t";

std::string unescaped(Text raw) {
  std::string out;
  out.reserve(raw.size());
  const char* const end = raw.data() + raw.size();
  for (const char* p = raw.data(); p != end;) {
    if (*p != '\\') {
      out.push_back(*p++);
      continue;
    }
    const char kind = p[1];
    p += 2;
    if (kind == 'u') {
      append_utf8(out, escaped_code(p, end));
    } else {
      out.push_back(escaped[escapes.find(kind)]);
    }
  }
  return out;
}

// Digits beyond the range of a double: what they round to.
double out_of_range(Text digits) {
  const bool tiny = digits.find("e-") != Text::npos || digits.find("E-") != Text::npos || digits.front() == '0';
  return tiny ? 0 : HUGE_VAL;
}

}  // namespace

void JsonReader::fail(Decoded why) {
  if (failure_ == Decoded::ok) failure_ = why;
  p_ = end_;
}

Item JsonReader::malformed() {
  fail(Decoded::malformed);
  return {};
}

Decoded JsonReader::end() {
  skip_space();
  if (p_ != end_) fail(Decoded::malformed);
  return failure_;
}

void JsonReader::skip_space() {
  while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t')) ++p_;
}

bool JsonReader::accept(char c) {
  if (p_ == end_ || *p_ != c) return false;
  ++p_;
  return true;
}

Item JsonReader::take() {
  skip_space();
  if (p_ == end_) return malformed();
  Item item;
  switch (*p_) {
    case '{':
    case '[': item.kind = *p_++ == '{' ? Kind::map : Kind::array; return item;
    case '"': return take_string();
    case 't':
    case 'f':
    case 'n': return take_word();
    default: return take_number();
  }
}

// `bits` of an open container tells whether an element was read, so that a comma must come before the next one.
bool JsonReader::more(Item& container) {
  skip_space();
  if (accept(container.kind == Kind::map ? '}' : ']')) return false;
  if (container.bits != 0 && !accept(',')) fail(Decoded::malformed);
  container.bits = 1;
  return failure_ == Decoded::ok;
}

Item JsonReader::take_key() {
  skip_space();
  if (p_ == end_ || *p_ != '"') return malformed();
  const Item key = take_string();
  skip_space();
  return accept(':') ? key : malformed();
}

std::uint64_t JsonReader::take_key_code() {
  const Item key = take_key();
  return key.kind == Kind::text ? key_code(text(key)) : 0;
}

Item JsonReader::take_word() {
  const Text rest(p_, static_cast<std::size_t>(end_ - p_));
  const auto word = [&](Text spelling, Kind kind, std::uint64_t bits) {
    if (rest.substr(0, spelling.size()) != spelling) return malformed();
    p_ += spelling.size();
    Item item;
    item.kind = kind;
    item.bits = bits;
    return item;
  };
  if (rest[0] == 't') return word("true", Kind::boolean, 1);
  if (rest[0] == 'f') return word("false", Kind::boolean, 0);
  return word("null", Kind::null, 0);
}

bool JsonReader::take_digits() {
  const char* const begin = p_;
  while (p_ != end_ && is_digit(*p_)) ++p_;
  return p_ != begin;
}

Item JsonReader::take_number() {
  const bool minus = accept('-');
  const char* const digits = p_;
  if (!accept('0') && !take_digits()) return malformed();
  const char* const whole_end = p_;
  if (accept('.') && !take_digits()) return malformed();
  if (accept('e') || accept('E')) {
    if (!accept('+')) accept('-');
    if (!take_digits()) return malformed();
  }
  Item item;
  if (p_ == whole_end && std::from_chars(digits, p_, item.bits).ec == std::errc{}) {
    const bool negative = minus && item.bits != 0;
    item.kind = negative ? Kind::negative : Kind::whole;
    if (negative) --item.bits;
    return item;
  }
  item.kind = Kind::real;
  if (std::from_chars(digits, p_, item.real).ec != std::errc{}) {
    item.real = out_of_range(Text(digits, static_cast<std::size_t>(p_ - digits)));
  }
  if (minus) item.real = -item.real;
  return item;
}

Item JsonReader::take_string() {
  const char* const begin = ++p_;
  Item item;
  item.kind = Kind::text;
  for (; p_ != end_ && *p_ != '"'; ++p_) {
    if (static_cast<unsigned char>(*p_) < 0x20) return malformed();
    if (*p_ != '\\') continue;
    item.plain = false;
    if (++p_ == end_) return malformed();
    if (*p_ == 'u' ? hex_unit(p_ + 1, end_) < 0 : escapes.find(*p_) == Text::npos) return malformed();
  }
  if (p_ == end_) return malformed();
  item.raw = Text(begin, static_cast<std::size_t>(p_ - begin));
  ++p_;
  return item;
}

Text JsonReader::text(const Item& item) {
  const Text raw = item.plain ? item.raw : Text(storage_.emplace_back(unescaped(item.raw)));
  return is_utf8(raw) ? raw : Text(storage_.emplace_back(repaired_utf8(raw)));
}

bool JsonReader::job(const Item& item, JobId& id) {
  constexpr Text shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  if (item.kind != Kind::text || item.raw.size() != shape.size()) return false;
  std::size_t digits = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const int digit = hex_digit(item.raw[i]);
    if (shape[i] == '-' ? item.raw[i] != '-' : digit < 0) return false;
    if (shape[i] == '-') continue;
    const std::size_t byte = digits++ / 2;
    id[byte] = static_cast<std::uint8_t>(id[byte] << 4 | digit);
  }
  return true;
}

void JsonReader::as_number(Item& item) {
  if (item.kind != Kind::text) return;
  if (item.raw == "nan") item.real = std::numeric_limits<double>::quiet_NaN();
  if (item.raw == "inf") item.real = HUGE_VAL;
  if (item.raw == "-inf") item.real = -HUGE_VAL;
  if (item.real != 0) item.kind = Kind::real;  // NaN too is unequal to 0
}

}  // namespace macaw::wire
