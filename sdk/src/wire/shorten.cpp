// SPDX-License-Identifier: MIT
#include "sdk/src/wire/shorten.hpp"

#include "sdk/src/wire/cbor_writer.hpp"
#include "sdk/src/wire/utf8.hpp"

namespace macaw::wire {
namespace {

constexpr Text ellipsis = "\xE2\x80\xA6";

// What a name takes in a path, where it is cut to max_name_bytes.
std::size_t encoded_size(Text name) {
  const std::size_t size = std::min(name.size(), max_name_bytes);
  return head_size(size) + size;
}

// FNV-1a over each name and a zero byte behind it; sdk/PROTOCOL.md fixes it for every language.
std::uint32_t hash_names(const Text* begin, const Text* end) {
  std::uint32_t hash = 2166136261u;
  const auto add = [&hash](unsigned char byte) { hash = (hash ^ byte) * 16777619u; };
  for (; begin != end; ++begin) {
    for (const char c : *begin) add(static_cast<unsigned char>(c));
    add(0);
  }
  return hash;
}

}  // namespace

std::string shorten(Text text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  constexpr std::size_t mark = 3 + 1 + 20;  // the ellipsis, a plus, any number
  const std::size_t cut = cut_text(text, limit > mark ? limit - mark : 0);
  std::string result(text);
  return result.append(ellipsis).append("+").append(std::to_string(cut));
}

ShortPath shorten_path(const Text* path, std::size_t depth, std::size_t limit) noexcept {
  ShortPath result;
  std::size_t size = head_size(depth);
  for (std::size_t i = 0; i < depth; ++i) size += encoded_size(path[i]);
  if (size <= limit) {
    result.head = depth;
    return result;
  }
  result.is_cut = true;
  const std::size_t overhead = head_size(depth) + encoded_size(result.mark_text());
  std::size_t left = limit > overhead ? limit - overhead : 0;
  const auto keep = [&left](Text name) {
    const bool fits = encoded_size(name) <= left;
    if (fits) left -= encoded_size(name);
    return fits;
  };
  // The last name says most, then the first; from there inwards, from both ends in turn.
  bool back = true, front = true;
  while (back || front) {
    back = back && result.head + result.tail < depth && keep(path[depth - 1 - result.tail]);
    if (back) ++result.tail;
    front = front && result.head + result.tail < depth && keep(path[result.head]);
    if (front) ++result.head;
  }
  std::uint32_t hash = hash_names(path + result.head, path + depth - result.tail);
  std::copy(ellipsis.begin(), ellipsis.end(), result.mark.begin());
  for (std::size_t i = result.mark.size(); i-- > ellipsis.size(); hash >>= 4) {
    result.mark[i] = "0123456789abcdef"[hash & 15];
  }
  return result;
}

Text take_piece(Text& rest, std::size_t limit) noexcept {
  Text piece = rest;
  cut_text(piece, limit);
  rest.remove_prefix(piece.size());
  return piece;
}

}  // namespace macaw::wire
