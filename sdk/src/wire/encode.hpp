// SPDX-License-Identifier: MIT
// Values to bytes: rows are encoded one by one and packed into datagrams that never exceed the size limit.
// A row that was encoded stands alone; a packer starts the next datagram when one is full. Thread-safe: no state
// outside the objects. The encoder writes shortest-form, definite-length CBOR.
#pragma once

#include "sdk/src/wire/report.hpp"

namespace macaw::wire {

inline constexpr std::size_t default_mtu = 1200;
inline constexpr std::size_t max_path_bytes = 600;
inline constexpr std::size_t max_name_bytes = 256;
inline constexpr std::size_t max_note_bytes = 512;
inline constexpr std::size_t max_log_bytes = 16 * 1024;

// Appends one whole report as CBOR (paths from report.names); for tests, vectors and answers' peers.
void encode(const Report& report, std::string& out);
void encode(const Answer& answer, std::string& out);

// What stands in every datagram of a job.
struct Header {
  JobId job{};
  double up = 0, t = 0;
  std::optional<double> next;
};

// Packs encoded rows into datagrams. Usage: begin(header); add_*() as often as needed; finish(). A datagram that is
// full goes to `sink` with the sequence number taken from `next_seq`, and the packer goes on with the next one.
// add_*() returns the sequence number of the datagram that will carry the row, so that the owner can mark it sent.
// A row that does not fit an empty datagram is impossible by the field limits above (texts are cut before).
class Packer {
 public:
  using Sink = void (*)(void* context, const char* data, std::size_t size, std::uint64_t seq);
  Packer(std::size_t mtu, Sink sink, void* context);

  void begin(const Header& header, std::uint64_t first_seq);
  std::uint64_t add_hello(const Hello& hello);
  std::uint64_t add_finish(const Finish& finish);
  std::uint64_t add_usage(const Usage& usage);
  std::uint64_t add_bar(const Bar& bar, const Text* path, std::size_t depth);
  std::uint64_t add_stage(const Stage& stage, const Text* path, std::size_t depth);
  std::uint64_t add_metric(const Metric& metric);
  std::uint64_t add_log(const Log& log, const Text* path, std::size_t depth);
  std::uint64_t finish();  // sends what is left; returns the next free sequence number

 private:
  struct Impl;
  // (the owner of this file shapes the members)
};

// Cuts `text` to at most `limit` bytes at a character boundary; returns how many bytes were cut.
std::size_t cut_text(Text& text, std::size_t limit) noexcept;

}  // namespace macaw::wire
