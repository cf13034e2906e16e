// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/ingest/udp_socket.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace macaw {

// Pages that no datagram has reached yet cost no memory.
struct UdpSocket::Buffers {
  std::unique_ptr<std::uint8_t[]> bytes{new std::uint8_t[batch * datagram_bytes]};
  std::array<mmsghdr, batch> messages{};
  std::array<iovec, batch> vectors{};
  std::array<sockaddr_in6, batch> senders{};
  alignas(cmsghdr) std::array<std::array<char, CMSG_SPACE(sizeof(std::uint32_t))>, batch> controls{};
};

namespace {

sockaddr_in6 mapped(const sockaddr_in6& address) {
  if (address.sin6_family != AF_INET) return address;
  sockaddr_in v4{};
  std::memcpy(&v4, &address, sizeof v4);
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = v4.sin_port;
  v6.sin6_addr.s6_addr[10] = v6.sin6_addr.s6_addr[11] = 0xff;
  std::memcpy(&v6.sin6_addr.s6_addr[12], &v4.sin_addr, 4);
  return v6;
}

bool is_loopback(const sockaddr_in6& address) {
  if (IN6_IS_ADDR_V4MAPPED(&address.sin6_addr)) return address.sin6_addr.s6_addr[12] == 127;
  return IN6_IS_ADDR_LOOPBACK(&address.sin6_addr);
}

}  // namespace

UdpSocket::UdpSocket() : m_buffers(std::make_unique<Buffers>()) { m_received.reserve(batch); }

UdpSocket::~UdpSocket() {
  if (m_fd >= 0) close(m_fd);
}

QString UdpSocket::bind(const QHostAddress& address, std::uint16_t port) {
  if (m_fd >= 0) close(m_fd);
  m_ipv4_only = address.protocol() == QAbstractSocket::IPv4Protocol;
  m_fd = socket(m_ipv4_only ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (m_fd < 0 && !m_ipv4_only && errno == EAFNOSUPPORT && address == QHostAddress(QHostAddress::AnyIPv6))
    return bind(QHostAddress(QHostAddress::AnyIPv4), port);  // a kernel without IPv6
  if (m_fd < 0) return QString::fromLocal8Bit(std::strerror(errno));

  const int on = 1, off = 0, wanted = 4 << 20;
  if (!m_ipv4_only) setsockopt(m_fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  setsockopt(m_fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
  if (setsockopt(m_fd, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, sizeof wanted) != 0)
    setsockopt(m_fd, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
  int granted = 0;
  socklen_t size = sizeof granted;
  getsockopt(m_fd, SOL_SOCKET, SO_RCVBUF, &granted, &size);
  m_receive_buffer = static_cast<std::uint64_t>(granted) / 2;  // the kernel doubles it for its own book-keeping

  int bound = 0;
  if (m_ipv4_only) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(address.toIPv4Address());
    bound = ::bind(m_fd, reinterpret_cast<sockaddr*>(&to), sizeof to);
  } else {
    sockaddr_in6 to{};
    to.sin6_family = AF_INET6;
    to.sin6_port = htons(port);
    const Q_IPV6ADDR bytes = address.toIPv6Address();
    std::memcpy(&to.sin6_addr, &bytes, sizeof to.sin6_addr);
    bound = ::bind(m_fd, reinterpret_cast<sockaddr*>(&to), sizeof to);
  }
  if (bound != 0) return QString::fromLocal8Bit(std::strerror(errno));
  sockaddr_in6 local{};
  size = sizeof local;
  getsockname(m_fd, reinterpret_cast<sockaddr*>(&local), &size);
  m_port = ntohs(local.sin6_port);  // at the same place in both families
  return {};
}

const std::vector<Datagram>& UdpSocket::receive() {
  Buffers& b = *m_buffers;
  for (std::size_t i = 0; i < batch; ++i) {
    b.vectors[i] = {b.bytes.get() + i * datagram_bytes, datagram_bytes};
    msghdr& message = b.messages[i].msg_hdr;
    message = {};
    message.msg_name = &b.senders[i];
    message.msg_namelen = sizeof b.senders[i];
    message.msg_iov = &b.vectors[i];
    message.msg_iovlen = 1;
    message.msg_control = b.controls[i].data();
    message.msg_controllen = b.controls[i].size();
  }
  m_received.clear();
  const int count = recvmmsg(m_fd, b.messages.data(), batch, MSG_DONTWAIT, nullptr);
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(0, count)); ++i) {
    Datagram datagram{b.bytes.get() + i * datagram_bytes, b.messages[i].msg_len, mapped(b.senders[i])};
    datagram.from_loopback = is_loopback(datagram.from);
    m_received.push_back(datagram);
    msghdr& message = b.messages[i].msg_hdr;
    for (cmsghdr* c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SO_RXQ_OVFL) continue;
      std::uint32_t drops = 0;
      std::memcpy(&drops, CMSG_DATA(c), sizeof drops);
      m_kernel_drops += drops - m_last_drops;
      m_last_drops = drops;
    }
  }
  return m_received;
}

bool UdpSocket::send(const std::string& bytes, const sockaddr_in6& to) {
  if (!m_ipv4_only)
    return sendto(m_fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&to),
                  sizeof to) >= 0;
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = to.sin6_port;
  std::memcpy(&v4.sin_addr, &to.sin6_addr.s6_addr[12], 4);
  return sendto(m_fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&v4),
                sizeof v4) >= 0;
}

}  // namespace macaw
