// SPDX-License-Identifier: MIT
// Stands in for NVIDIA's management library: three devices, of which the last tells no load.
#include <cstdint>

extern "C" {

struct Rates {
  unsigned gpu, memory;
};
struct Memory {
  unsigned long long total, free, used;
};

int nvmlInit_v2() { return 0; }
int nvmlDeviceGetCount_v2(unsigned* count) { return *count = 3, 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = reinterpret_cast<void*>(static_cast<std::uintptr_t>(index + 1));
  return 0;
}
int nvmlDeviceGetUtilizationRates(void* device, Rates* rates) {
  const auto index = reinterpret_cast<std::uintptr_t>(device) - 1;
  if (index == 2) return 3;  // not supported
  rates->gpu = index == 0 ? 37 : 100;
  return 0;
}
int nvmlDeviceGetMemoryInfo(void* device, Memory* memory) {
  memory->used = (reinterpret_cast<std::uintptr_t>(device)) << 30;
  return 0;
}
}
