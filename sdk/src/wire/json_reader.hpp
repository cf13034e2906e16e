// SPDX-License-Identifier: MIT
// Reads JSON (RFC 8259, strictly) item by item for the schema, for senders such as shells that have no CBOR. Job ids
// are UUID text here, and "nan", "inf" and "-inf" stand for the numbers that JSON lacks. Nothing is built: the schema
// pulls. One object, one thread, one datagram.
#pragma once

#include "sdk/src/wire/item.hpp"

namespace macaw::wire {

class JsonReader {
 public:
  JsonReader(const std::uint8_t* data, std::size_t size, std::deque<std::string>& storage)
      : p_(reinterpret_cast<const char*>(data)), end_(p_ + size), storage_(storage) {}

  Item take();
  Item take_key();
  std::uint64_t take_key_code();
  bool more(Item& container);
  Text text(const Item& item);
  bool job(const Item& item, JobId& id);
  static void as_number(Item& item);
  void fail(Decoded why);
  Decoded end();

 private:
  Item malformed();
  void skip_space();
  bool accept(char c);
  bool take_digits();
  Item take_word();
  Item take_number();
  Item take_string();

  const char* p_;
  const char* end_;
  std::deque<std::string>& storage_;
  Decoded failure_ = Decoded::ok;
};

}  // namespace macaw::wire
