// SPDX-License-Identifier: MIT
// The public interface changes no loop: built once over the SDK, and once with MACAW_OFF and no library at all.
#include <macaw/macaw.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <forward_list>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Before anything starts a job: this one reports to nobody.
const bool quiet = setenv("MACAW_URL", "udp://127.0.0.1:9", 1) == 0 && setenv("MACAW_CONSOLE", "off", 1) == 0;

}  // namespace

TEST_CASE("a tracked loop sees its elements themselves, in order") {
  REQUIRE(quiet);
  std::vector<int> items{1, 2, 3};
  for (int& item : macaw::track(items, "mutable")) item *= 2;
  CHECK(items == std::vector<int>{2, 4, 6});
  const std::vector<int> constant{1, 2};
  int sum = 0;
  for (const int& item : macaw::track(constant)) sum += item;
  CHECK(sum == 3);
}

TEST_CASE("a temporary lives as long as its loop; ranges without a size are as good; nothing is copied") {
  std::string text;
  for (const auto& word : macaw::track(std::vector<std::string>{"a", "b"}, "temporary")) text += word;
  CHECK(text == "ab");
  std::forward_list<std::unique_ptr<int>> list;
  list.push_front(std::make_unique<int>(7));
  for (const auto& item : macaw::track(list, "unsized")) CHECK(*item == 7);
  for (const auto& [key, value] : macaw::track(std::map<int, int>{{1, 2}}, "map")) CHECK(key + 1 == value);
  int array[] = {1, 2, 3}, sum = 0;
  for (const int item : macaw::track(array, "array")) sum += item;
  CHECK(sum == 6);
  for (const int item : macaw::track(std::vector<int>{}, "empty")) FAIL(item);
}

TEST_CASE("exceptions and breaks leave as they would") {
  std::vector<int> items{1, 2, 3};
  int seen = 0;
  const auto run = [&] {
    for (const int item : macaw::track(items, "throws")) {
      MACAW_STAGE("stage");
      seen += item;
      if (item == 2) throw std::runtime_error("as thrown");
    }
  };
  CHECK_THROWS_WITH(run(), "as thrown");
  CHECK(seen == 3);
}

TEST_CASE("everything takes every value") {
  macaw::Bar bar{"copy", 0, "B"};
  bar += -5;
  ++bar;
  bar.set(INT64_MAX);
  bar.set_total(std::nullopt);
  bar.close();
  bar.close();
  bar += 1;
  macaw::Stage stage{std::string(20'000, 's')};
  stage.note("\x97");
  macaw::log::info("{} {}", 1);
  macaw::log::error(std::string(1 << 21, 'x'));
  macaw::metric("nan", 0.0 / 0.0, 1.5);
  macaw::metric(std::string(20'000, 'm'), "text");
  macaw::metric("unsigned", 18446744073709551615ull);
  macaw::finish();
  macaw::finish();
  macaw::log::info("after the end");
}
