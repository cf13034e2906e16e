// SPDX-License-Identifier: MIT
// What the wire tests share: bytes from hex and files, and reports as their canonical bytes, which is how two reports
// are compared.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "sdk/src/wire/decode.hpp"
#include "sdk/src/wire/encode.hpp"

namespace macaw::wire {

inline const std::uint8_t* raw(std::string_view bytes) { return reinterpret_cast<const std::uint8_t*>(bytes.data()); }

inline Decoded decode(std::string_view bytes, Report& report) { return decode(raw(bytes), bytes.size(), report); }
inline Decoded decode(std::string_view bytes, Answer& answer) {
  return decode_answer(raw(bytes), bytes.size(), answer);
}

inline std::string from_hex(std::string_view hex) {
  std::string digits, bytes;
  for (const char c : hex) {
    if (c > ' ') digits += c;
  }
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::strtol(digits.substr(i, 2).c_str(), nullptr, 16));
  }
  return bytes;
}

template <class ReportOrAnswer>
std::string encoded(const ReportOrAnswer& value) {
  std::string bytes;
  encode(value, bytes);
  return bytes;
}

// A report with the least that decodes; `more` holds further entries in JSON, such as R"("bars":[])".
inline std::string json_report(std::string_view more = "") {
  std::string text = R"({"v":1,"job":"a3f2c1d0-5b7e-4c19-8f02-9d3e61b7a045","seq":5)";
  if (!more.empty()) text.append(",").append(more);
  return text + "}";
}

// The same in CBOR: `entries` further ones, encoded as `more`.
inline std::string cbor_report(unsigned entries = 0, std::string_view more = "") {
  std::string bytes = from_hex("a3 61 76 01 63 6a6f62 50 a3f2c1d05b7e4c198f029d3e61b7a045 63 736571 05");
  bytes[0] = static_cast<char>(0xA3 + entries);
  return bytes.append(more);
}

inline std::filesystem::path vectors() {
  const char* source = std::getenv("MACAW_SOURCE_DIR");
  return std::filesystem::path(source ? source : ".") / "tests" / "vectors";
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace macaw::wire
