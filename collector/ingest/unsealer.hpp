// SPDX-License-Identifier: GPL-3.0-or-later
// Opens sealed reports and seals their answers (PROTOCOL, Sealing): a key for each job and direction, and a window of
// numbers that were seen, so that a datagram recorded on the way tells nothing twice. One thread (ingest).
#pragma once

#include <bitset>
#include <string>
#include <unordered_map>

#include "collector/model/model.hpp"
#include "sdk/src/wire/seal.hpp"

namespace macaw {

// The numbers of one sender's datagrams: which of the newest 1,024 were here. Older ones count as seen.
class ReplayWindow {
 public:
  bool take(std::uint64_t seq);  // false: it was here before

 private:
  static constexpr std::uint64_t width = 1024;
  std::bitset<width> m_seen;
  std::uint64_t m_newest = 0;
};

class Unsealer {
 public:
  explicit Unsealer(std::string key) : m_key(std::move(key)) {}  // empty: opens nothing

  bool has_key() const { return !m_key.empty(); }

  // The report's bytes, valid until the next call; null when it was not sealed with this key for this job.
  const std::string* open(const wire::Envelope& envelope);
  // Of an opened report. False: it was here before.
  bool is_new(const wire::Envelope& envelope);
  // Of a job that was opened before.
  void seal(const model::JobId& job, const std::string& answer, std::string& out);

 private:
  struct Peer {
    wire::Seals seals;
    ReplayWindow window;
  };
  // Only who has the key gets in; beyond this all windows begin anew, and the model still knows a number when it comes
  // back.
  static constexpr std::size_t most_peers = 20'000;

  std::string m_key, m_text;
  std::unordered_map<model::JobId, Peer, model::JobIdHash> m_peers;
};

// The number that a report is sealed with; nothing when there is more in it than a number.
std::optional<std::uint64_t> sealed_seq(const wire::Envelope& envelope);

}  // namespace macaw
