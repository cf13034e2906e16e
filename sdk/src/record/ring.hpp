// SPDX-License-Identifier: MIT
// A bounded queue of byte records from one thread to the reporter: no lock, no system call; when it is full the newest
// record is dropped and counted. The memory is taken with the first record.
// Threads: push() belongs to one thread, drain() to one other.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>

namespace macaw::record {

class Ring {
 public:
  static constexpr std::size_t capacity = 1 << 20;

  // Puts head and body as one record. False: no room.
  bool push(const void* head, std::uint32_t head_size, const void* body, std::uint32_t body_size) noexcept;

  // Calls take(const char* data, uint32_t size) for each record there is.
  template <class Take>
  void drain(Take&& take);

  bool half_full() const noexcept {
    return written_.load(std::memory_order_relaxed) - read_.load(std::memory_order_relaxed) > capacity / 2;
  }

 private:
  static constexpr std::uint32_t skip_to_start = UINT32_MAX;
  static std::size_t aligned(std::size_t size) noexcept { return (size + 7) & ~std::size_t{7}; }

  std::unique_ptr<char[]> memory_;
  std::atomic<std::uint64_t> written_{0}, read_{0};  // bytes since the start; the place is the remainder
};

inline bool Ring::push(const void* head, std::uint32_t head_size, const void* body, std::uint32_t body_size) noexcept {
  if (!memory_) memory_.reset(new (std::nothrow) char[capacity]);
  if (!memory_) return false;
  const std::size_t need = aligned(sizeof(std::uint32_t) + head_size + body_size);
  std::uint64_t at = written_.load(std::memory_order_relaxed);
  const std::size_t to_end = capacity - at % capacity;
  const std::size_t skipped = to_end < need ? to_end : 0;
  if (at + skipped + need - read_.load(std::memory_order_acquire) > capacity) return false;
  if (skipped) {
    std::memcpy(&memory_[at % capacity], &skip_to_start, sizeof skip_to_start);
    at += skipped;
  }
  char* out = &memory_[at % capacity];
  const std::uint32_t size = head_size + body_size;
  std::memcpy(out, &size, sizeof size);
  std::memcpy(out + sizeof size, head, head_size);
  if (body_size) std::memcpy(out + sizeof size + head_size, body, body_size);
  written_.store(at + need, std::memory_order_release);
  // The reporter has read this memory from another core since, so each record would wait to get it back: ask early.
  __builtin_prefetch(&memory_[(at + need + 256) % capacity], 1);
  __builtin_prefetch(&memory_[(at + need + 320) % capacity], 1);
  return true;
}

template <class Take>
void Ring::drain(Take&& take) {
  std::uint64_t at = read_.load(std::memory_order_relaxed);
  const std::uint64_t end = written_.load(std::memory_order_acquire);
  while (at != end) {
    const char* record = &memory_[at % capacity];
    std::uint32_t size = 0;
    std::memcpy(&size, record, sizeof size);
    if (size == skip_to_start) {
      at += capacity - at % capacity;
      continue;
    }
    take(record + sizeof size, size);
    at += aligned(sizeof size + size);
    read_.store(at, std::memory_order_release);
  }
}

}  // namespace macaw::record
