// SPDX-License-Identifier: MIT
// Items to typed values: the rules that sdk/PROTOCOL.md states for every key, one get() overload a type.
//   null, and a number that is not finite, is as if the key were absent (a metric's value excepted);
//   a wrong type is told, and whatever stood there is skipped;
//   a word that an enum does not know leaves the default, as does an unknown key.
// One object, one thread, one datagram.
#pragma once

#include <cmath>
#include <limits>

#include "sdk/src/wire/item.hpp"
#include "sdk/src/wire/words.hpp"

namespace macaw::wire {

enum class Got : std::uint8_t { value, absent, wrong };

template <class Reader>
class Values {
 public:
  Values(Reader& in, Report& report) : in_(in), report_(report) {}

 protected:
  // Calls field(key, item) for each entry of an open map; a field leaves no container half read.
  template <class Field>
  void entries(Item& map, Field field) {
    while (in_.more(map)) {
      const std::uint64_t key = in_.take_key_code();
      Item item = in_.take();
      field(key, item);
    }
  }

  void unknown(const Item& item) {
    ++report_.unknown_keys;
    skip(in_, item);
  }

  Got wrong(const Item& item) {
    skip(in_, item);
    return Got::wrong;
  }

  Got otherwise(const Item& item) { return item.kind == Kind::null ? Got::absent : wrong(item); }

  Got get(Item& item, bool& out) {
    if (item.kind != Kind::boolean) return otherwise(item);
    out = item.bits != 0;
    return Got::value;
  }

  Got get(Item& item, std::uint64_t& out) {
    if (item.kind == Kind::whole) return out = item.bits, Got::value;
    if (item.kind != Kind::real) return otherwise(item);
    if (!(item.real >= 0) || !is_whole(item.real)) return Got::wrong;
    return out = static_cast<std::uint64_t>(item.real), Got::value;
  }

  Got get(Item& item, std::uint32_t& out) {
    std::uint64_t wide = 0;
    const Got got = get(item, wide);
    if (got != Got::value) return got;
    if (wide > std::numeric_limits<std::uint32_t>::max()) return Got::wrong;
    return out = static_cast<std::uint32_t>(wide), Got::value;
  }

  Got get(Item& item, std::int64_t& out) {
    Number number;
    const Got got = get(item, number);
    if (got != Got::value) return got;
    if (const auto* whole = std::get_if<std::int64_t>(&number)) return out = *whole, Got::value;
    const double real = std::get<double>(number);
    if (!is_whole(real)) return Got::wrong;
    return out = static_cast<std::int64_t>(real), Got::value;
  }

  Got get(Item& item, double& out) {
    double real = 0;
    if (!to_real(item, real)) return otherwise(item);
    if (!std::isfinite(real)) return Got::absent;
    return out = real, Got::value;
  }

  Got get(Item& item, Number& out) {
    double real = 0;
    if (to_int64(item, out)) return Got::value;
    if (!to_real(item, real)) return otherwise(item);
    if (!std::isfinite(real)) return Got::absent;
    return out = real, Got::value;
  }

  Got get(Item& item, Value& out) {
    double real = 0;
    if (to_int64(item, out)) return Got::value;
    if (to_real(item, real)) return out = real, Got::value;
    if (item.kind == Kind::text) return out = in_.text(item), Got::value;
    if (item.kind == Kind::boolean) return out = item.bits != 0, Got::value;
    return otherwise(item);
  }

  Got get(Item& item, Text& out) {
    if (item.kind != Kind::text) return otherwise(item);
    return out = in_.text(item), Got::value;
  }

  Got get(Item& item, JobId& out) {
    if (item.kind == Kind::null) return Got::absent;
    return in_.job(item, out) ? Got::value : wrong(item);
  }

  // A row that is refused after its path takes the names back: rows in schema.hpp.
  Got get(Item& item, Path& out) {
    out.first = static_cast<std::uint32_t>(report_.names.size());
    const Got got = get(item, report_.names);
    out.size = static_cast<std::uint32_t>(report_.names.size()) - out.first;
    return got;
  }

  template <class Word>
  Got get_word(Item& item, Word& out) {
    Text text;
    const Got got = get(item, text);
    if (got != Got::value || parse_word(text, out)) return got;
    ++report_.unknown_keys;
    return Got::absent;
  }
  Got get(Item& item, StageKind& out) { return get_word(item, out); }
  Got get(Item& item, BarState& out) { return get_word(item, out); }
  Got get(Item& item, LogLevel& out) { return get_word(item, out); }
  Got get(Item& item, FinishState& out) { return get_word(item, out); }

  template <class T>
  Got get(Item& item, std::optional<T>& out) {
    T value{};
    const Got got = get(item, value);
    if (got == Got::value) out = std::move(value);
    return got;
  }

  // Elements are never null.
  template <class T>
  Got get(Item& list, std::vector<T>& out) {
    if (list.kind != Kind::array) return otherwise(list);
    Got all = Got::value;
    while (in_.more(list)) {
      Item item = in_.take();
      if (get(item, out.emplace_back()) != Got::value) all = Got::wrong;
    }
    return all;
  }

  Got get(Item& map, std::vector<std::pair<Text, Text>>& out) {
    if (map.kind != Kind::map) return otherwise(map);
    Got all = Got::value;
    while (in_.more(map)) {
      auto& [name, value] = out.emplace_back();
      Item key = in_.take_key();
      if (get(key, name) != Got::value) all = Got::wrong;
      Item item = in_.take();
      if (get(item, value) != Got::value) all = Got::wrong;
    }
    return all;
  }

  Reader& in_;
  Report& report_;

 private:
  // Whole numbers up to 2^53 also count when written as floats: some senders have no integers.
  static bool is_whole(double real) { return std::abs(real) <= 9007199254740992.0 && real == std::floor(real); }

  template <class Variant>
  static bool to_int64(const Item& item, Variant& out) {
    constexpr auto max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (item.bits > max) return false;
    const auto bits = static_cast<std::int64_t>(item.bits);
    if (item.kind == Kind::whole) return out = bits, true;
    if (item.kind == Kind::negative) return out = -1 - bits, true;
    return false;
  }

  static bool to_real(Item& item, double& out) {
    Reader::as_number(item);
    switch (item.kind) {
      case Kind::real: return out = item.real, true;
      case Kind::whole: return out = static_cast<double>(item.bits), true;
      case Kind::negative: return out = -1 - static_cast<double>(item.bits), true;
      default: return false;
    }
  }
};

}  // namespace macaw::wire
