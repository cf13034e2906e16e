// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/socket_owner.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <memory>

#include "collector/clock.hpp"

namespace macaw {

namespace {

struct Entry {
  std::uint16_t local_port = 0, remote_port = 0;
  uid_t uid = 0;
};

// Calls `take(entry)` for each line of a table such as /proc/net/udp.
template <class Take>
void read_table(const char* path, Take take) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path, "re"), std::fclose);
  if (!file) return;
  char line[512];
  while (std::fgets(line, sizeof line, file.get())) {
    unsigned local = 0, remote = 0, uid = 0;
    if (std::sscanf(line, " %*u: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%x %*x %*x:%*x %*x:%*x %*x %u", &local, &remote,
                    &uid) == 3)
      take(Entry{static_cast<std::uint16_t>(local), static_cast<std::uint16_t>(remote), uid});
  }
}

bool is_ordinary(uid_t uid) { return uid >= 1000 && uid != 65534; }

}  // namespace

std::optional<uid_t> tcp_client_owner(std::uint16_t client_port, std::uint16_t server_port) {
  std::optional<uid_t> owner;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    read_table(table, [&](const Entry& entry) {
      if (entry.local_port != client_port || entry.remote_port != server_port) return;
      // Two sockets of different users may share the numbers on different addresses: then neither is believed.
      owner = owner && *owner != entry.uid ? static_cast<uid_t>(-1) : entry.uid;
    });
  }
  return owner;
}

void UdpOwners::read(double now) {
  m_users.clear();
  for (const char* table : {"/proc/net/udp", "/proc/net/udp6"}) {
    read_table(table, [&](const Entry& entry) {
      const auto [at, added] = m_users.emplace(entry.local_port, entry.uid);
      if (!added && at->second != entry.uid) at->second = static_cast<uid_t>(-1);
    });
  }
  m_read_at = now;
  m_read_took = monotonic_now() - now;
}

std::optional<uid_t> UdpOwners::find(std::uint16_t port, double now) {
  constexpr double fresh = 2;  // a port may change hands
  constexpr double share = 5;
  if (now - m_read_at > fresh) read(now);
  auto found = m_users.find(port);
  if (found == m_users.end() && now - m_read_at > share * m_read_took && now != m_read_at) {
    read(now);
    found = m_users.find(port);
  }
  return found == m_users.end() ? std::nullopt : std::optional(found->second);
}

bool UdpOwners::alone(double now) {
  constexpr double fresh = 1;
  if (now - m_looked_at < fresh) return m_alone;
  m_looked_at = now;
  m_alone = true;
  const std::unique_ptr<DIR, int (*)(DIR*)> proc(opendir("/proc"), closedir);
  while (const dirent* entry = proc ? readdir(proc.get()) : nullptr) {
    struct stat status {};
    if (!std::isdigit(static_cast<unsigned char>(entry->d_name[0]))) continue;
    if (fstatat(dirfd(proc.get()), entry->d_name, &status, 0) != 0) continue;
    if (is_ordinary(status.st_uid) && status.st_uid != geteuid()) m_alone = false;
  }
  return m_alone;
}

}  // namespace macaw
