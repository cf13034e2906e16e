// SPDX-License-Identifier: MIT
// Bytes to values. Never throws on any input, allocates only inside the Report's own vectors. Thread-safe: no state.
#pragma once

#include "sdk/src/wire/report.hpp"

namespace macaw::wire {

// Why a datagram was refused; `ok` is a readable report. Names for counters and messages: refusal_name().
enum class Decoded : std::uint8_t {
  ok,
  empty,
  unknown_encoding,  // first byte is none of ours
  malformed,         // not well-formed CBOR or JSON, or cut
  wrong_version,     // `v` is not 1
  missing_key,       // no `v`, `job` or `seq`
  wrong_type,        // `v`, `job`, `seq`, `up`, `t` or `next` of a wrong type, or a `seq` of 0
  too_deep,          // nested beyond what the schema needs
  sealed,            // encrypted, and this receiver cannot open it
  no_memory,         // this process has none left
};

// What the report holds after a refusal has no meaning.
Decoded decode(const std::uint8_t* data, std::size_t size, Report& report) noexcept;
Decoded decode_answer(const std::uint8_t* data, std::size_t size, Answer& answer) noexcept;
const char* refusal_name(Decoded) noexcept;

// Bytes of the first item of a CBOR sequence (RFC 8742); 0 when it is cut or malformed.
std::size_t first_item(const std::uint8_t* data, std::size_t size) noexcept;

}  // namespace macaw::wire
