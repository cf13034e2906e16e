// SPDX-License-Identifier: MIT
// How datagrams leave the job. The reporter knows only this face, so that tests can lose what they like.
#pragma once

#include <cstddef>
#include <cstdint>

namespace macaw::report {

struct Datagram {
  const char* data;
  std::size_t size;
  enum class Fate : std::uint8_t { unsent, taken, too_large } fate = Fate::unsent;
};

class Transport {
 public:
  virtual ~Transport() = default;
  // Whether a datagram would go anywhere now. False while names are being resolved, and after a refusal for a while.
  virtual bool ready(double now) = 0;
  // Each datagram to every target; tells the fate of each: `taken` if anybody took it. Never blocks.
  virtual void send(Datagram* datagrams, std::size_t count) = 0;
  // One waiting datagram into `buffer`; its size, or 0 when there is none. Waits at most `wait` seconds for it.
  virtual std::size_t receive(char* buffer, std::size_t size, double wait) = 0;
  // Every target has said that nobody listens there.
  virtual bool refused() const = 0;
};

}  // namespace macaw::report
