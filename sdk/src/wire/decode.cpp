// SPDX-License-Identifier: MIT
// Picks the reader by the first byte and lets the schema pull from it.
#include "sdk/src/wire/decode.hpp"

#include <new>

#include "sdk/src/wire/cbor_reader.hpp"
#include "sdk/src/wire/json_reader.hpp"
#include "sdk/src/wire/schema.hpp"

namespace macaw::wire {
namespace {

enum class Encoding : std::uint8_t { none, cbor, json, sealed };

Encoding encoding_of(std::uint8_t first) {
  if (first >= 0xA0 && first <= 0xBF) return Encoding::cbor;
  if (first == '{') return Encoding::json;
  return first == 0xD0 ? Encoding::sealed : Encoding::none;
}

// Calls read(reader) with the reader for these bytes.
template <class Read>
Decoded with_reader(const std::uint8_t* data, std::size_t size, std::deque<std::string>& storage, Read read) {
  switch (encoding_of(data[0])) {
    case Encoding::cbor: {
      CborReader in(data, size, storage);
      return read(in);
    }
    case Encoding::json: {
      JsonReader in(data, size, storage);
      return read(in);
    }
    case Encoding::sealed: return Decoded::sealed;
    case Encoding::none: break;
  }
  return Decoded::unknown_encoding;
}

}  // namespace

Decoded decode(const std::uint8_t* data, std::size_t size, Report& report) noexcept try {
  report.clear();
  if (size == 0) return Decoded::empty;
  return with_reader(data, size, report.storage,
                     [&report](auto& in) { return Schema<std::decay_t<decltype(in)>>(in, report).read_report(); });
} catch (const std::bad_alloc&) {
  return Decoded::no_memory;
}

Decoded decode_answer(const std::uint8_t* data, std::size_t size, Answer& answer) noexcept try {
  answer = {};
  if (size == 0) return Decoded::empty;
  Report scratch;  // takes the counts and the odd unescaped key
  return with_reader(data, size, scratch.storage,
                     [&](auto& in) { return Schema<std::decay_t<decltype(in)>>(in, scratch).read_answer(answer); });
} catch (const std::bad_alloc&) {
  return Decoded::no_memory;
}

std::size_t first_item(const std::uint8_t* data, std::size_t size) noexcept try {
  std::deque<std::string> storage;
  CborReader in(data, size, storage);
  skip(in, in.take());
  return in.ok() ? size - in.left() : 0;
} catch (const std::bad_alloc&) {
  return 0;
}

const char* refusal_name(Decoded decoded) noexcept {
  switch (decoded) {
    case Decoded::ok: return "ok";
    case Decoded::empty: return "empty";
    case Decoded::unknown_encoding: return "unknown_encoding";
    case Decoded::malformed: return "malformed";
    case Decoded::wrong_version: return "wrong_version";
    case Decoded::missing_key: return "missing_key";
    case Decoded::wrong_type: return "wrong_type";
    case Decoded::too_deep: return "too_deep";
    case Decoded::sealed: return "sealed";
    case Decoded::no_memory: return "no_memory";
  }
  return "malformed";
}

}  // namespace macaw::wire
