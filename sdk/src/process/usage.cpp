// SPDX-License-Identifier: MIT
#include "sdk/src/process/usage.hpp"

#include <sys/resource.h>

#include <cstdio>
#include <memory>

namespace macaw::process {

wire::Usage read_usage() {
  wire::Usage usage;
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/proc/self/status", "re"),
                                                   [](FILE* f) { return f ? std::fclose(f) : 0; });
  char line[256];
  while (file && std::fgets(line, sizeof line, file.get())) {
    long long value = 0;
    if (std::sscanf(line, "VmHWM: %lld kB", &value) == 1) usage.peak = value * 1024;
    if (std::sscanf(line, "VmRSS: %lld kB", &value) == 1) usage.rss = value * 1024;
    if (std::sscanf(line, "Threads: %lld", &value) == 1) usage.threads = value;
  }
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0) {
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    usage.cpu = seconds(used.ru_utime) + seconds(used.ru_stime);
  }
  return usage;
}

}  // namespace macaw::process
