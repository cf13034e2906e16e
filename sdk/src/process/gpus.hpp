// SPDX-License-Identifier: MIT
// Load and memory of NVIDIA's devices, through their management library (NVML) where the system has it. It is loaded
// when the first reading is taken, and starts in a thread of its own, as that may take seconds; until then, and without
// it, there are no devices. Of those that CUDA_VISIBLE_DEVICES names by number, only these.
// Threads: one reads. The starting thread shares the finished list alone, which outlives this object.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace macaw::process {

struct GpuUse {
  double load = 0;          // 0…1
  std::int64_t memory = 0;  // bytes in use, by whomever
};

// The numbers in a value of CUDA_VISIBLE_DEVICES, of `count` devices; all of them where it names any otherwise.
std::vector<unsigned> visible_devices(const char* value, unsigned count);

class Gpus {
 public:
  std::vector<GpuUse> read();

  struct Library;

 private:
  bool looked_ = false;
  std::shared_ptr<Library> library_;
};

}  // namespace macaw::process
