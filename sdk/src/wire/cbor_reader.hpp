// SPDX-License-Identifier: MIT
// Reads CBOR (RFC 8949) item by item for the schema: every well-formed encoding, with all integer and float widths,
// indefinite lengths and tags (skipped: the schema knows what a value means). No allocation but for chunked strings,
// none by a claimed length. All inline, since decoding a report is a few hundred nanoseconds of this.
// One object, one thread, one datagram.
#pragma once

#include <cmath>
#include <limits>

#include "sdk/src/wire/byte_order.hpp"
#include "sdk/src/wire/item.hpp"
#include "sdk/src/wire/utf8.hpp"

namespace macaw::wire {

class CborReader {
 public:
  CborReader(const std::uint8_t* data, std::size_t size, std::deque<std::string>& storage)
      : p_(data), end_(data + size), storage_(storage) {}

  Item take() {
    for (;;) {
      if (p_ == end_) return malformed();
      const unsigned major = *p_ >> 5, info = *p_ & 31;
      ++p_;
      std::uint64_t argument = info;
      if (info >= 24 && !take_argument(info, argument)) return take_unbounded(major, info);
      switch (major) {
        case 0: return number(Kind::whole, argument);
        case 1: return number(Kind::negative, argument);
        case 2: return string(Kind::bytes, argument);
        case 3: return string(Kind::text, argument);
        case 4: return container(Kind::array, argument);
        case 5: return container(Kind::map, argument);
        case 6: continue;  // a tag
        default: return simple(info, argument);
      }
    }
  }

  Item take_key() { return take(); }

  std::uint64_t take_key_code() {
    // The common case: a short text of definite length, with eight readable bytes behind its head.
    if (end_ - p_ > 8 && *p_ > 0x60 && *p_ <= 0x68) {
      const unsigned size = *p_ - 0x60u;
      const std::uint64_t code = load_big<std::uint64_t>(p_ + 1) >> (64 - 8 * size);
      p_ += 1 + size;
      return code;
    }
    const Item key = take();
    if (key.kind == Kind::text) return key_code(text(key));
    skip(*this, key);
    return 0;
  }

  bool more(Item& container) {
    if (failure_ != Decoded::ok) return false;
    if (container.bits != unbounded) return container.bits != 0 && container.bits-- != 0;
    if (p_ == end_) return fail(Decoded::malformed), false;
    if (*p_ != break_byte) return true;
    ++p_;
    return false;
  }

  Text text(const Item& item) {
    const Text raw = item.plain ? item.raw : joined(item);
    return is_utf8(raw) ? raw : Text(storage_.emplace_back(repaired_utf8(raw)));
  }

  bool job(const Item& item, JobId& id) {
    if (item.kind != Kind::bytes) return false;
    const Text raw = item.plain ? item.raw : joined(item);
    if (raw.size() != id.size()) return false;
    std::memcpy(id.data(), raw.data(), id.size());
    return true;
  }

  static void as_number(Item&) {}

  void fail(Decoded why) {
    if (failure_ == Decoded::ok) failure_ = why;
    p_ = end_;
  }

  bool ok() const { return failure_ == Decoded::ok; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - p_); }

  Decoded end() const { return failure_ == Decoded::ok && p_ != end_ ? Decoded::malformed : failure_; }

 private:
  static constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint8_t break_byte = 0xFF;

  Item malformed() {
    fail(Decoded::malformed);
    return {};
  }

  // The 1, 2, 4 or 8 bytes behind the initial byte; false for the reserved and unbounded forms, and when cut.
  bool take_argument(unsigned info, std::uint64_t& argument) {
    if (info > 27) return false;
    const std::size_t size = std::size_t{1} << (info - 24);
    if (left() < size) return fail(Decoded::malformed), false;
    switch (info) {
      case 24: argument = *p_; break;
      case 25: argument = load_big<std::uint16_t>(p_); break;
      case 26: argument = load_big<std::uint32_t>(p_); break;
      default: argument = load_big<std::uint64_t>(p_); break;
    }
    p_ += size;
    return true;
  }

  static Item number(Kind kind, std::uint64_t bits) {
    Item item;
    item.kind = kind;
    item.bits = bits;
    return item;
  }

  Item string(Kind kind, std::uint64_t size) {
    if (size > left()) return malformed();
    Item item;
    item.kind = kind;
    item.raw = Text(reinterpret_cast<const char*>(p_), static_cast<std::size_t>(size));
    p_ += size;
    return item;
  }

  // An element takes a byte at least, so a longer claim is cut or a lie.
  Item container(Kind kind, std::uint64_t count) { return count > left() ? malformed() : number(kind, count); }

  Item simple(unsigned info, std::uint64_t argument) {
    Item item;
    item.kind = Kind::real;
    switch (info) {
      case 20:
      case 21: return number(Kind::boolean, info - 20);
      case 22:
      case 23: return number(Kind::null, 0);
      case 24: return argument < 32 ? malformed() : number(Kind::other, argument);
      case 25: item.real = from_half(static_cast<std::uint16_t>(argument)); return item;
      case 26: item.real = static_cast<double>(from_bits<float>(static_cast<std::uint32_t>(argument))); return item;
      case 27: item.real = from_bits<double>(argument); return item;
      default: return number(Kind::other, argument);
    }
  }

  template <class Float, class Bits>
  static Float from_bits(Bits bits) {
    static_assert(sizeof(Float) == sizeof(Bits));
    Float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  static double from_half(std::uint16_t half) {
    const int exponent = half >> 10 & 31;
    const int mantissa = half & 1023;
    double value = std::ldexp(mantissa + 1024, exponent - 25);
    if (exponent == 0) value = std::ldexp(mantissa, -24);
    if (exponent == 31) value = mantissa == 0 ? HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
    return half & 0x8000 ? -value : value;
  }

  Item take_unbounded(unsigned major, unsigned info) {
    if (failure_ != Decoded::ok || info != 31) return malformed();
    if (major == 4) return number(Kind::array, unbounded);
    if (major == 5) return number(Kind::map, unbounded);
    if (major == 2 || major == 3) return chunked(major);
    return malformed();
  }

  // Steps over the chunks of an unbounded string; joined() reads them again if the schema wants the content.
  Item chunked(unsigned major) {
    const std::uint8_t* begin = p_;
    Item item = number(major == 2 ? Kind::bytes : Kind::text, 0);
    for (Item chunks = number(Kind::array, unbounded); more(chunks);) {
      if (*p_ >> 5 != major || *p_ == (major << 5 | 31)) return malformed();
      take();
    }
    if (failure_ != Decoded::ok) return {};
    item.plain = false;
    item.raw = Text(reinterpret_cast<const char*>(begin), static_cast<std::size_t>(p_ - begin) - 1);
    return item;
  }

  Text joined(const Item& item) {
    std::string& whole = storage_.emplace_back();
    CborReader chunks(reinterpret_cast<const std::uint8_t*>(item.raw.data()), item.raw.size(), storage_);
    while (chunks.left() != 0) whole.append(chunks.take().raw);
    return whole;
  }

  const std::uint8_t* p_;
  const std::uint8_t* end_;
  std::deque<std::string>& storage_;
  Decoded failure_ = Decoded::ok;
};

}  // namespace macaw::wire
