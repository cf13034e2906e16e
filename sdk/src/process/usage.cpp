// SPDX-License-Identifier: MIT
#include "sdk/src/process/usage.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace macaw::process {
namespace {

constexpr std::size_t most_children = 1000;  // that are counted

// The start of a small file of /proc.
std::string_view read_file(const std::string& path, char* buffer, std::size_t size) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const ssize_t got = fd < 0 ? -1 : ::read(fd, buffer, size - 1);
  if (fd >= 0) close(fd);
  buffer[got > 0 ? got : 0] = 0;
  return buffer;
}

// The number behind `name` at the start of a line.
std::optional<std::int64_t> number(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  return std::strtoll(text.data() + at + name.size(), nullptr, 10);
}

// The processes that `pid` started and that live, whichever of its threads it was.
void add_children(long pid, std::vector<long>& out) {
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(tasks.c_str()),
                                                   [](DIR* open_folder) { return closedir(open_folder); });
  while (const dirent* task = folder ? readdir(folder.get()) : nullptr) {
    if (task->d_name[0] == '.') continue;
    char buffer[8192];
    read_file(tasks + "/" + task->d_name + "/children", buffer, sizeof buffer);
    char* end = buffer;
    for (long child = 0; out.size() < most_children && (child = std::strtol(end, &end, 10)) > 0;) out.push_back(child);
  }
}

std::int64_t resident_bytes(long pid) {
  char buffer[128];
  read_file("/proc/" + std::to_string(pid) + "/statm", buffer, sizeof buffer);
  char* second = nullptr;
  std::strtoll(buffer, &second, 10);
  return std::strtoll(second, nullptr, 10) * sysconf(_SC_PAGESIZE);
}

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; }

}  // namespace

UsageReader::UsageReader() : status_(open("/proc/self/status", O_RDONLY | O_CLOEXEC)) {}

UsageReader::~UsageReader() {
  if (status_ >= 0) close(status_);
}

void UsageReader::read_children() {
  std::vector<long> tree;
  add_children(getpid(), tree);
  for (std::size_t i = 0; i < tree.size(); ++i) add_children(tree[i], tree);
  children_ = static_cast<std::int64_t>(tree.size());
  children_rss_ = 0;
  for (const long pid : tree) children_rss_ += resident_bytes(pid);
}

wire::Usage UsageReader::read() {
  wire::Usage usage;
  char buffer[4096];
  const ssize_t got = status_ < 0 ? -1 : pread(status_, buffer, sizeof buffer - 1, 0);
  if (got > 0) {
    buffer[got] = 0;
    const std::string_view text(buffer, static_cast<std::size_t>(got));
    const auto bytes = [&](std::string_view name) {
      auto kib = number(text, name);
      if (kib) *kib *= 1024;
      return kib;
    };
    usage.peak = bytes("\nVmHWM:");
    usage.rss = bytes("\nVmRSS:");
    usage.threads = number(text, "\nThreads:");
  }
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0) usage.cpu = seconds(used.ru_utime) + seconds(used.ru_stime);
  if (readings_++ % children_every == 0) read_children();
  if (children_ > 0) {
    usage.children = children_;
    usage.tree_rss = usage.rss.value_or(0) + children_rss_;
  }
  for (const GpuUse& gpu : gpus_.read()) {
    usage.gpu.push_back(gpu.load);
    usage.gpu_mem.push_back(static_cast<double>(gpu.memory));
  }
  return usage;
}

}  // namespace macaw::process
