// SPDX-License-Identifier: MIT
// Ticks are time, whichever clock counts them: this program runs once as the machine likes it and once with
// MACAW_CLOCK=monotonic.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "sdk/src/record/clock.hpp"

namespace macaw::record {

TEST_CASE("the counter is used where it is invariant, the kernel uses it too, and nobody wants otherwise") {
  CHECK(may_count_tsc(true, "tsc\n", ""));
  CHECK(may_count_tsc(true, "kvm-clock\n", "tsc"));
  CHECK_FALSE(may_count_tsc(false, "tsc\n", ""));
  CHECK_FALSE(may_count_tsc(true, "hpet\n", ""));
  CHECK_FALSE(may_count_tsc(true, "acpi_pm\n", ""));
  CHECK_FALSE(may_count_tsc(true, "", ""));
  CHECK_FALSE(may_count_tsc(true, "tsc\n", "monotonic"));
}

TEST_CASE("a wish for the kernel's clock is met") {
  const char* wish = std::getenv("MACAW_CLOCK");
  MESSAGE("ticks are ", std::string(ticks_are_tsc ? "the time stamp counter's" : "nanoseconds of CLOCK_MONOTONIC"));
  if (wish && std::string(wish) == "monotonic") {
    CHECK_FALSE(ticks_are_tsc);
    CHECK(seconds_per_tick() == 1e-9);
  }
}

TEST_CASE("ticks never go back, and measure what the kernel's clock measures") {
  const std::uint64_t start_ns = monotonic_ns(), start = ticks();
  std::uint64_t last = start, back = 0, now_ns = start_ns;
  while (now_ns - start_ns < 30'000'000) {
    const std::uint64_t now = ticks();
    back += now < last;
    last = now;
    now_ns = monotonic_ns();
  }
  CHECK(back == 0);
  const double seconds = static_cast<double>(ticks() - start) * seconds_per_tick();
  const double expected = static_cast<double>(monotonic_ns() - start_ns) * 1e-9;
  CHECK(seconds == doctest::Approx(expected).epsilon(0.02));
}

TEST_CASE("clocks of two processors that disagree make no negative time") {
  CHECK(ticks_between(100, 90) == 0);
  CHECK(ticks_between(90, 100) == 10);
}

}  // namespace macaw::record
