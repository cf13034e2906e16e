// SPDX-License-Identifier: MIT
// A timed stage of a job: from construction to the end of the scope, however that is left. Stages nest by thread.
// A Stage belongs to the thread that made it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace macaw {

#ifndef MACAW_OFF

namespace detail {
struct StageEntry {
  void* node = nullptr;
  void* outer;
  std::uint64_t start;
  unsigned exceptions;  // in flight when it was entered
};
// Set once it is known that this process does not report: then a stage is a load and a branch.
extern std::atomic<bool> is_off;
// `key` stands for the name: the address of a literal, or null.
void enter_stage(StageEntry& entry, std::string_view name, const void* key) noexcept;
void leave_stage(const StageEntry& entry) noexcept;
void set_stage_note(const StageEntry& entry, std::string_view note) noexcept;
}  // namespace detail

class Stage {
 public:
  explicit Stage(std::string_view name) noexcept : Stage(name, nullptr) {}
  Stage(std::string_view name, const void* key) noexcept {
    if (!detail::is_off.load(std::memory_order_relaxed)) detail::enter_stage(entry_, name, key);
  }
  ~Stage() {
    if (entry_.node) detail::leave_stage(entry_);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // A short text beside the stage: "batch 32".
  void note(std::string_view text) noexcept {
    if (entry_.node) detail::set_stage_note(entry_, text);
  }

 private:
  detail::StageEntry entry_;
};

#define MACAW_JOIN_(a, b) a##b
#define MACAW_JOIN(a, b) MACAW_JOIN_(a, b)
// Times the rest of the scope under a literal name.
#define MACAW_STAGE(name) \
  const ::macaw::Stage MACAW_JOIN(macaw_stage_, __LINE__)("" name, static_cast<const void*>("" name))

#else

class Stage {
 public:
  explicit Stage(std::string_view) noexcept {}
  void note(std::string_view) noexcept {}
};
#define MACAW_STAGE(name) static_cast<void>(0)

#endif

}  // namespace macaw
