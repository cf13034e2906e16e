// SPDX-License-Identifier: MIT
// What a process uses, against what it is known to use: memory it takes, threads it starts, children it has, and the
// devices of a library that stands in for NVIDIA's (it lies first on this program's LD_LIBRARY_PATH).
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "sdk/src/process/usage.hpp"

namespace macaw::process {
namespace {

constexpr std::int64_t mib = 1 << 20;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::int64_t at_most = 8;  // a sanitizer keeps shadows of what is used
#else
constexpr std::int64_t at_most = 1;
#endif

// Resident memory from outside every allocator.
class Pages {
 public:
  explicit Pages(std::size_t size)
      : size_(size), at_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    std::memset(at_, 1, size);
  }
  ~Pages() { munmap(at_, size_); }

 private:
  std::size_t size_;
  void* at_;
};

// A process that holds `size` bytes and, below it, `depth` more such processes, until the pipe closes.
class Child {
 public:
  Child(std::size_t size, int depth) {
    REQUIRE(pipe(ready_) == 0);
    REQUIRE(pipe(stay_) == 0);
    pid_ = fork();
    if (pid_ == 0) {
      close(stay_[1]);
      live(size, depth);
    }
    close(stay_[0]);
    char byte;
    for (int i = 0; i <= depth; ++i) REQUIRE(read(ready_[0], &byte, 1) == 1);
  }
  ~Child() {
    close(stay_[1]);
    waitpid(pid_, nullptr, 0);
    close(ready_[0]);
    close(ready_[1]);
  }

 private:
  [[noreturn]] void live(std::size_t size, int depth) {
    const Pages pages(size);
    const pid_t below = depth > 0 ? fork() : -1;
    if (below == 0) live(size, depth - 1);
    char byte = 0;
    (void)!write(ready_[1], &byte, 1);
    (void)!read(stay_[0], &byte, 1);
    if (below > 0) waitpid(below, nullptr, 0);
    _exit(0);
  }
  int ready_[2]{}, stay_[2]{};
  pid_t pid_ = 0;
};

bool has_children_files() { return access("/proc/thread-self/children", R_OK) == 0; }

}  // namespace

TEST_CASE("memory is what the process holds now, and what it held at most") {
  UsageReader reader;
  const auto before = reader.read();
  std::optional<wire::Usage> with;
  {
    const Pages pages(64 * mib);
    with = reader.read();
  }
  const auto after = reader.read();
  CHECK(*with->rss - *before.rss > 60 * mib);
  CHECK(*with->rss - *before.rss < at_most * 80 * mib);
  CHECK(*after.rss < *with->rss - 50 * mib);
  CHECK(*after.peak >= *with->rss - mib);  // the kernel sums up in batches
}

TEST_CASE("time of a processor and threads") {
  UsageReader reader;
  const auto before = reader.read();
  const clock_t start = clock();
  while (clock() - start < CLOCKS_PER_SEC / 20) {
  }
  std::mutex hold;
  std::unique_lock<std::mutex> lock(hold);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { const std::lock_guard<std::mutex> wait(hold); });
  const auto after = reader.read();
  lock.unlock();
  for (auto& thread : threads) thread.join();
  CHECK(*after.cpu - *before.cpu >= 0.04);
  CHECK(*after.threads - *before.threads == 4);
}

TEST_CASE("a process without children says nothing of any, one with a tree below it counts and weighs all of it") {
  if (!has_children_files()) {
    MESSAGE("this kernel does not list children: not tried");
    return;
  }
  CHECK_FALSE(UsageReader().read().children);
  const Child one(16 * mib, 0), three(16 * mib, 2);
  const auto usage = UsageReader().read();
  CHECK(usage.children == 4);
  CHECK(*usage.tree_rss - *usage.rss > 4 * 16 * mib);
  CHECK(*usage.tree_rss - *usage.rss < at_most * (8 * 16 * mib + 4 * *usage.rss));
}

TEST_CASE("children are of any thread, and forgotten when they are gone") {
  if (!has_children_files()) {
    MESSAGE("this kernel does not list children: not tried");
    return;
  }
  UsageReader reader;
  {
    std::optional<Child> child;
    std::thread([&] { child.emplace(mib, 0); }).join();
    UsageReader now;
    CHECK(now.read().children == 1);
  }
  CHECK_FALSE(UsageReader().read().children);
}

TEST_CASE("readings open no files, and a reader leaves none open") {
  const auto next_fd = [] {
    const int fd = dup(0);
    close(fd);
    return fd;
  };
  const int before = next_fd();
  {
    UsageReader reader;
    for (int i = 0; i < 20; ++i) reader.read();
    CHECK(next_fd() == before + 1);
  }
  CHECK(next_fd() == before);
}

TEST_CASE("devices tell their load and memory; one that does not tell its load stands idle") {
  unsetenv("CUDA_VISIBLE_DEVICES");
  UsageReader reader;
  wire::Usage usage;
  while ((usage = reader.read()).gpu.empty()) std::this_thread::yield();  // it starts in a thread of its own
  CHECK(usage.gpu == std::vector<double>{0.37, 1, 0});
  CHECK(usage.gpu_mem == std::vector<double>{1 << 30, 2.0 * (1 << 30), 3.0 * (1 << 30)});
}

TEST_CASE("of the devices, those that the job may see") {
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  Gpus gpus;
  std::vector<GpuUse> use;
  while ((use = gpus.read()).empty()) std::this_thread::yield();
  REQUIRE(use.size() == 1);
  CHECK(use[0].load == 1);
  unsetenv("CUDA_VISIBLE_DEVICES");

  using List = std::vector<unsigned>;
  CHECK(visible_devices(nullptr, 3) == List{0, 1, 2});
  CHECK(visible_devices("", 3).empty());
  CHECK(visible_devices("2,0", 3) == List{2, 0});
  CHECK(visible_devices("0,-1,1", 3) == List{0});
  CHECK(visible_devices("7", 3).empty());
  CHECK(visible_devices("GPU-8932f937", 2) == List{0, 1});
  CHECK(visible_devices("none at all", 0).empty());
}

}  // namespace macaw::process
