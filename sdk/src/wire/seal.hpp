// SPDX-License-Identifier: MIT
// Sealed reports (PROTOCOL, Sealing): COSE_Encrypt0 (RFC 9052) with ChaCha20/Poly1305, a key for each job and
// direction. The arithmetic is libsodium's; which one is the caller's choice: a receiver links it, a job loads it when
// it has a key. A Sealer has no state that changes: any thread. Nothing here throws.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "sdk/src/wire/report.hpp"

namespace macaw::wire {

// The functions of libsodium that sealing needs, by their names there without the prefix "crypto_".
struct Sodium {
  int (*aead_encrypt)(unsigned char* out, unsigned long long* out_size, const unsigned char* text,
                      unsigned long long size, const unsigned char* extra, unsigned long long extra_size,
                      const unsigned char* unused, const unsigned char* nonce, const unsigned char* key) = nullptr;
  int (*aead_decrypt)(unsigned char* out, unsigned long long* out_size, unsigned char* unused,
                      const unsigned char* sealed, unsigned long long size, const unsigned char* extra,
                      unsigned long long extra_size, const unsigned char* nonce, const unsigned char* key) = nullptr;
  int (*hmac)(unsigned char* out, const unsigned char* text, unsigned long long size,
              const unsigned char* key) = nullptr;  // HMAC-SHA-256 with a key of 32 bytes
  void (*random)(void* out, std::size_t size) = nullptr;
};

// Where a seal lies in a datagram.
struct Envelope {
  JobId job{};
  std::array<std::uint8_t, 12> iv{};
  const std::uint8_t* sealed = nullptr;
  std::size_t size = 0;
};

// False when these bytes are no envelope of ours.
bool read_envelope(const std::uint8_t* data, std::size_t size, Envelope& envelope) noexcept;

// A shared key is text that people can copy; this many characters at least.
inline constexpr std::size_t least_key = 16;
inline constexpr std::string_view report_seal = "macaw v1", answer_seal = "macaw v1 answer";

class Sealer {
 public:
  // More bytes in a sealed datagram than in its text.
  static constexpr std::size_t overhead = 59;

  Sealer(const Sodium& sodium, std::string_view shared_key, const JobId& job, std::string_view direction) noexcept;

  // A report's number seals it; no number may be used twice.
  void seal(std::uint64_t seq, std::string_view text, std::string& out) const;
  void seal_at_random(std::string_view text, std::string& out) const;  // an answer
  // False when it was not sealed by this key, for this job, in this direction, or was changed on the way.
  bool open(const Envelope& envelope, std::string& out) const;

 private:
  using Iv = std::array<std::uint8_t, 12>;
  void seal(const Iv& iv, std::string_view text, std::string& out) const;

  const Sodium& sodium_;
  JobId job_;
  std::array<unsigned char, 32> key_{};
};

// Both directions of one job.
struct Seals {
  Sealer reports, answers;
  Seals(const Sodium& sodium, std::string_view shared_key, const JobId& job) noexcept
      : reports(sodium, shared_key, job, report_seal), answers(sodium, shared_key, job, answer_seal) {}
};

}  // namespace macaw::wire
