// SPDX-License-Identifier: MIT
#include "sdk/src/process/farewell.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace macaw::process {
namespace {

struct Prepared {
  char data[3][256];
  std::size_t size[3];
  int descriptors[9];
};

Prepared buffers[2];
std::atomic<const Prepared*> current{nullptr};
pid_t owner = 0;

void on_signal(int signal) {
  const int saved = errno;
  const Prepared* prepared = current.load(std::memory_order_acquire);
  if (prepared && getpid() == owner) {
    const auto* at = std::find(std::begin(farewell_signals), std::end(farewell_signals), signal);
    const auto index = static_cast<std::size_t>(at - std::begin(farewell_signals));
    for (const int* fd = prepared->descriptors; *fd >= 0; ++fd) {
      (void)!send(*fd, prepared->data[index], prepared->size[index], MSG_DONTWAIT | MSG_NOSIGNAL);
    }
  }
  struct sigaction original {};
  original.sa_handler = SIG_DFL;
  sigaction(signal, &original, nullptr);
  errno = saved;
  raise(signal);
}

}  // namespace

void install_farewell() {
  owner = getpid();
  for (const int signal : farewell_signals) {
    struct sigaction old {
    }, ours{};
    if (sigaction(signal, nullptr, &old) != 0 || (old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL) continue;
    ours.sa_handler = on_signal;
    ours.sa_flags = SA_RESTART;
    sigaction(signal, &ours, nullptr);
  }
}

void prepare_farewell(const std::string (&datagrams)[3], const int* descriptors) {
  Prepared& next = current.load(std::memory_order_relaxed) == &buffers[0] ? buffers[1] : buffers[0];
  for (std::size_t i = 0; i < 3; ++i) {
    next.size[i] = std::min(datagrams[i].size(), sizeof next.data[i]);
    std::memcpy(next.data[i], datagrams[i].data(), next.size[i]);
  }
  std::size_t count = 0;
  for (; descriptors[count] >= 0 && count < 8; ++count) next.descriptors[count] = descriptors[count];
  next.descriptors[count] = -1;
  current.store(&next, std::memory_order_release);
}

void disarm_farewell() { current.store(nullptr, std::memory_order_release); }

}  // namespace macaw::process
