// SPDX-License-Identifier: GPL-3.0-or-later
// Whose socket it is at the other end of a loopback connection: the kernel's tables name the user of each socket of
// this machine. This is how the collector knows its own user without any token. Linux; elsewhere nobody is known.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace macaw {

// The user that holds the client's end of a TCP connection over loopback.
std::optional<uid_t> tcp_client_owner(std::uint16_t client_port, std::uint16_t server_port);

// Users of UDP ports. Reads the tables again for a port that it does not know, as a sender may be new, but spends no
// more than a fifth of the time on it. One thread.
class UdpOwners {
 public:
  std::optional<uid_t> find(std::uint16_t port, double now);

  // True when nobody else works on this machine: no process of another ordinary user.
  bool alone(double now);

 private:
  void read(double now);

  std::unordered_map<std::uint16_t, uid_t> m_users;
  double m_read_at = -1e9, m_read_took = 0;
  double m_looked_at = -1e9;
  bool m_alone = false;
};

}  // namespace macaw
