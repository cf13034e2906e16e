// SPDX-License-Identifier: MIT
// The ring of log lines and points: everything arrives in order, and what finds no room is refused, never mangled.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <thread>

#include "sdk/src/record/thread_record.hpp"

namespace macaw::record {

TEST_CASE("records of any size go round many times, whole and in order") {
  Ring ring;
  constexpr int count = 20'000;
  const auto size_of = [](int i) { return static_cast<std::uint32_t>((i * 7919) % 4000); };
  const std::string body(4000, 'b');
  std::thread writer([&] {
    for (int i = 0; i < count;) i += ring.push(&i, sizeof i, body.data(), size_of(i)) ? 1 : 0;
  });
  int next = 0;
  while (next < count) {
    ring.drain([&](const char* data, std::uint32_t size) {
      int i = 0;
      std::memcpy(&i, data, sizeof i);
      REQUIRE(i == next);
      REQUIRE(std::string_view(data + sizeof i, size - sizeof i) == std::string_view(body).substr(0, size_of(i)));
      ++next;
    });
  }
  writer.join();
}

TEST_CASE("a full ring refuses, and has room again once it was read") {
  Ring ring;
  const std::string body(10'000, 'x');
  int kept = 0;
  while (ring.push("h", 1, body.data(), 10'000)) ++kept;
  CHECK(kept >= 100);
  CHECK(ring.half_full());
  int read = 0;
  ring.drain([&](const char*, std::uint32_t) { ++read; });
  CHECK(read == kept);
  CHECK_FALSE(ring.half_full());
  CHECK(ring.push("h", 1, body.data(), 10'000));
}

TEST_CASE("a thread that logs faster than anybody reads loses the newest, and knows how many") {
  std::thread([] {
    ThreadRecord& thread = ThreadRecord::mine();
    const std::string line(1000, 'l');
    std::uint64_t kept = 0;
    for (int i = 0; i < 3000; ++i) kept += thread.log(LogLevel::info, line);
    CHECK(kept < 3000);
    while (thread.metric("loss", 0.5, std::nullopt)) {
    }
    CHECK(thread.take_dropped_logs() == 3000 - kept);
    CHECK(thread.take_dropped_logs() == 0);
    CHECK(thread.take_dropped_metrics() == 1);
    std::uint64_t read = 0;
    thread.events().drain([&](const char*, std::uint32_t) { ++read; });
    CHECK(read >= kept);
  }).join();
}

}  // namespace macaw::record
