// SPDX-License-Identifier: MIT
// The rare floats that have a shorter form.
#include "sdk/src/wire/cbor_writer.hpp"

#include <cmath>

namespace macaw::wire {
bool to_half(float value, std::uint16_t& half) noexcept {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = bits >> 16 & 0x8000, exponent = bits >> 23 & 255, mantissa = bits & 0x7FFFFF;
  std::uint32_t result = sign;
  if (exponent == 255) {
    result = mantissa != 0 ? 0x7E00 : sign | 0x7C00;  // one NaN for all
  } else if (exponent >= 113 && exponent <= 142) {
    if (mantissa & 0x1FFF) return false;
    result |= (exponent - 112) << 10 | mantissa >> 13;
  } else {  // zero, or below the normal halves: a multiple of 2^-24 under 2^-14, or none
    const float steps = std::fabs(value) * 16777216.0f;
    if (steps >= 1024.0f || steps != std::floor(steps)) return false;
    result |= static_cast<std::uint32_t>(steps);
  }
  half = static_cast<std::uint16_t>(result);
  return true;
}

}  // namespace macaw::wire
