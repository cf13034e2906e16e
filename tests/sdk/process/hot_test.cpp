// SPDX-License-Identifier: MIT
// The calls of a job's loop never wait, whatever the network does: here the resolver does not come back. A thread that
// waits for anything (a lock, a resolver, a full queue) gives up its processor, which the kernel counts.
#include <macaw/macaw.hpp>

#include <dlfcn.h>
#include <netdb.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include <doctest/doctest.h>

namespace {

struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool entered = false, open = false;
};
Gate& gate() {
  static auto* one = new Gate;  // the resolver's thread outlives main()
  return *one;
}

long times_waited() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace

// In place of the C library's: names take until the gate opens.
extern "C" int getaddrinfo(const char* host, const char* port, const addrinfo* hints, addrinfo** found) {
  if (hints && (hints->ai_flags & AI_NUMERICHOST)) {
    static const auto real = reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
    return real(host, port, hints, found);
  }
  std::unique_lock<std::mutex> lock(gate().mutex);
  gate().entered = true;
  gate().changed.notify_all();
  gate().changed.wait(lock, [] { return gate().open; });
  return EAI_AGAIN;
}

TEST_CASE("with a resolver that never answers, no call of a loop waits, and the end comes at once") {
  setenv("MACAW_URL", "udp://no-such-host.invalid", 1);
  setenv("MACAW_CONSOLE", "off", 1);
  setenv("MACAW_INTERVAL", "0.01", 1);  // many rounds of the reporter meanwhile
  macaw::init();
  {
    std::unique_lock<std::mutex> lock(gate().mutex);
    gate().changed.wait(lock, [] { return gate().entered; });
  }
  const auto step = [](int i) {
    const macaw::Stage stage("hot");
    macaw::metric("loss", 0.5, i);
    if (i % 16 == 0) macaw::log::info("a line");
  };
  step(0);           // the first of each makes its place
  double worst = 1;  // of this thread's own time; of a few tries, as a virtual machine may charge it for another's
  const long waited = times_waited();
  for (int attempt = 0; attempt < 5 && worst >= 1e-3; ++attempt) {
    double longest = 0;
    for (int i = 0; i < 50'000; ++i) {
      const double from = processor_time();
      step(i);
      longest = std::max(longest, processor_time() - from);
    }
    worst = std::min(worst, longest);
  }
  CHECK(worst < 1e-3);
  CHECK(times_waited() - waited <= 5);  // a page fault may wait for the memory map
  macaw::finish();                      // would hang here if it waited for the resolver
  const std::lock_guard<std::mutex> lock(gate().mutex);
  gate().open = true;
  gate().changed.notify_all();
}
