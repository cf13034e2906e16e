// SPDX-License-Identifier: MIT
// Big-endian loads and stores at any address; compilers make one or two instructions of each. Pure functions.
#pragma once

#include <cstdint>
#include <cstring>

namespace macaw::wire {

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
inline std::uint64_t big_endian(std::uint64_t v) noexcept { return v; }
inline std::uint32_t big_endian(std::uint32_t v) noexcept { return v; }
inline std::uint16_t big_endian(std::uint16_t v) noexcept { return v; }
#else
inline std::uint64_t big_endian(std::uint64_t v) noexcept { return __builtin_bswap64(v); }
inline std::uint32_t big_endian(std::uint32_t v) noexcept { return __builtin_bswap32(v); }
inline std::uint16_t big_endian(std::uint16_t v) noexcept { return __builtin_bswap16(v); }
#endif

template <class Integer>
Integer load_big(const void* from) noexcept {
  Integer v;
  std::memcpy(&v, from, sizeof v);
  return big_endian(v);
}

template <class Integer>
void store_big(void* to, Integer v) noexcept {
  v = big_endian(v);
  std::memcpy(to, &v, sizeof v);
}

}  // namespace macaw::wire
