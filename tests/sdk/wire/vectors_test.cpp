// SPDX-License-Identifier: MIT
// The golden vectors, both ways: their JSON encodes to their bytes, their bytes decode to the same.
#include <doctest/doctest.h>

#include <set>

#include "tests/sdk/wire/support.hpp"

namespace macaw::wire {
namespace {

namespace fs = std::filesystem;

struct Vector {
  std::string name, json, bytes;
};

std::vector<Vector> vectors_in(const fs::path& folder) {
  std::vector<Vector> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    fs::path hex = entry.path();
    hex.replace_extension(".hex");
    found.push_back({entry.path().stem().string(), read_file(entry.path()), from_hex(read_file(hex))});
  }
  return found;
}

template <class Value>
std::string recoded(const std::string& bytes) {
  Value value;
  const Decoded decoded = decode(bytes, value);
  CHECK_MESSAGE(decoded == Decoded::ok, refusal_name(decoded));
  return encoded(value);
}

TEST_CASE("a vector's meaning encodes to its bytes, and its bytes decode to its meaning") {
  const std::vector<Vector> all = vectors_in(vectors());
  CHECK(all.size() >= 15);
  for (const Vector& vector : all) {
    CAPTURE(vector.name);
    const auto recode = vector.name.rfind("answer", 0) == 0 ? recoded<Answer> : recoded<Report>;
    CHECK(recode(vector.json) == vector.bytes);
    CHECK(recode(vector.bytes) == vector.bytes);
  }
}

TEST_CASE("other well-formed encodings are read") {
  const std::vector<Vector> all = vectors_in(vectors() / "reads");
  CHECK(all.size() >= 7);
  for (const Vector& vector : all) {
    CAPTURE(vector.name);
    CHECK(recoded<Report>(vector.bytes) == recoded<Report>(vector.json));
  }
}

TEST_CASE("what was passed over is counted") {
  Report report;
  const auto read = [&report](const char* name) {
    static std::string bytes;
    bytes = from_hex(read_file(vectors() / "reads" / name));
    return decode(bytes, report) == Decoded::ok;
  };
  CHECK(read("refused-rows.hex"));
  CHECK(report.refused_rows == 5);
  CHECK(report.unknown_keys == 0);
  CHECK(read("unknown-keys.hex"));
  CHECK(report.unknown_keys == 4);
  CHECK(report.refused_rows == 0);
}

TEST_CASE("each refusal has its reason") {
  std::set<std::string> reasons;
  for (const auto& entry : fs::recursive_directory_iterator(vectors() / "refused")) {
    if (!entry.is_regular_file()) continue;
    const std::string reason = entry.path().parent_path().filename().string();
    CAPTURE(entry.path().string());
    Report report;
    CHECK(refusal_name(decode(from_hex(read_file(entry.path())), report)) == reason);
    reasons.insert(reason);
  }
  CHECK(reasons.size() == 8);
}

}  // namespace
}  // namespace macaw::wire
