// SPDX-License-Identifier: MIT
#include "sdk/src/report/udp_transport.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace macaw::report {

// The descriptor is published by the resolver once, connected; -1 until then.
struct UdpTransport::Peer {
  Target target;
  std::atomic<int> fd{-1};
  std::atomic<bool> abandoned{false};
  bool refusing = false;
  bool asked = false;    // something was sent since the last refusal
  double ask_again = 0;  // reporter's clock

  ~Peer() {
    const int open = fd.load();
    if (open >= 0) close(open);
  }
};

namespace {

int connect_to(const addrinfo& address) {
  const int fd = socket(address.ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (connect(fd, address.ai_addr, address.ai_addrlen) == 0) return fd;
  close(fd);
  return -1;
}

int resolve(const Target& target, int flags) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = flags;
  if (getaddrinfo(target.host.c_str(), target.port.c_str(), &hints, &found) != 0) return -1;
  int fd = -1;
  for (const addrinfo* address = found; address && fd < 0; address = address->ai_next) fd = connect_to(*address);
  freeaddrinfo(found);
  return fd;
}

}  // namespace

UdpTransport::UdpTransport(std::vector<Target> targets) {
  if (targets.size() > max_targets) targets.resize(max_targets);
  for (Target& target : targets) {
    auto peer = std::make_shared<Peer>();
    peer->target = std::move(target);
    // The one name that every machine has needs no resolver; neither does an address.
    const Target known{peer->target.host == "localhost" ? "127.0.0.1" : peer->target.host, peer->target.port};
    peer->fd = resolve(known, AI_NUMERICHOST | AI_NUMERICSERV);
    peers_.push_back(peer);
    if (peer->fd >= 0) continue;
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);  // the job's signals stay with the job's threads
    try {
      std::thread([peer] {
        std::chrono::milliseconds pause{500};
        while (!peer->abandoned) {
          const int fd = resolve(peer->target, AI_ADDRCONFIG);
          if (fd >= 0) return peer->fd.store(fd);
          std::this_thread::sleep_for(pause);
          if (pause < std::chrono::seconds(30)) pause *= 2;
        }
      }).detach();
    } catch (...) {
      // No thread to be had: this target stays silent.
    }
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
  }
}

UdpTransport::~UdpTransport() {
  for (const auto& peer : peers_) peer->abandoned = true;
}

// A refusal is the error of the next call on the socket after the datagram that was refused.
void UdpTransport::take_refusal(Peer& peer) {
  peer.refusing = true;
  peer.asked = false;
  peer.ask_again = now_ + 1;
}

bool UdpTransport::ready(double now) {
  now_ = now;
  bool any = false;
  for (const auto& peer : peers_) {
    if (peer->fd < 0) continue;
    if (peer->asked) peer->refusing = false;  // asked in the last round, and not refused since
    any |= !peer->refusing || now >= peer->ask_again;
  }
  return any;
}

bool UdpTransport::send(const char* data, std::size_t size) {
  bool taken = false;
  for (const auto& peer : peers_) {
    if (peer->fd < 0 || (peer->refusing && now_ < peer->ask_again)) continue;
    if (::send(peer->fd, data, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size)) {
      taken = true;
      peer->asked = true;
    } else if (errno == ECONNREFUSED) {
      take_refusal(*peer);
    }
  }
  return taken;
}

std::size_t UdpTransport::receive(char* buffer, std::size_t size, double wait) {
  if (wait > 0) {
    pollfd waiting[max_targets];
    nfds_t count = 0;
    for (const auto& peer : peers_) {
      if (peer->fd >= 0) waiting[count++] = {peer->fd, POLLIN, 0};
    }
    if (count == 0 || poll(waiting, count, static_cast<int>(wait * 1000)) <= 0) return 0;
  }
  for (const auto& peer : peers_) {
    if (peer->fd < 0) continue;
    const ssize_t got = recv(peer->fd, buffer, size, MSG_DONTWAIT);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got < 0 && errno == ECONNREFUSED) take_refusal(*peer);
  }
  return 0;
}

bool UdpTransport::refused() const {
  for (const auto& peer : peers_) {
    if (!peer->refusing) return false;
  }
  return true;
}

void UdpTransport::descriptors(int (&out)[max_targets + 1]) const {
  std::size_t count = 0;
  for (const auto& peer : peers_) {
    if (peer->fd >= 0) out[count++] = peer->fd;
  }
  out[count] = -1;
}

}  // namespace macaw::report
