// SPDX-License-Identifier: MIT
#include "sdk/src/process/farewell.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
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
std::atomic<int> ending{0}, held_back{0};
std::atomic<bool> armed{false}, said{false}, holding{false};

// The reporter looks once a round, so a few rounds are enough; it may also wait for what this thread holds.
bool wait_for_last_words(int signal) {
  constexpr int patience_ms = 400;
  ending.store(signal);
  for (int waited = 0; waited < patience_ms && !said.load(); ++waited) {
    const timespec moment{0, 1'000'000};
    nanosleep(&moment, nullptr);
  }
  return said.load();
}

void on_signal(int signal) {
  if (holding.load() && getpid() == owner) return held_back.store(signal);
  const int saved = errno;
  const bool is_job = armed.load(std::memory_order_acquire) && getpid() == owner;
  const bool is_said = is_job && wait_for_last_words(signal);
  // Taken away: a second signal must not send another datagram of the same number.
  const Prepared* prepared = is_said ? nullptr : current.exchange(nullptr, std::memory_order_acq_rel);
  if (prepared && is_job) {
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
  ending.store(0);
  said.store(false);
  holding.store(false);
  armed.store(true, std::memory_order_release);
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

void hold_signals() { holding.store(true); }

void release_signals() {
  holding.store(false);
  const int signal = held_back.exchange(0);
  if (signal == 0) return;
  std::signal(signal, SIG_DFL);
  raise(signal);
}

int held_signal() { return held_back.load(); }

int ending_signal() { return ending.load(std::memory_order_relaxed); }
void last_words_said() { said.store(true); }

void disarm_farewell() {
  armed.store(false, std::memory_order_release);
  current.store(nullptr, std::memory_order_release);
}

}  // namespace macaw::process
