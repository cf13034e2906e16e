// SPDX-License-Identifier: MIT
// What the two readers (cbor_reader.hpp, json_reader.hpp) hand to the schema: one data item at a time, a container only
// opened. The schema (schema.hpp) is written once against this vocabulary. Thread-safe: plain values.
//
// A reader R offers
//   Item take();                      the next item: scalars and strings whole, arrays and maps opened
//   Item take_key();                  the next key of an open map
//   std::uint64_t take_key_code();    the same as key_code(); 0 for what cannot be a key of ours
//   bool more(Item& container);       is there another element (or key)? false too once anything was malformed
//   Text text(const Item&);           the characters of a text item, joined, unescaped and valid UTF-8
//   bool job(const Item&, JobId&);    a job's identity in this encoding
//   static void as_number(Item&);     turns a text that stands for a number in this encoding into that number
//   void fail(Decoded), Decoded end() the first failure, which is final; end() also wants all bytes consumed
#pragma once

#include "sdk/src/wire/decode.hpp"

namespace macaw::wire {

enum class Kind : std::uint8_t { malformed, null, boolean, whole, negative, real, text, bytes, array, map, other };

struct Item {
  Kind kind = Kind::malformed;
  bool plain = true;       // text, bytes: `raw` is the content as it stands, without escapes or chunks
  std::uint64_t bits = 0;  // boolean; whole: the number; negative: -1 - the number; containers: the reader's own
  double real = 0;
  Text raw;

  bool is_container() const { return kind == Kind::array || kind == Kind::map; }
};

// Keys have at most 8 characters, so that one comparison of integers tells them apart.
constexpr std::uint64_t key_code(Text key) {
  if (key.size() > 8) return 0;
  std::uint64_t code = 0;
  for (const char c : key) code = code << 8 | static_cast<std::uint8_t>(c);
  return code;
}

// How deep a value may nest that is skipped because the schema does not know it.
inline constexpr unsigned max_skipped_depth = 16;

template <class Reader>
void skip(Reader& in, Item item, unsigned depth = 0) {
  if (!item.is_container()) return;
  if (depth == max_skipped_depth) return in.fail(Decoded::too_deep);
  while (in.more(item)) {
    if (item.kind == Kind::map) skip(in, in.take_key(), depth + 1);
    skip(in, in.take(), depth + 1);
  }
}

}  // namespace macaw::wire
