// SPDX-License-Identifier: MIT
// A main for fuzz targets where there is no libFuzzer: replays a corpus, then mutates it for some seconds.
// Usage: fuzz_… [--seconds S] [--seed N] FILE_OR_FOLDER…
// Files ending in .hex hold hexadecimal text, .json and all others the bytes themselves. The seed is printed, and an
// input that crashes is found again by its number: --seed N always makes the same inputs.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

Bytes from_hex(const std::string& text) {
  Bytes bytes;
  std::string pair;
  for (const char c : text) {
    if (c <= ' ') continue;
    pair += c;
    if (pair.size() < 2) continue;
    bytes.push_back(static_cast<std::uint8_t>(std::strtol(pair.c_str(), nullptr, 16)));
    pair.clear();
  }
  return bytes;
}

Bytes read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return path.extension() == ".hex" ? from_hex(text) : Bytes(text.begin(), text.end());
}

std::vector<Bytes> read_corpus(const std::vector<fs::path>& places) {
  std::vector<Bytes> corpus;
  for (const fs::path& place : places) {
    if (!fs::is_directory(place)) {
      corpus.push_back(read(place));
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      if (entry.is_regular_file()) corpus.push_back(read(entry.path()));
    }
  }
  return corpus;
}

class Mutator {
 public:
  Mutator(const std::vector<Bytes>& corpus, std::uint64_t seed) : corpus_(corpus), random_(seed) {}

  Bytes next() {
    Bytes bytes = any();
    for (std::size_t i = 1 + below(5); i != 0; --i) mutate(bytes);
    return bytes;
  }

 private:
  const Bytes& any() { return corpus_[below(corpus_.size())]; }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  auto place(Bytes& bytes) { return bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size() + 1)); }

  void mutate(Bytes& bytes) {
    if (bytes.empty()) return bytes.push_back(static_cast<std::uint8_t>(random_()));
    std::uint8_t& byte = bytes[below(bytes.size())];
    switch (below(7)) {
      case 0: byte = static_cast<std::uint8_t>(random_()); break;
      case 1: byte = static_cast<std::uint8_t>(byte ^ 1u << below(8)); break;
      case 2: byte = static_cast<std::uint8_t>(byte + (below(2) != 0 ? 1 : -1)); break;
      case 3: bytes.insert(place(bytes), static_cast<std::uint8_t>(random_())); break;
      case 4: cut(bytes); break;
      case 5: splice(bytes); break;
      default: interesting(bytes); break;
    }
  }

  void cut(Bytes& bytes) {
    auto from = place(bytes), to = place(bytes);
    if (to < from) std::swap(from, to);
    if (to - from > 32) to = from + 32;
    bytes.erase(from, to);
  }

  void splice(Bytes& bytes) {
    const Bytes& other = any();
    if (other.empty() || bytes.size() > 65'000) return;
    const std::size_t from = below(other.size()), size = 1 + below(std::min<std::size_t>(64, other.size() - from));
    bytes.insert(place(bytes), other.begin() + static_cast<std::ptrdiff_t>(from),
                 other.begin() + static_cast<std::ptrdiff_t>(from + size));
  }

  // Bytes that mean something: breaks, unbounded and huge heads, null, NaN, quotes, broken UTF-8.
  void interesting(Bytes& bytes) {
    static const Bytes pieces[] = {{0xff},
                                   {0x9f},
                                   {0xbf},
                                   {0x7f},
                                   {0x5f},
                                   {0xf6},
                                   {0xf9, 0x7e, 0},
                                   {0xf9, 0x7c, 0},
                                   {0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                                   {0x9b, 0, 0, 0, 1, 0, 0, 0, 0},
                                   {0x7b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                                   {0xc1},
                                   {0xd8, 0x25},
                                   {'"'},
                                   {'\\', 'u'},
                                   {'{'},
                                   {'['},
                                   {'1', 'e', '9', '9', '9'},
                                   {0xed, 0xa0, 0x80},
                                   {0xc3},
                                   {0x80}};
    const Bytes& piece = pieces[below(std::size(pieces))];
    bytes.insert(place(bytes), piece.begin(), piece.end());
  }

  const std::vector<Bytes>& corpus_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  double seconds = 0;
  std::uint64_t seed = std::random_device{}();
  std::vector<fs::path> places;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--seconds" && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
    } else if (argument == "--seed" && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else {
      places.emplace_back(argument);
    }
  }
  const std::vector<Bytes> corpus = read_corpus(places);
  if (corpus.empty()) return std::fputs("no corpus\n", stderr), 2;
  std::printf("replay of %zu files, then %g s of mutations with --seed %llu\n", corpus.size(), seconds,
              static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  for (const Bytes& bytes : corpus) LLVMFuzzerTestOneInput(bytes.data(), bytes.size());

  Mutator mutator(corpus, seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  unsigned long long count = 0;
  for (; std::chrono::steady_clock::now() < end; ++count) {
    const Bytes bytes = mutator.next();
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%llu mutated inputs\n", count);
}
