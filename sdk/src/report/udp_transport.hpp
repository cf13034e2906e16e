// SPDX-License-Identifier: MIT
// Non-blocking UDP to one or more collectors, a batch of datagrams in one system call. Nothing that goes wrong is worth
// more than a pause:
//   refused, forbidden, unreachable   the target's next address at once, or after the last one a pause of a second
//   no buffers, a full queue          nothing more in this round
//   too large for the way             that datagram is left out
// Names are resolved in a thread of their own, again and again until it works, and once more for every half minute
// without an answer, as a collector may have moved: the socket is then exchanged under its number.
// Threads: the reporter's; a resolver shares only the list that it found, which outlives this object, so leaving never
// waits for a slow one.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sdk/src/report/network.hpp"
#include "sdk/src/report/transport.hpp"
#include "sdk/src/wire/encode.hpp"

namespace macaw::report {

class UdpTransport : public Transport {
 public:
  explicit UdpTransport(const std::vector<Target>& targets,
                        std::shared_ptr<Network> network = std::make_shared<Network>());
  ~UdpTransport() override;
  UdpTransport(const UdpTransport&) = delete;
  UdpTransport& operator=(const UdpTransport&) = delete;

  bool ready(double now) override;
  void send(Datagram* datagrams, std::size_t count) override;
  std::size_t receive(char* buffer, std::size_t size, double wait) override;
  bool refused() const override;

  // Connected descriptors, for the signal handler's last datagram; -1 behind the last.
  static constexpr std::size_t max_targets = 8;
  void descriptors(int (&out)[max_targets + 1]) const;

  static constexpr double longest_silence = 30;  // s without an answer, until a name is looked up again

 private:
  struct Peer;
  void start_resolver(const std::shared_ptr<Peer>& peer);
  void take_found(Peer& peer);
  void open(Peer& peer);
  void send(Peer& peer, Datagram* datagrams, std::size_t count);
  void take_refusal(Peer& peer);

  const std::shared_ptr<Network> network_;
  std::vector<std::shared_ptr<Peer>> peers_;
  double now_ = 0;
  std::array<mmsghdr, wire::Packer::standing> messages_{};
  std::array<iovec, wire::Packer::standing> parts_{};
};

}  // namespace macaw::report
