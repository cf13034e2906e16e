// SPDX-License-Identifier: MIT
// Where settings come from, and what wrong ones do: a line to read, and the default.
#include <doctest/doctest.h>

#include <map>

#include "sdk/src/report/settings.hpp"

namespace macaw::report {
namespace {

using Variables = std::map<std::string, std::string>;

Settings read(const Variables& variables, const Wishes& wishes = {}, const std::string& config = "") {
  return read_settings(
      wishes,
      [&](const char* name) {
        const auto at = variables.find(name);
        return at == variables.end() ? std::nullopt : std::optional<std::string>(at->second);
      },
      config);
}

std::string targets(const Settings& settings) {
  std::string out;
  for (const Target& target : settings.targets) out += target.host + " " + target.port + ";";
  return out;
}

}  // namespace

TEST_CASE("defaults") {
  const Settings s = read({});
  CHECK(targets(s) == "localhost 6229;");
  CHECK(s.interval == 0.1);
  CHECK(s.mtu == 1200);
  CHECK_FALSE(s.disabled);
  CHECK(s.warnings.empty());
}

TEST_CASE("addresses") {
  CHECK(targets(read({{"MACAW_URL", "udp://box"}})) == "box 6229;");
  CHECK(targets(read({{"MACAW_URL", "udp://box:7000/"}})) == "box 7000;");
  CHECK(targets(read({{"MACAW_URL", "udp://[::1]:7000"}})) == "::1 7000;");
  CHECK(targets(read({{"MACAW_URL", "udp://[fe80::1]"}})) == "fe80::1 6229;");
  CHECK(targets(read({{"MACAW_URL", "udp://a:1, udp://b:2"}})) == "a 1;b 2;");
  CHECK(targets(read({{"MACAW_URL", ""}})) == "localhost 6229;");
}

TEST_CASE("addresses that cannot be meant give one line each and are left out") {
  for (const char* url : {"box", "udp://", "udp://box:0", "udp://box:99999", "udp://box:x", "udp://[::1",
                          "udp://[::1]x", "tcp://box", "http://box:6229", "udp://key@box"}) {
    const Settings s = read({{"MACAW_URL", url}});
    CHECK_MESSAGE(s.targets.empty(), url);
    CHECK_MESSAGE(s.warnings.size() == 1, url);
    CHECK_MESSAGE(s.warnings[0].find('\n') == std::string::npos, url);
    CHECK_MESSAGE(s.warnings[0].find("key@") == std::string::npos, url);  // a key is not for the screen
  }
  CHECK(targets(read({{"MACAW_URL", "bad,udp://good"}})) == "good 6229;");
}

TEST_CASE("arguments go before the environment, and that before the file") {
  const std::string config = "# mine\nurl = \"udp://file:1\"\nname=\"from file\"\n[other]\nconsole = 'x'\n";
  CHECK(targets(read({}, {}, config)) == "file 1;");
  CHECK(read({}, {}, config).name == "from file");
  CHECK(targets(read({{"MACAW_URL", "udp://env:1"}}, {}, config)) == "env 1;");
  Wishes wishes;
  wishes.url = "udp://wish:1";
  CHECK(targets(read({{"MACAW_URL", "udp://env:1"}}, wishes, config)) == "wish 1;");
}

TEST_CASE("wrong values give one line and their default") {
  const auto warned = [](const char* name, const char* value) {
    const Settings s = read({{name, value}});
    CHECK_MESSAGE(s.interval == 0.1, value);
    CHECK_MESSAGE(s.mtu == 1200, value);
    CHECK_MESSAGE((s.console == ConsoleMode::automatic), value);
    CHECK_MESSAGE(s.tags.empty(), value);
    return s.warnings.size() == 1;
  };
  for (const char* value : {"fast", "-1", "0", "1e9", "nan", "0.1s"})
    CHECK_MESSAGE(warned("MACAW_INTERVAL", value), value);
  for (const char* value : {"huge", "100", "70000", "nan"}) CHECK_MESSAGE(warned("MACAW_MTU", value), value);
  CHECK(warned("MACAW_CONSOLE", "loud"));
  CHECK(warned("MACAW_TAGS", "=x"));
}

TEST_CASE("right values") {
  const Settings s =
      read({{"MACAW_INTERVAL", "0.5"}, {"MACAW_MTU", "8000"}, {"MACAW_CONSOLE", "off"}, {"MACAW_TAGS", "a=1, b=x=y"}});
  CHECK(s.interval == 0.5);
  CHECK(s.mtu == 8000);
  CHECK((s.console == ConsoleMode::off));
  CHECK(s.tags == std::vector<std::pair<std::string, std::string>>{{"a", "1"}, {"b", "x=y"}});
  CHECK(s.warnings.empty());
  CHECK(read({{"MACAW_DISABLE", "1"}}).disabled);
  CHECK_FALSE(read({{"MACAW_DISABLE", "0"}}).disabled);
}

TEST_CASE("a key stands in the environment, in the address, or in the file") {
  const std::string key = "0123456789abcdef";
  CHECK(read({{"MACAW_KEY", key.c_str()}}).key == key);
  const Settings s = read({{"MACAW_URL", ("udp://" + key + "@box:7").c_str()}});
  CHECK(s.key == key);
  CHECK(targets(s) == "box 7;");
  CHECK(read({}, {}, "key = \"" + key + "\"\n").key == key);
  CHECK(read({}).key.empty());
}

TEST_CASE("a key that is none sends nothing rather than sending it open") {
  const Settings s = read({{"MACAW_KEY", "secret"}});
  CHECK(s.targets.empty());
  REQUIRE(s.warnings.size() == 1);
  CHECK(s.warnings[0].find("secret") == std::string::npos);
}

}  // namespace macaw::report
