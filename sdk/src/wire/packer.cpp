// SPDX-License-Identifier: MIT
// The packer keeps the rows of each section in a buffer of its own and joins them behind the header when a datagram is
// full: then the counts are known, and rows may come in any order.
#include "sdk/src/wire/encode.hpp"
#include "sdk/src/wire/rows.hpp"

namespace macaw::wire {
namespace {

// A section's key, and whether it is an array of rows.
struct SectionHead {
  Text key;
  bool is_array;
};
constexpr SectionHead heads[] = {{"hello", false}, {"finish", false}, {"usage", false}, {"bars", true},
                                 {"stages", true}, {"metrics", true}, {"logs", true}};

// The largest header: the map's head, v, job, seq, up, t, next.
constexpr std::size_t max_header = 1 + 3 + 21 + 13 + 12 + 11 + 14;
constexpr std::size_t max_section_head = 8 + 3;

constexpr std::size_t row_limit(std::size_t mtu) { return mtu - max_header - max_section_head; }

// What a row adds to its datagram besides itself: the section's head, and its growth as the count does.
std::size_t head_growth(const SectionHead& head, std::size_t count) {
  if (count == 0) return 1 + head.key.size() + (head.is_array ? 1 : 0);
  return head_size(count + 1) - head_size(count);
}

}  // namespace

Packer::Packer(std::size_t mtu, Sink sink, void* context)
    : mtu_(std::clamp(mtu, min_mtu, max_mtu)), sink_(sink), context_(context) {
  // A section's rows fill a datagram at most, and one row more that turns out to belong to the next.
  const std::size_t section_size = 2 * mtu_;
  const std::size_t datagrams_size = (standing + 1) * mtu_;
  memory_.reset(new char[datagrams_size + section_count * section_size]);  // as it is: most of it may never be used
  for (std::size_t i = 0; i < section_count; ++i)
    sections_[i].begin = memory_.get() + datagrams_size + i * section_size;
}

void Packer::begin(const Header& header, std::uint64_t first_seq) {
  header_ = header;
  seq_ = first_seq;
  for (Rows& rows : sections_) rows.size = rows.count = 0;
  open_datagram();
}

void Packer::open_datagram() {
  RawOut out{datagram()};
  Map map(out);
  map.entry("v", protocol_version);
  map.entry("job", header_.job);
  map.entry("seq", seq_);
  map.entry("up", header_.up);
  map.entry("t", header_.t);
  map.unless_default("next", header_.next);
  size_ = header_size_ = map.size();
}

void Packer::send_datagram() {
  RawOut out{datagram() + header_size_};
  unsigned entries = header_.next ? 6 : 5;
  for (std::size_t i = 0; i < section_count; ++i) {
    Rows& rows = sections_[i];
    if (rows.count == 0) continue;
    ++entries;
    put(out, heads[i].key);
    if (heads[i].is_array) put_head(out, array_item, rows.count);
    out.bytes(rows.begin, rows.size);
    rows.size = rows.count = 0;
  }
  char* const begin = datagram();
  *begin = static_cast<char>(0xA0 + entries);
  sink_(context_, begin, static_cast<std::size_t>(out.p - begin), seq_++);
}

void Packer::start_next() {
  send_datagram();
  open_datagram();
}

template <class... Row>
std::uint64_t Packer::add(Section section, const Row&... row) {
  Rows& rows = sections_[section];
  const SectionHead& head = heads[section];
  if (rows.count != 0 && !head.is_array) start_next();
  const char* const start = rows.begin + rows.size;
  RawOut out{rows.begin + rows.size};
  put_row(out, limits_for_row(row_limit(mtu_)), row...);
  const auto size = static_cast<std::size_t>(out.p - start);
  if (size_ + size + head_growth(head, rows.count) > mtu_) {
    start_next();
    std::memmove(rows.begin, start, size);
  }
  size_ += size + head_growth(head, rows.count);
  rows.size += size;
  ++rows.count;
  return seq_;
}

std::uint64_t Packer::add_hello(const Hello& row) { return add(hello, row); }
std::uint64_t Packer::add_finish(const Finish& row) { return add(finish_, row); }
std::uint64_t Packer::add_usage(const Usage& row) { return add(usage, row); }
std::uint64_t Packer::add_bar(const Bar& row, const Text* path, std::size_t depth) {
  return add(bars, row, path, depth);
}
std::uint64_t Packer::add_stage(const Stage& row, const Text* path, std::size_t depth) {
  return add(stages, row, path, depth);
}
std::uint64_t Packer::add_metric(const Metric& row) { return add(metrics, row); }
std::uint64_t Packer::add_log(const Log& row, const Text* path, std::size_t depth) {
  return add(logs, row, path, depth);
}

std::uint64_t Packer::add_bar(const Bar& row, EncodedPath path) { return add(bars, row, path); }
std::uint64_t Packer::add_stage(const Stage& row, EncodedPath path) { return add(stages, row, path); }
std::uint64_t Packer::add_log(const Log& row, EncodedPath path) { return add(logs, row, path); }

std::uint64_t Packer::finish() {
  if (size_ > header_size_) send_datagram();
  return seq_;
}

std::size_t Packer::log_piece_bytes(EncodedPath path) const {
  // Everything in a log row but its text: no, up, level, part, cut, the keys and heads.
  constexpr std::size_t fixed = 1 + 12 + 12 + 15 + 16 + 13 + 8 + 6;
  return row_limit(mtu_) - fixed - std::min(path.bytes.size(), max_path_bytes);
}

std::size_t Packer::log_piece_bytes(const Text* path, std::size_t depth) const {
  char encoded[max_path_bytes + 16];
  RawOut out{encoded};
  put_path(out, path, depth, limits_for_row(row_limit(mtu_)));
  return log_piece_bytes(EncodedPath{{encoded, static_cast<std::size_t>(out.p - encoded)}});
}

}  // namespace macaw::wire
