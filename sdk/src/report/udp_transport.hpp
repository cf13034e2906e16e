// SPDX-License-Identifier: MIT
// Non-blocking UDP to one or more collectors. Names are resolved in a thread of their own, again and again until it
// works; an address that refuses is asked once a second until it does not. Threads: the reporter's; the resolver shares
// only the list of addresses, which outlives this object, so leaving never waits for a slow resolver.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "sdk/src/report/settings.hpp"
#include "sdk/src/report/transport.hpp"

namespace macaw::report {

class UdpTransport : public Transport {
 public:
  explicit UdpTransport(std::vector<Target> targets);
  ~UdpTransport() override;
  UdpTransport(const UdpTransport&) = delete;
  UdpTransport& operator=(const UdpTransport&) = delete;

  bool ready(double now) override;
  bool send(const char* data, std::size_t size) override;
  std::size_t receive(char* buffer, std::size_t size, double wait) override;
  bool refused() const override;

  // Connected descriptors, for the signal handler's last datagram; -1 behind the last.
  static constexpr std::size_t max_targets = 8;
  void descriptors(int (&out)[max_targets + 1]) const;

 private:
  struct Peer;
  void take_refusal(Peer& peer);

  std::vector<std::shared_ptr<Peer>> peers_;
  double now_ = 0;
};

}  // namespace macaw::report
