// SPDX-License-Identifier: MIT
// Packing a row and decoding into a used Report allocate nothing; without memory decoding refuses.
#include <doctest/doctest.h>

#include <cstdlib>
#include <new>

#include "tests/sdk/wire/support.hpp"

namespace {
std::size_t allocations = 0;
bool exhausted = false;
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  void* memory = exhausted ? nullptr : std::malloc(size != 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace macaw::wire {
namespace {

TEST_CASE("rows are packed without allocating") {
  std::size_t bytes = 0;
  Packer packer(
      default_mtu,
      [](void* sum, const char*, std::size_t size, std::uint64_t) { *static_cast<std::size_t*>(sum) += size; }, &bytes);
  const std::string long_name(300, 'x');
  const Text path[] = {long_name, long_name, long_name, "leaf"};
  Log log;
  log.text = long_name;
  const std::size_t before = allocations;
  packer.begin({}, 1);
  for (int i = 0; i < 100; ++i) {
    packer.add_bar({}, path, 4);
    packer.add_stage({}, path, 1);
    packer.add_metric({});
    split_log(log, packer.log_piece_bytes(path, 2), [&](const Log& piece) { packer.add_log(piece, path, 2); });
  }
  packer.finish();
  CHECK(allocations == before);
  CHECK(bytes > 10'000);
}

TEST_CASE("a used report takes the next datagram without allocating") {
  const std::string bytes = from_hex(read_file(vectors() / "stages.hex"));
  Report report;
  REQUIRE(decode(bytes, report) == Decoded::ok);
  const std::size_t before = allocations;
  for (int i = 0; i < 10; ++i) decode(bytes, report);
  CHECK(allocations == before);
}

TEST_CASE("without memory a datagram is refused, and the next one read") {
  const std::string bytes = from_hex(read_file(vectors() / "stages.hex"));
  const std::string answer_bytes = from_hex(read_file(vectors() / "answer.hex"));
  Report report;
  Answer answer;
  exhausted = true;
  const Decoded decoded = decode(bytes, report);
  const Decoded decoded_answer = decode(answer_bytes, answer);
  exhausted = false;
  CHECK(decoded == Decoded::no_memory);
  CHECK(decoded_answer == Decoded::no_memory);
  CHECK(decode(bytes, report) == Decoded::ok);
}

}  // namespace
}  // namespace macaw::wire
