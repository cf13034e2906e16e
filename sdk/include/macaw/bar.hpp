// SPDX-License-Identifier: MIT
// A progress bar moved by hand. Any thread may move it; the count is exact. The end of its life closes it: `done` when
// its total was reached, `left` when not.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace macaw {

#ifndef MACAW_OFF

class Bar {
 public:
  explicit Bar(std::string_view desc, std::optional<std::int64_t> total = {}, std::string_view unit = {}) noexcept;
  ~Bar();
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;

  Bar& operator+=(std::int64_t steps) noexcept;
  Bar& operator++() noexcept { return *this += 1; }
  void set(std::int64_t n) noexcept;
  void set_total(std::optional<std::int64_t> total) noexcept;
  void close() noexcept;
  // Closes as `done` whatever the count: there was no more to do.
  void complete() noexcept;

 private:
  void* bar_;  // null when disabled or closed
};

#else

class Bar {
 public:
  explicit Bar(std::string_view, std::optional<std::int64_t> = {}, std::string_view = {}) noexcept {}
  Bar& operator+=(std::int64_t) noexcept { return *this; }
  Bar& operator++() noexcept { return *this; }
  void set(std::int64_t) noexcept {}
  void set_total(std::optional<std::int64_t>) noexcept {}
  void close() noexcept {}
  void complete() noexcept {}
};

#endif

}  // namespace macaw
