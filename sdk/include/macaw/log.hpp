// SPDX-License-Identifier: MIT
// Log lines of the job: shown live, printed on its console. Thread-safe, no system call on the caller's path; a line
// beyond 16 KiB is cut, lines beyond what the reporter can take are dropped, and both are counted and shown.
#pragma once

#include <sstream>
#include <string>
#include <string_view>

namespace macaw {

#ifndef MACAW_OFF
enum class Level { debug, info, warning, error, critical };
namespace detail {
void log(Level level, std::string_view text) noexcept;
}
#endif

namespace log {
namespace detail {

// Puts each argument in the place of the next {}; arguments left over follow at the end.
inline void format(std::ostringstream& out, std::string_view text) { out << text; }
template <class First, class... Rest>
void format(std::ostringstream& out, std::string_view text, const First& first, const Rest&... rest) {
  const auto at = text.find("{}");
  out << text.substr(0, at) << (at == std::string_view::npos ? " " : "") << first;
  format(out, at == std::string_view::npos ? std::string_view{} : text.substr(at + 2), rest...);
}

}  // namespace detail

#ifndef MACAW_OFF
#define MACAW_LOG_LEVEL_(name)                                                                  \
  inline void name(std::string_view text) noexcept { ::macaw::detail::log(Level::name, text); } \
  template <class... Arguments>                                                                 \
  void name(std::string_view text, const Arguments&... arguments) noexcept {                    \
    try {                                                                                       \
      std::ostringstream out;                                                                   \
      detail::format(out, text, arguments...);                                                  \
      ::macaw::detail::log(Level::name, out.str());                                             \
    } catch (...) {                                                                             \
    }                                                                                           \
  }
#else
#define MACAW_LOG_LEVEL_(name)  \
  template <class... Arguments> \
  void name(const Arguments&...) noexcept {}
#endif

MACAW_LOG_LEVEL_(debug)
MACAW_LOG_LEVEL_(info)
MACAW_LOG_LEVEL_(warning)
MACAW_LOG_LEVEL_(error)
MACAW_LOG_LEVEL_(critical)
#undef MACAW_LOG_LEVEL_

}  // namespace log
}  // namespace macaw
