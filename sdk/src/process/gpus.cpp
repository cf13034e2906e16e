// SPDX-License-Identifier: MIT
#include "sdk/src/process/gpus.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <sstream>
#include <thread>

namespace macaw::process {
namespace {

// NVML's own types, as its C interface has had them since version 2.
using Device = void*;
struct Rates {
  unsigned gpu, memory;  // percent
};
struct Memory {
  unsigned long long total, free, used;
};

template <class Function>
bool find(void* library, const char* name, Function& out) {
  out = reinterpret_cast<Function>(dlsym(library, name));
  return out != nullptr;
}

}  // namespace

struct Gpus::Library {
  int (*init)() = nullptr;
  int (*device_count)(unsigned*) = nullptr;
  int (*device_at)(unsigned, Device*) = nullptr;
  int (*rates)(Device, Rates*) = nullptr;
  int (*memory)(Device, Memory*) = nullptr;
  std::vector<Device> devices;  // complete once `ready`
  std::atomic<bool> ready{false};

  bool load() {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    return library && find(library, "nvmlInit_v2", init) && find(library, "nvmlDeviceGetCount_v2", device_count) &&
           find(library, "nvmlDeviceGetHandleByIndex_v2", device_at) &&
           find(library, "nvmlDeviceGetUtilizationRates", rates) && find(library, "nvmlDeviceGetMemoryInfo", memory);
  }

  void start(const std::string& visible, bool is_set) {
    unsigned count = 0;
    if (init() != 0 || device_count(&count) != 0) return;
    for (const unsigned index : visible_devices(is_set ? visible.c_str() : nullptr, count)) {
      Device device = nullptr;
      if (device_at(index, &device) == 0) devices.push_back(device);
    }
    ready = true;
  }
};

std::vector<unsigned> visible_devices(const char* value, unsigned count) {
  std::vector<unsigned> all;
  for (unsigned i = 0; i < count; ++i) all.push_back(i);
  if (!value) return all;
  std::vector<unsigned> named;
  std::istringstream in(value);
  for (std::string part; std::getline(in, part, ',');) {
    char* end = nullptr;
    const long index = std::strtol(part.c_str(), &end, 10);
    if (end == part.c_str() || *end) return all;                // by another name
    if (index < 0 || index >= static_cast<long>(count)) break;  // CUDA, too, sees none from here on
    named.push_back(static_cast<unsigned>(index));
  }
  return named;
}

std::vector<GpuUse> Gpus::read() {
  if (!looked_) {
    looked_ = true;
    auto library = std::make_shared<Library>();
    if (!library->load()) return {};
    library_ = library;
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);  // the job's signals stay with the job's threads
    try {
      std::thread([library, is_set = visible != nullptr, names = std::string(visible ? visible : "")] {
        library->start(names, is_set);
      }).detach();
    } catch (...) {
      library_.reset();  // no thread to be had
    }
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
  }
  std::vector<GpuUse> out;
  if (!library_ || !library_->ready) return out;
  for (const Device device : library_->devices) {
    Rates rates{};
    Memory memory{};
    library_->rates(device, &rates);  // where a device does not tell, its load is 0
    library_->memory(device, &memory);
    out.push_back({std::min(rates.gpu, 100u) / 100.0, static_cast<std::int64_t>(memory.used)});
  }
  return out;
}

}  // namespace macaw::process
