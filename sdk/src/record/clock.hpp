// SPDX-License-Identifier: MIT
// The clock of the hot path: raw ticks, turned into seconds by whoever reads them later. Ticks are the processor's time
// stamp counter where it is invariant and the kernel itself trusts it, else (and with MACAW_CLOCK=monotonic in the
// environment) CLOCK_MONOTONIC's nanoseconds.
// ticks() is thread-safe and async-signal-safe. seconds_per_tick() compares both clocks since the start, so it gets
// better the longer the process runs: 1e-5 after 10 ms.
#pragma once

#include <time.h>

#include <cstdint>
#include <string_view>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace macaw::record {

extern const bool ticks_are_tsc;
// Whether to: `kernel` is the name of its clock source, `wanted` the user's wish.
bool may_count_tsc(bool invariant, std::string_view kernel, std::string_view wanted) noexcept;

inline std::uint64_t monotonic_ns() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  if (__builtin_expect(ticks_are_tsc, 1)) return __rdtsc();
#endif
  return monotonic_ns();
}

double seconds_per_tick() noexcept;

// The time from `start` to `end` in ticks; 0 where clocks of two processors disagree by a little.
inline std::uint64_t ticks_between(std::uint64_t start, std::uint64_t end) noexcept {
  return end > start ? end - start : 0;
}

}  // namespace macaw::record
