// SPDX-License-Identifier: GPL-3.0-or-later
// How much one address may send, so that a host that floods does not starve the others: a bucket of tokens for each,
// filled at `rate` a second, holding two seconds' worth. One thread; bounded: with too many addresses all begin anew.
#pragma once

#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace macaw {

class SourceLimit {
 public:
  explicit SourceLimit(double rate) : m_rate(rate) {}  // datagrams a second; 0: no limit

  // False: this address has sent too much of late.
  bool allows(const in6_addr& address, double now) {
    if (m_rate <= 0) return true;
    if (m_buckets.size() >= most_addresses) m_buckets.clear();
    Bucket& bucket = m_buckets.try_emplace(key(address), Bucket{2 * m_rate, now}).first->second;
    bucket.tokens = std::min(2 * m_rate, bucket.tokens + (now - bucket.filled) * m_rate);
    bucket.filled = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

 private:
  struct Bucket {
    double tokens = 0, filled = 0;
  };
  // An IPv6 network of 64 bits is one host's to choose addresses from; the whole of an IPv4 address lies behind that.
  struct Key {
    std::uint64_t network = 0, host = 0;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const { return (k.network ^ k.host) * 0x9e3779b97f4a7c15u; }
  };
  static Key key(const in6_addr& address) {
    Key key;
    std::memcpy(&key.network, &address, sizeof key.network);
    if (IN6_IS_ADDR_V4MAPPED(&address) || IN6_IS_ADDR_LOOPBACK(&address))
      std::memcpy(&key.host, &address.s6_addr[8], sizeof key.host);
    return key;
  }
  static constexpr std::size_t most_addresses = 4096;

  double m_rate;
  std::unordered_map<Key, Bucket, Hash> m_buckets;
};

}  // namespace macaw
