// SPDX-License-Identifier: MIT
// Bytes that nobody meant well with: whatever comes, decoding ends with a verdict, in bounded time and memory.
#include <doctest/doctest.h>

#include <random>

#include "tests/sdk/wire/support.hpp"

namespace macaw::wire {
namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(vectors())) {
    if (entry.path().extension() == ".hex") all.push_back(from_hex(read_file(entry.path())));
    if (entry.path().extension() == ".json") all.push_back(read_file(entry.path()));
  }
  return all;
}

// Copies to memory of its exact size, so that a sanitizer sees a read beyond it.
Decoded decode_exact(std::string_view bytes, Report& report) {
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  return decode(exact.data(), exact.size(), report);
}

TEST_CASE("a cut report is malformed wherever it is cut") {
  Report report;
  for (const char* name : {"hello", "usage", "bars", "stages", "metrics", "logs", "mixed", "many-rows",
                           "reads/indefinite", "reads/wide", "reads/tags"}) {
    CAPTURE(name);
    const std::string bytes = from_hex(read_file(vectors() / (std::string(name) + ".hex")));
    for (std::size_t size = 1; size < bytes.size(); ++size) {
      CHECK(decode_exact(bytes.substr(0, size), report) == Decoded::malformed);
    }
    std::string json = read_file(vectors() / (std::string(name) + ".json"));
    json.erase(json.find_last_of('}') + 1);
    for (std::size_t size = 1; size < json.size(); ++size) {
      CHECK(decode_exact(json.substr(0, size), report) == Decoded::malformed);
    }
  }
}

TEST_CASE("mutated reports get a verdict") {
  const std::vector<std::string> all = seeds();
  std::mt19937 random(20251201);
  Report report;
  Answer answer;
  std::size_t still_read = 0;
  for (int i = 0; i < 60'000; ++i) {
    std::string bytes = all[random() % all.size()];
    for (unsigned flips = 1 + random() % 4; flips != 0 && !bytes.empty(); --flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    still_read += decode_exact(bytes, report) == Decoded::ok;
    decode(bytes, answer);
  }
  CHECK(still_read > 1000);
}

TEST_CASE("random bytes behind a good first byte get a verdict") {
  std::mt19937 random(7);
  Report report;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(1 + random() % 64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    bytes[0] = static_cast<char>(random() % 2 ? 0xA0 + random() % 32 : '{');
    CHECK(decode_exact(bytes, report) != Decoded::empty);
  }
}

TEST_CASE("the largest datagram is read") {
  constexpr std::size_t largest = 65507;
  std::string rows = from_hex("64 62617273 9f");
  while (cbor_report().size() + rows.size() + 6 < largest) rows += from_hex("a1 62 6964 07");
  rows += '\xff';
  const std::string bytes = cbor_report(1, rows);
  REQUIRE(bytes.size() <= largest);
  Report report;
  CHECK(decode_exact(bytes, report) == Decoded::ok);
  CHECK(report.bars.size() > 13'000);
  CHECK(decode_exact(std::string(largest, '\0'), report) == Decoded::unknown_encoding);
  CHECK(decode_exact(std::string(largest, '\xbf'), report) == Decoded::too_deep);
  CHECK(decode_exact(std::string(largest, '{'), report) == Decoded::malformed);
}

TEST_CASE("nesting ends at its limit, not at the stack's") {
  Report report;
  const std::string key = from_hex("61 78");
  for (const char* opener : {"81", "9f", "a1 01", "bf 01", "a1", "bf"}) {
    CAPTURE(opener);
    std::string deep;
    while (deep.size() < 60'000) deep += from_hex(opener);
    CHECK(decode_exact(cbor_report(1, key + deep), report) == Decoded::too_deep);
    CHECK(decode_exact(cbor_report(1, deep), report) == Decoded::too_deep);
  }
  CHECK(decode_exact(json_report("\"x\":" + std::string(60'000, '[')), report) == Decoded::too_deep);
  CHECK(decode_exact(json_report("\"bars\":[{\"id\":" + std::string(60'000, '[')), report) == Decoded::too_deep);
  CHECK(decode_exact(json_report("\"x\":" + std::string(16, '[') + std::string(16, ']')), report) == Decoded::ok);
  CHECK(decode_exact(json_report("\"x\":" + std::string(17, '[') + std::string(17, ']')), report) == Decoded::too_deep);
  // Tags do not nest for us, however many there are.
  CHECK(decode_exact(cbor_report(1, key + std::string(60'000, '\xc1') + '\x01'), report) == Decoded::ok);
}

TEST_CASE("a claimed length is not believed") {
  Report report;
  for (const char* claim :
       {"64 62617273 9b 00000000ffffffff", "64 62617273 81 bb 7fffffffffffffff", "64 62617273 9b ffffffffffffffff ff",
        "66 737461676573 81 a1 64 70617468 9b ffffffffffffffff", "65 68656c6c6f a1 64 6e616d65 7b ffffffffffffffff",
        "65 68656c6c6f a1 64 74616773 bb ffffffffffffffff", "61 78 5a ffffffff"}) {
    CAPTURE(claim);
    CHECK(decode_exact(cbor_report(1, from_hex(claim)), report) == Decoded::malformed);
  }
}

TEST_CASE("many chunks, escapes and broken characters stay within a small multiple of the datagram") {
  Report report;
  std::string chunks = from_hex("65 68656c6c6f a1 64 6e616d65 7f");
  while (chunks.size() < 60'000) chunks += from_hex("61 61");
  CHECK(decode_exact(cbor_report(1, chunks + '\xff'), report) == Decoded::ok);
  CHECK(report.hello->name.size() > 29'000);

  std::string escapes = "\"hello\":{\"name\":\"";
  while (escapes.size() < 60'000) escapes += "\\ud83d";
  const std::string json = json_report(escapes + "\"}");
  REQUIRE(decode_exact(json, report) == Decoded::ok);
  CHECK(report.hello->name.size() < 3 * 60'000);
  CHECK(report.hello->name.substr(0, 6) == "\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace macaw::wire
