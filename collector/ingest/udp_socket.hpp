// SPDX-License-Identifier: GPL-3.0-or-later
// The receiving socket: bound here, drained in batches. A bare descriptor, not a QUdpSocket, because it is bound in
// the main thread (so that "port in use" is known at once) and read in the ingest thread, and because one recvmmsg
// takes 64 datagrams where readDatagram takes one.
#pragma once

#include <netinet/in.h>

#include <QHostAddress>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace macaw {

struct Datagram {
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;
  sockaddr_in6 from{};  // also for IPv4, mapped
  bool from_loopback = false;
  std::uint16_t port() const { return ntohs(from.sin6_port); }
};

class UdpSocket {
 public:
  UdpSocket();
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  // Empty, or what is wrong.
  QString bind(const QHostAddress& address, std::uint16_t port);

  // The next datagrams, without waiting; valid until the next call. Empty when there are none.
  const std::vector<Datagram>& receive();
  bool send(const std::string& bytes, const sockaddr_in6& to);

  int descriptor() const { return m_fd; }
  std::uint16_t port() const { return m_port; }
  std::uint64_t receive_buffer() const { return m_receive_buffer; }
  std::uint64_t kernel_drops() const { return m_kernel_drops; }

 private:
  static constexpr std::size_t batch = 64;
  static constexpr std::size_t datagram_bytes = 65536;
  struct Buffers;

  int m_fd = -1;
  bool m_ipv4_only = false;
  std::uint16_t m_port = 0;
  std::uint64_t m_receive_buffer = 0, m_kernel_drops = 0;
  std::uint32_t m_last_drops = 0;  // as the kernel counts, which wraps
  std::unique_ptr<Buffers> m_buffers;
  std::vector<Datagram> m_received;
};

}  // namespace macaw
