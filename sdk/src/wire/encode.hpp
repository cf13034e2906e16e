// SPDX-License-Identifier: MIT
// Values to bytes: rows are encoded one by one and packed into datagrams that never exceed the size limit.
// A row that was encoded stands alone; a packer starts the next datagram when one is full. Thread-safe: no state
// outside the objects. The encoder writes shortest-form, definite-length CBOR.
#pragma once

#include <memory>

#include "sdk/src/wire/report.hpp"
#include "sdk/src/wire/shorten.hpp"

namespace macaw::wire {

inline constexpr std::size_t min_mtu = 1024;  // what the largest row needs, with some room for sealing below 1200
inline constexpr std::size_t default_mtu = 1200;
inline constexpr std::size_t max_mtu = 65507;  // what UDP over IPv4 carries

// Appends one whole report as CBOR (paths from report.names), nothing shortened; for tests and hand-made reports.
void encode(const Report& report, std::string& out);

// Appends an answer of at most `limit` bytes, leaving out the ranges that do not fit: metrics first, then logs, then
// reports. The 45 bytes of an answer without ranges are always written.
void encode(const Answer& answer, std::string& out, std::size_t limit = default_mtu);

// A path as encode_path() made it, for rows that are sent again and again; empty: the root.
struct EncodedPath {
  Text bytes;
};
std::string encode_path(const Text* names, std::size_t depth);

// What stands in every datagram of a job.
struct Header {
  JobId job{};
  double up = 0, t = 0;
  std::optional<double> next;
};

// Packs encoded rows into datagrams. Usage: begin(header, seq); add_*() as often as needed; finish(). A datagram that
// is full goes to `sink` under the next sequence number, and the packer goes on with the next one.
// add_*() returns the sequence number of the datagram that will carry the row, so that the owner can mark it sent.
// Every row fits: a text beyond its limit is cut, a path beyond its limit loses its middle. Log lines that may be long
// go through split_log(line, log_piece_bytes(...), ...). The bytes given to `sink` stand until `standing` more
// datagrams are complete, so that several can leave in one system call. Allocates in the constructor only. One packer,
// one thread.
class Packer {
 public:
  using Sink = void (*)(void* context, const char* data, std::size_t size, std::uint64_t seq);
  static constexpr std::size_t standing = 8;
  // `mtu` is brought into min_mtu..max_mtu.
  Packer(std::size_t mtu, Sink sink, void* context);

  void begin(const Header& header, std::uint64_t first_seq);
  std::uint64_t add_hello(const Hello& hello);
  std::uint64_t add_finish(const Finish& finish);
  std::uint64_t add_usage(const Usage& usage);
  std::uint64_t add_bar(const Bar& bar, const Text* path, std::size_t depth);
  std::uint64_t add_stage(const Stage& stage, const Text* path, std::size_t depth);
  std::uint64_t add_bar(const Bar& bar, EncodedPath path);
  std::uint64_t add_stage(const Stage& stage, EncodedPath path);
  std::uint64_t add_metric(const Metric& metric);
  std::uint64_t add_log(const Log& log, const Text* path, std::size_t depth);
  std::uint64_t add_log(const Log& log, EncodedPath path);
  std::uint64_t finish();  // sends what is left, if anything; returns the next free sequence number

  // The piece size for log lines of this stage. The same for every transmission, as pieces must be.
  std::size_t log_piece_bytes(const Text* path, std::size_t depth) const;
  std::size_t log_piece_bytes(EncodedPath path) const;

 private:
  // In the order in which they stand in a datagram.
  enum Section : std::size_t { hello, finish_, usage, bars, stages, metrics, logs, section_count };
  struct Rows {
    char* begin = nullptr;
    std::size_t size = 0, count = 0;
  };

  template <class... Row>
  std::uint64_t add(Section section, const Row&... row);
  void open_datagram();
  void send_datagram();
  void start_next();
  char* datagram() const { return memory_.get() + seq_ % (standing + 1) * mtu_; }

  std::size_t mtu_;
  Sink sink_;
  void* context_;
  Header header_;
  std::uint64_t seq_ = 1;  // of the datagram being filled
  std::size_t size_ = 0;   // of that datagram as it stands
  std::size_t header_size_ = 0;
  std::unique_ptr<char[]> memory_;  // the datagrams in turn, then each section's rows
  std::array<Rows, section_count> sections_;
};

}  // namespace macaw::wire
