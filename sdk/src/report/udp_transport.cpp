// SPDX-License-Identifier: MIT
#include "sdk/src/report/udp_transport.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

namespace macaw::report {

struct UdpTransport::Peer {
  Target target;
  bool is_name = false;
  std::vector<Address> addresses;
  std::size_t current = 0;  // of `addresses`
  int fd = -1;
  bool refusing = false;
  bool asked = false;    // something was sent since the last refusal
  bool is_full = false;  // no room for more in this round
  double ask_again = 0;  // reporter's clock
  double silent_since = 0;

  // --- shared with the resolver ---
  std::atomic<bool> resolving{false}, abandoned{false};
  std::mutex mutex;
  std::vector<Address> found;  // news; empty: none

  ~Peer() {
    if (fd >= 0) close(fd);
  }
};

UdpTransport::UdpTransport(const std::vector<Target>& targets, std::shared_ptr<Network> network)
    : network_(std::move(network)) {
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    messages_[i].msg_hdr.msg_iov = &parts_[i];
    messages_[i].msg_hdr.msg_iovlen = 1;
  }
  for (std::size_t i = 0; i < std::min(targets.size(), max_targets); ++i) {
    const auto& peer = peers_.emplace_back(std::make_shared<Peer>());
    peer->target = targets[i];
    // The one name that every machine has needs no resolver; neither does an address.
    const bool here = peer->target.host == "localhost";
    for (const std::string& host : here ? std::vector<std::string>{"127.0.0.1", "::1"} : std::vector{targets[i].host}) {
      const auto known = network_->resolve({host, peer->target.port}, AI_NUMERICHOST | AI_NUMERICSERV);
      peer->addresses.insert(peer->addresses.end(), known.begin(), known.end());
    }
    peer->is_name = peer->addresses.empty();
    if (peer->is_name)
      start_resolver(peer);
    else
      open(*peer);
  }
}

UdpTransport::~UdpTransport() {
  for (const auto& peer : peers_) peer->abandoned = true;
}

void UdpTransport::start_resolver(const std::shared_ptr<Peer>& peer) {
  peer->resolving = true;
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);  // the job's signals stay with the job's threads
  try {
    std::thread([peer, network = network_] {
      std::chrono::milliseconds pause{500};
      while (!peer->abandoned) {
        auto addresses = network->resolve(peer->target, AI_ADDRCONFIG);
        if (!addresses.empty()) {
          const std::lock_guard<std::mutex> lock(peer->mutex);
          peer->found = std::move(addresses);
          break;
        }
        std::this_thread::sleep_for(pause);
        if (pause < std::chrono::seconds(30)) pause *= 2;
      }
      peer->resolving = false;
    }).detach();
  } catch (...) {
    peer->resolving = false;  // no thread to be had: tried again after the next silence
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void UdpTransport::take_found(Peer& peer) {
  std::vector<Address> found;
  {
    const std::lock_guard<std::mutex> lock(peer.mutex);
    found.swap(peer.found);
  }
  if (found.empty()) return;
  const Address used = peer.fd >= 0 ? peer.addresses[peer.current] : Address{};
  peer.addresses = std::move(found);
  const auto same = std::find(peer.addresses.begin(), peer.addresses.end(), used);
  if (same != peer.addresses.end()) {
    peer.current = static_cast<std::size_t>(same - peer.addresses.begin());
    return;
  }
  peer.current = 0;
  open(peer);
}

// Connects to the current address, or the first one after it that can be. The descriptor keeps its number, as a signal
// handler may hold it.
void UdpTransport::open(Peer& peer) {
  for (std::size_t tried = 0; tried < peer.addresses.size(); ++tried) {
    const int fd = network_->open(peer.addresses[peer.current]);
    if (fd >= 0 && peer.fd >= 0) {
      dup3(fd, peer.fd, O_CLOEXEC);
      close(fd);
    } else if (fd >= 0) {
      peer.fd = fd;
    }
    if (fd >= 0) return;
    peer.current = (peer.current + 1) % peer.addresses.size();
  }
  peer.ask_again = now_ + 1;
}

// A refusal is the error of the next call on the socket after the datagram that was refused.
void UdpTransport::take_refusal(Peer& peer) {
  peer.refusing = true;
  peer.asked = false;
  peer.current = (peer.current + 1) % peer.addresses.size();
  peer.ask_again = now_ + (peer.current == 0 ? 1 : 0);
  if (peer.addresses.size() > 1) open(peer);
}

bool UdpTransport::ready(double now) {
  now_ = now;
  bool any = false;
  for (const auto& peer : peers_) {
    take_found(*peer);
    peer->is_full = false;
    if (peer->is_name && !peer->resolving && now - peer->silent_since >= longest_silence) {
      peer->silent_since = now;
      start_resolver(peer);
    }
    if (peer->fd < 0 && now >= peer->ask_again) open(*peer);
    if (peer->fd < 0) continue;
    if (peer->asked) peer->refusing = false;  // asked in the last round, and not refused since
    any |= !peer->refusing || now >= peer->ask_again;
  }
  return any;
}

void UdpTransport::send(Datagram* datagrams, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) parts_[i] = {const_cast<char*>(datagrams[i].data), datagrams[i].size};
  for (const auto& peer : peers_) {
    if (peer->fd >= 0 && !peer->is_full && !(peer->refusing && now_ < peer->ask_again)) send(*peer, datagrams, count);
  }
}

void UdpTransport::send(Peer& peer, Datagram* datagrams, std::size_t count) {
  for (std::size_t at = 0; at < count;) {
    const int taken = network_->send(peer.fd, &messages_[at], static_cast<unsigned>(count - at));
    if (taken > 0) {
      for (const std::size_t end = at + static_cast<std::size_t>(taken); at < end; ++at)
        datagrams[at].fate = Datagram::Fate::taken;
      peer.asked = true;
    } else if (errno == EMSGSIZE) {
      if (datagrams[at].fate == Datagram::Fate::unsent) datagrams[at].fate = Datagram::Fate::too_large;
      ++at;
    } else if (errno == ENOBUFS || errno == EAGAIN || errno == EINTR) {
      peer.is_full = true;
      return;
    } else {
      return take_refusal(peer);
    }
  }
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
    if (got > 0) {
      peer->silent_since = now_;
      return static_cast<std::size_t>(got);
    }
    if (got < 0 && errno == ECONNREFUSED) take_refusal(*peer);
  }
  return 0;
}

bool UdpTransport::refused() const {
  return std::all_of(peers_.begin(), peers_.end(), [](const auto& peer) { return peer->refusing; });
}

void UdpTransport::descriptors(int (&out)[max_targets + 1]) const {
  std::size_t count = 0;
  for (const auto& peer : peers_) {
    if (peer->fd >= 0) out[count++] = peer->fd;
  }
  out[count] = -1;
}

}  // namespace macaw::report
