// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/ingest/unsealer.hpp"

#include <sodium.h>

#include <algorithm>

namespace macaw {

namespace {

const wire::Sodium& linked_sodium() {
  static const wire::Sodium sodium = [] {
    if (sodium_init() < 0) std::abort();  // no source of random numbers: nothing can be kept secret here
    return wire::Sodium{crypto_aead_chacha20poly1305_ietf_encrypt, crypto_aead_chacha20poly1305_ietf_decrypt,
                        crypto_auth_hmacsha256, randombytes_buf};
  }();
  return sodium;
}

}  // namespace

bool ReplayWindow::take(std::uint64_t seq) {
  if (seq > m_newest) {
    const std::uint64_t ahead = seq - m_newest;
    m_seen = ahead < width ? m_seen << static_cast<std::size_t>(ahead) : std::bitset<width>();
    m_newest = seq;
  }
  const std::uint64_t age = m_newest - seq;
  if (age >= width || m_seen[static_cast<std::size_t>(age)]) return false;
  m_seen.set(static_cast<std::size_t>(age));
  return true;
}

std::optional<std::uint64_t> sealed_seq(const wire::Envelope& envelope) {
  std::uint64_t seq = 0;
  for (std::size_t i = 0; i < envelope.iv.size(); ++i) {
    if (i < 4 && envelope.iv[i] != 0) return std::nullopt;
    seq = seq << 8 | envelope.iv[i];
  }
  return seq;
}

const std::string* Unsealer::open(const wire::Envelope& envelope) {
  if (const auto found = m_peers.find(envelope.job); found != m_peers.end())
    return found->second.seals.reports.open(envelope, m_text) ? &m_text : nullptr;
  const wire::Seals seals(linked_sodium(), m_key, envelope.job);
  if (!seals.reports.open(envelope, m_text)) return nullptr;
  if (m_peers.size() >= most_peers) m_peers.clear();
  m_peers.emplace(envelope.job, Peer{seals, ReplayWindow()});
  return &m_text;
}

bool Unsealer::is_new(const wire::Envelope& envelope) {
  return m_peers.at(envelope.job).window.take(sealed_seq(envelope).value_or(0));
}

void Unsealer::seal(const model::JobId& job, const std::string& answer, std::string& out) {
  m_peers.at(job).seals.answers.seal_at_random(answer, out);
}

}  // namespace macaw
