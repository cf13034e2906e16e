// SPDX-License-Identifier: MIT
// The UDP transport on loopback sockets: it sends, it hears, it notices refusal, and nothing ever waits.
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "sdk/src/report/udp_transport.hpp"

namespace macaw::report {
namespace {

class Socket {
 public:
  Socket() : fd_(socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    socklen_t size = sizeof address;
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port = std::to_string(ntohs(address.sin_port));
  }
  ~Socket() { close(fd_); }

  std::string receive() {
    char buffer[2048];
    socklen_t size = sizeof from_;
    pollfd wait{fd_, POLLIN, 0};
    if (poll(&wait, 1, 2000) <= 0) return "nothing";
    const ssize_t got = recvfrom(fd_, buffer, sizeof buffer, 0, reinterpret_cast<sockaddr*>(&from_), &size);
    return {buffer, static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  }
  void answer(const std::string& text) {
    sendto(fd_, text.data(), text.size(), 0, reinterpret_cast<sockaddr*>(&from_), sizeof from_);
  }

  std::string port;

 private:
  int fd_;
  sockaddr_in from_{};
};

bool send(UdpTransport& transport, const char* data, std::size_t size) {
  Datagram one{data, size};
  transport.send(&one, 1);
  return one.fate == Datagram::Fate::taken;
}

std::string closed_port() { return Socket().port; }

double seconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

}  // namespace

TEST_CASE("datagrams go to every target, and answers come back") {
  Socket one, two;
  UdpTransport transport({{"127.0.0.1", one.port}, {"localhost", two.port}});
  REQUIRE(transport.ready(0));
  CHECK(send(transport, "hello", 5));
  CHECK(one.receive() == "hello");
  CHECK(two.receive() == "hello");
  two.answer("answer");
  char buffer[64];
  CHECK(transport.receive(buffer, sizeof buffer, 2) == 6);
  CHECK(transport.receive(buffer, sizeof buffer, 0) == 0);
  CHECK_FALSE(transport.refused());
}

TEST_CASE("a closed port is noticed, left alone for a second, and asked again") {
  const std::string port = closed_port();
  UdpTransport transport(std::vector<Target>{{"127.0.0.1", port}});
  char buffer[64];
  REQUIRE(transport.ready(0));
  send(transport, "x", 1);
  CHECK(transport.receive(buffer, sizeof buffer, 2) == 0);  // comes back with the refusal, not with time
  CHECK(transport.refused());
  CHECK_FALSE(transport.ready(0.5));
  CHECK_FALSE(send(transport, "x", 1));
  CHECK(transport.ready(1.5));
}

TEST_CASE("one target that refuses does not silence the other") {
  Socket open;
  UdpTransport transport({{"127.0.0.1", closed_port()}, {"127.0.0.1", open.port}});
  char buffer[64];
  transport.ready(0);
  send(transport, "1", 1);
  transport.receive(buffer, sizeof buffer, 0.2);
  CHECK_FALSE(transport.refused());
  CHECK(transport.ready(0.1));
  CHECK(send(transport, "2", 1));
  CHECK(open.receive() == "1");
  CHECK(open.receive() == "2");
}

TEST_CASE("an unknown host costs neither the start nor the end any time") {
  double best = 10;  // of a few, as the machine may be busy
  for (int i = 0; i < 5; ++i) {
    const auto from = std::chrono::steady_clock::now();
    {
      UdpTransport transport(std::vector<Target>{{"no-such-host.invalid", "6229"}});
      CHECK_FALSE(transport.ready(0));
      CHECK_FALSE(send(transport, "x", 1));
      char buffer[8];
      CHECK(transport.receive(buffer, sizeof buffer, 0) == 0);
    }
    best = std::min(best, seconds(from));
  }
  CHECK(best < 0.2);
}

TEST_CASE("the descriptors end with -1, also when there are more targets than it takes") {
  Socket socket;
  UdpTransport transport(std::vector<Target>(20, Target{"127.0.0.1", socket.port}));
  int descriptors[UdpTransport::max_targets + 1];
  transport.descriptors(descriptors);
  for (std::size_t i = 0; i < UdpTransport::max_targets; ++i) CHECK(descriptors[i] >= 0);
  CHECK(descriptors[UdpTransport::max_targets] == -1);
}

}  // namespace macaw::report
