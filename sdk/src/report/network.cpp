// SPDX-License-Identifier: MIT
#include "sdk/src/report/network.hpp"

#include <netdb.h>
#include <unistd.h>

namespace macaw::report {

std::vector<Address> Network::resolve(const Target& target, int flags) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = flags;
  std::vector<Address> addresses;
  if (getaddrinfo(target.host.c_str(), target.port.c_str(), &hints, &found) != 0) return addresses;
  for (const addrinfo* info = found; info; info = info->ai_next) {
    Address address;
    address.size = info->ai_addrlen;
    std::memcpy(&address.bytes, info->ai_addr, info->ai_addrlen);
    addresses.push_back(address);
  }
  freeaddrinfo(found);
  return addresses;
}

int Network::open(const Address& address) {
  const int fd = socket(address.bytes.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address.bytes), address.size) == 0) return fd;
  close(fd);
  return -1;
}

int Network::send(int fd, mmsghdr* messages, unsigned count) { return sendmmsg(fd, messages, count, MSG_NOSIGNAL); }

}  // namespace macaw::report
