// SPDX-License-Identifier: MIT
#include "sdk/src/record/clock.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace macaw::record {
namespace {

// The kernel watches the counter against other clocks and turns away from it when it drifts; its choice is our check.
std::string kernel_clock() {
  char name[32] = {};
  if (FILE* file = std::fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re")) {
    if (!std::fgets(name, sizeof name, file)) name[0] = 0;
    std::fclose(file);
  }
  return name;
}

bool is_invariant() noexcept {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8));
#else
  return false;
#endif
}

const char* wish() {
  const char* value = std::getenv("MACAW_CLOCK");
  return value ? value : "";
}

}  // namespace

bool may_count_tsc(bool invariant, std::string_view kernel, std::string_view wanted) noexcept {
  const auto is = [&](std::string_view name) { return kernel.substr(0, name.size()) == name; };
  return invariant && wanted != "monotonic" && (is("tsc") || is("kvm-clock"));
}

const bool ticks_are_tsc = may_count_tsc(is_invariant(), kernel_clock(), wish());

namespace {
const std::uint64_t base_ns = monotonic_ns();
const std::uint64_t base_ticks = ticks();
}  // namespace

double seconds_per_tick() noexcept {
  if (!ticks_are_tsc) return 1e-9;
  const std::uint64_t ns = monotonic_ns() - base_ns;
  const std::uint64_t counted = ticks_between(base_ticks, ticks());
  return counted ? static_cast<double>(ns) * 1e-9 / static_cast<double>(counted) : 0;
}

}  // namespace macaw::record
