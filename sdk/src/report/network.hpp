// SPDX-License-Identifier: MIT
// The system calls of the UDP transport, behind a face so that tests can make them slow, fail or change their mind.
// Any thread; resolve() may take long and runs in a thread of its own.
#pragma once

#include <sys/socket.h>

#include <cstring>
#include <vector>

#include "sdk/src/report/settings.hpp"

namespace macaw::report {

struct Address {
  sockaddr_storage bytes{};
  socklen_t size = 0;
  bool operator==(const Address& other) const {
    return size == other.size && std::memcmp(&bytes, &other.bytes, size) == 0;
  }
};

class Network {
 public:
  virtual ~Network() = default;
  // The addresses of a target, none when it has none now. `flags` as getaddrinfo() takes them.
  virtual std::vector<Address> resolve(const Target& target, int flags);
  // A connected socket that does not block, or -1.
  virtual int open(const Address& address);
  // As sendmmsg(): how many went out, or -1 and errno.
  virtual int send(int fd, mmsghdr* messages, unsigned count);
};

}  // namespace macaw::report
