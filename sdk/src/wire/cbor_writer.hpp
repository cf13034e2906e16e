// SPDX-License-Identifier: MIT
// Writes CBOR in its shortest, definite-length form (the preferred serialization of RFC 8949). Templates over an Out:
//   RawOut     writes to memory that the caller knows to be large enough (datagrams; every row has a bound)
//   StringOut  appends to a string
// Pure but for the Out; one Out, one thread.
#pragma once

#include <string>

#include "sdk/src/wire/byte_order.hpp"
#include "sdk/src/wire/report.hpp"

// A call between two writes would force an Out's position through memory: that is half of the time of an encoder.
#define MACAW_INLINE [[gnu::always_inline]] inline

namespace macaw::wire {

struct RawOut {
  char* p;

  using Mark = char*;
  Mark mark() const { return p; }
  void patch(Mark at, unsigned byte) { *at = static_cast<char>(byte); }
  std::size_t since(Mark at) const { return static_cast<std::size_t>(p - at); }
  void byte(unsigned value) { *p++ = static_cast<char>(value); }
  MACAW_INLINE void bytes(const void* from, std::size_t size) {
    std::memcpy(p, from, size);
    p += size;
  }
  // The same for a size that only the running program knows, without a call for it.
  MACAW_INLINE void run(Text from) {
    if (from.size() < 16) return bytes(from.data(), from.size());
    for (std::size_t at = 0; at < from.size() - 16; at += 16) std::memcpy(p + at, from.data() + at, 16);
    p += from.size();
    std::memcpy(p - 16, from.data() + from.size() - 16, 16);
  }
};

struct StringOut {
  std::string& s;

  using Mark = std::size_t;
  Mark mark() const { return s.size(); }
  void patch(Mark at, unsigned byte) { s[at] = static_cast<char>(byte); }
  std::size_t since(Mark at) const { return s.size() - at; }
  void byte(unsigned value) { s.push_back(static_cast<char>(value)); }
  void bytes(const void* from, std::size_t size) { s.append(static_cast<const char*>(from), size); }
  void run(Text from) { s.append(from); }
};

enum Major : unsigned {
  whole_item = 0,
  negative_item = 1,
  bytes_item = 2,
  text_item = 3,
  array_item = 4,
  map_item = 5
};

constexpr std::size_t head_size(std::uint64_t v) {
  return v < 24 ? 1 : v <= 0xFF ? 2 : v <= 0xFFFF ? 3 : v <= 0xFFFFFFFF ? 5 : 9;
}

template <class Integer, class Out>
MACAW_INLINE void put_sized(Out& out, unsigned initial, Integer value) {
  value = big_endian(value);
  out.byte(initial);
  out.bytes(&value, sizeof value);
}

// The head of an item: its major type and its value, length or count.
template <class Out>
MACAW_INLINE void put_head(Out& out, Major major, std::uint64_t v) {
  const unsigned initial = major << 5;
  if (v < 24) return out.byte(initial | static_cast<unsigned>(v));
  if (v <= 0xFF) return out.byte(initial | 24), out.byte(static_cast<unsigned>(v));
  if (v <= 0xFFFF) return put_sized(out, initial | 25, static_cast<std::uint16_t>(v));
  if (v <= 0xFFFFFFFF) return put_sized(out, initial | 26, static_cast<std::uint32_t>(v));
  put_sized(out, initial | 27, v);
}

template <class Out>
MACAW_INLINE void put(Out& out, std::uint64_t v) {
  put_head(out, whole_item, v);
}

template <class Out>
MACAW_INLINE void put(Out& out, std::int64_t v) {
  v < 0 ? put_head(out, negative_item, static_cast<std::uint64_t>(-1 - v))
        : put_head(out, whole_item, static_cast<std::uint64_t>(v));
}

template <class Out>
MACAW_INLINE void put(Out& out, bool v) {
  out.byte(v ? 0xF5 : 0xF4);
}

template <class Out>
MACAW_INLINE void put(Out& out, Text text) {
  put_head(out, text_item, text.size());
  if (!text.empty()) out.bytes(text.data(), text.size());
}

template <class Out>
MACAW_INLINE void put(Out& out, const JobId& id) {
  put_head(out, bytes_item, id.size());
  out.bytes(id.data(), id.size());
}

// Half precision, for a float that it holds exactly. Few values are, so this stays out of line.
bool to_half(float value, std::uint16_t& half) noexcept;

// A float that may have a shorter form.
template <class Out>
void put_short(Out& out, double v) {
  const auto narrow = static_cast<float>(v);
  if (static_cast<double>(narrow) != v && v == v) {
    std::uint64_t bits;
    std::memcpy(&bits, &v, sizeof bits);
    return put_sized(out, 0xFB, bits);
  }
  std::uint16_t half = 0;
  if (to_half(narrow, half)) return put_sized(out, 0xF9, half);
  std::uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof bits);
  put_sized(out, 0xFA, bits);
}

template <class Out>
MACAW_INLINE void put(Out& out, double v) {
  std::uint64_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  // Most have more digits than a float holds; NaN may have, too.
  constexpr std::uint64_t beyond_float = 0x1FFFFFFF, exponent = 0x7FF0000000000000;
  if (__builtin_expect((bits & beyond_float) != 0 && (bits & exponent) != exponent, 1))
    return put_sized(out, 0xFB, bits);
  put_short(out, v);
}

template <class Out>
MACAW_INLINE void put(Out& out, const Number& number) {
  if (const auto* whole = std::get_if<std::int64_t>(&number)) return put(out, *whole);
  put(out, *std::get_if<double>(&number));
}

template <class Out>
MACAW_INLINE void put(Out& out, const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return put(out, *whole);
  if (const auto* real = std::get_if<double>(&value)) return put(out, *real);
  if (const auto* text = std::get_if<Text>(&value)) return put(out, *text);
  put(out, *std::get_if<bool>(&value));
}

// A map that counts its entries as they come. At most 23, which is more than any map of the schema has.
template <class Out>
class Map {
 public:
  explicit Map(Out& out) : out_(out), head_(out.mark()) { out.byte(0); }
  Map(const Map&) = delete;
  ~Map() { out_.patch(head_, 0xA0 + count_); }

  // Keys are string literals of less than 24 characters.
  template <std::size_t N>
  MACAW_INLINE void key(const char (&name)[N]) {
    static_assert(N - 1 < 24);
    out_.byte(0x60 + N - 1);
    out_.bytes(name, N - 1);
    ++count_;
  }

  template <std::size_t N, class T>
  MACAW_INLINE void entry(const char (&name)[N], const T& value) {
    key(name);
    put(out_, value);
  }

  // Left out when it says no more than absence does.
  template <std::size_t N, class T>
  MACAW_INLINE void unless_default(const char (&name)[N], const T& value, const T& absent = T{}) {
    if (value != absent) entry(name, value);
  }

  template <std::size_t N, class T>
  MACAW_INLINE void unless_default(const char (&name)[N], const std::optional<T>& value) {
    if (value) entry(name, *value);
  }

  // Bytes of the map so far.
  std::size_t size() const { return out_.since(head_); }

 private:
  Out& out_;
  typename Out::Mark head_;
  unsigned count_ = 0;
};

}  // namespace macaw::wire
