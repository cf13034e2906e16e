// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>

namespace macaw::process {

/// A mutex that nobody can keep to themselves by locking it again at once: who unlocks it while another thread waits
/// comes after that one. For a lock held most of the time in a loop, as by a reporter whose rings are never empty.
class FairMutex {
 public:
  void lock() {
    const std::lock_guard<std::mutex> turn(next_);  // who waits for the rest holds this, and so is the next one
    held_.lock();
  }
  void unlock() { held_.unlock(); }

 private:
  std::mutex next_, held_;
};

}  // namespace macaw::process
