// SPDX-License-Identifier: MIT
// Seals: the vectors, which an independent library made, in both directions; and that nothing else opens.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "sdk/src/report/sodium.hpp"

namespace macaw::report {
namespace {

// "name": "value" of the small flat objects in tests/vectors/sealed.
struct Vector {
  std::string json;
  explicit Vector(const std::string& name) {
    std::ifstream file(std::string(std::getenv("MACAW_SOURCE_DIR")) + "/tests/vectors/sealed/" + name + ".json");
    std::stringstream text;
    text << file.rdbuf();
    json = text.str();
  }
  std::string text(const std::string& key) const {
    const std::size_t at = json.find('"', json.find("\"" + key + "\":") + key.size() + 3) + 1;
    return json.substr(at, json.find('"', at) - at);
  }
  std::string bytes(const std::string& key) const {
    const std::string hex = text(key);
    std::string out;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
      out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return out;
  }
  wire::JobId job() const {
    wire::JobId id{};
    const std::string raw = bytes("job");
    std::copy(raw.begin(), raw.end(), id.begin());
    return id;
  }
};

wire::Envelope envelope(const std::string& sealed) {
  wire::Envelope result;
  CHECK(wire::read_envelope(reinterpret_cast<const std::uint8_t*>(sealed.data()), sealed.size(), result));
  return result;
}

}  // namespace

TEST_CASE("what others sealed opens, and what is sealed here is what others make of it") {
  const wire::Sodium* sodium = load_sodium();
  REQUIRE(sodium);
  for (const char* name : {"report", "answer"}) {
    const Vector vector(name);
    const wire::Sealer sealer(*sodium, vector.text("key"), vector.job(), vector.text("direction"));
    const std::string sealed = vector.bytes("sealed");
    std::string text;
    CHECK(sealer.open(envelope(sealed), text));
    CHECK(text == vector.bytes("text"));
  }
  const Vector report("report");
  std::string sealed;
  wire::Sealer(*sodium, report.text("key"), report.job(), wire::report_seal).seal(1, report.bytes("text"), sealed);
  CHECK(sealed == report.bytes("sealed"));
  CHECK(sealed.size() <= report.bytes("text").size() + wire::Sealer::overhead);
}

TEST_CASE("another key, job, direction or number does not open a seal, nor does a changed one") {
  const wire::Sodium* sodium = load_sodium();
  REQUIRE(sodium);
  const Vector vector("report");
  const std::string sealed = vector.bytes("sealed"), key = vector.text("key");
  const wire::JobId job = vector.job();
  wire::JobId other = job;
  other[0] ^= 1;
  std::string text;
  CHECK_FALSE(wire::Sealer(*sodium, key + "x", job, wire::report_seal).open(envelope(sealed), text));
  CHECK_FALSE(wire::Sealer(*sodium, key, other, wire::report_seal).open(envelope(sealed), text));
  CHECK_FALSE(wire::Sealer(*sodium, key, job, wire::answer_seal).open(envelope(sealed), text));
  const wire::Sealer sealer(*sodium, key, job, wire::report_seal);
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    wire::Envelope cut;
    const bool readable =
        wire::read_envelope(reinterpret_cast<const std::uint8_t*>(changed.data()), changed.size(), cut);
    CHECK_FALSE((readable && sealer.open(cut, text)));
  }
  for (std::size_t size = 0; size < sealed.size(); ++size) {
    wire::Envelope cut;
    CHECK_FALSE(wire::read_envelope(reinterpret_cast<const std::uint8_t*>(sealed.data()), size, cut));
  }
}

TEST_CASE("answers never share their random part") {
  const wire::Sodium* sodium = load_sodium();
  REQUIRE(sodium);
  const wire::Sealer sealer(*sodium, "a key of some length", {}, wire::answer_seal);
  std::string one, two;
  sealer.seal_at_random("text", one);
  sealer.seal_at_random("text", two);
  CHECK(one != two);
}

}  // namespace macaw::report
