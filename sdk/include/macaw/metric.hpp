// SPDX-License-Identifier: MIT
// Metric points: a name, a number, a bool or a text, and the step it belongs to. Thread-safe, no system call.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace macaw {

#ifndef MACAW_OFF
namespace detail {
void metric(std::string_view name, double value, std::optional<double> step) noexcept;
void metric(std::string_view name, std::int64_t value, std::optional<double> step) noexcept;
void metric(std::string_view name, bool value, std::optional<double> step) noexcept;
void metric(std::string_view name, std::string_view value, std::optional<double> step) noexcept;
}  // namespace detail

template <class T>
void metric(std::string_view name, const T& value, std::optional<double> step = {}) noexcept {
  if constexpr (std::is_same_v<T, bool>)
    detail::metric(name, value, step);
  else if constexpr (std::is_integral_v<T>) {
    if (value > T{} && static_cast<std::uint64_t>(value) > static_cast<std::uint64_t>(INT64_MAX)) {
      detail::metric(name, static_cast<double>(value), step);
    } else {
      detail::metric(name, static_cast<std::int64_t>(value), step);
    }
  } else if constexpr (std::is_floating_point_v<T>)
    detail::metric(name, static_cast<double>(value), step);
  else
    detail::metric(name, std::string_view(value), step);
}
#else
template <class T>
void metric(std::string_view, const T&, std::optional<double> = {}) noexcept {}
#endif

}  // namespace macaw
