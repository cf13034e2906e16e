// SPDX-License-Identifier: MIT
// Texts, paths and log lines that are too long.
#include <doctest/doctest.h>

#include "sdk/src/wire/utf8.hpp"
#include "tests/sdk/wire/support.hpp"

namespace macaw::wire {
namespace {

TEST_CASE("text is cut at a character boundary and says by how much") {
  Text text = "aé€🦜";  // 1 + 2 + 3 + 4 bytes
  const std::size_t kept[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (std::size_t limit = 1; limit < std::size(kept); ++limit) {
    Text cut = text;
    CHECK(cut_text(cut, limit) == text.size() - kept[limit]);
    CHECK(cut == text.substr(0, kept[limit]));
  }
}

TEST_CASE("bytes that are no text are cut anywhere") {
  Text text = "\x80\x80\x80\x80\x80\x80\x80\x80";
  CHECK(cut_text(text, 5) == 3);
}

TEST_CASE("a shortened text fits and tells the bytes that it lost") {
  CHECK(shorten("short", 32) == "short");
  CHECK(shorten(std::string(32, 'x'), 32) == std::string(32, 'x'));
  const std::string shortened = shorten(std::string(20'000, 'x'), 256);
  CHECK(shortened.size() <= 256);
  CHECK(shortened == std::string(232, 'x') + "…+19768");
}

ShortPath shortened(const std::vector<Text>& path, std::size_t limit) {
  return shorten_path(path.data(), path.size(), limit);
}

TEST_CASE("a path that fits is left alone") {
  const std::vector<Text> path{"a", "b", "c"};
  const ShortPath kept = shortened(path, 7);  // a head, and three times two
  CHECK(!kept.is_cut);
  CHECK(kept.size() == 3);
}

TEST_CASE("the mark is one that every language computes alike") {
  const ShortPath replaced = shortened({"x", "y"}, 0);
  CHECK(replaced.is_cut);
  CHECK(replaced.head + replaced.tail == 0);
  CHECK(replaced.mark_text() == "…755ae35c");  // as in sdk/PROTOCOL.md
}

TEST_CASE("the last name is kept before the first, and both before the rest") {
  const std::string names[] = {std::string(200, 'a'), std::string(200, 'b'), std::string(200, 'c'),
                               std::string(200, 'd'), std::string(20, 'e')};
  std::vector<Text> path(std::begin(names), std::end(names));
  const ShortPath kept = shortened(path, 600);
  CHECK(kept.is_cut);
  CHECK(kept.head == 1);
  CHECK(kept.tail == 2);
}

TEST_CASE("a line is split into pieces that join to the line") {
  std::string text;
  while (text.size() < 5000) text += "añ€🦜";
  Log line;
  line.no = 7;
  line.text = text;
  for (const std::size_t limit : {4u, 5u, 100u, 999u, 5000u, 6000u}) {
    std::string joined;
    std::uint32_t expected = 1;
    split_log(line, limit, [&](const Log& piece) {
      CHECK(piece.no == 7);
      CHECK(piece.part == expected++);
      CHECK(piece.text.size() <= limit);
      CHECK(is_utf8(piece.text));
      CHECK(piece.cut == 0);
      joined += piece.text;
      CHECK((piece.part == piece.parts) == (joined.size() == text.size()));
    });
    CHECK(joined == text);
  }
}

TEST_CASE("an empty line is one piece, and a line beyond 16 KiB is cut") {
  int pieces = 0;
  Log line;
  split_log(line, 100, [&](const Log& piece) { pieces += static_cast<int>(piece.parts); });
  CHECK(pieces == 1);
  const std::string text(20'000, 'x');
  line.text = text;
  std::size_t size = 0;
  split_log(line, 1000, [&](const Log& piece) {
    size += piece.text.size();
    CHECK(piece.cut == 20'000 - max_log_bytes);
    CHECK(piece.parts == 17);
  });
  CHECK(size == max_log_bytes);
}

TEST_CASE("UTF-8 is told from what is not") {
  for (const char* text : {"", "ascii only, and longer than a word", "é", "€", "🦜", "\xF4\x8F\xBF\xBF",
                           "\xED\x9F\xBF", "\xEE\x80\x80"}) {
    CHECK(is_utf8(text));
  }
  for (const char* text : {"\x80", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE2\x82", "\xED\xA0\x80",
                           "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "12345678\x97",
                           "aaaaaaa\xC3"
                           "b"}) {
    CHECK(!is_utf8(text));
  }
}

TEST_CASE("each broken sequence becomes one replacement character") {
  CHECK(repaired_utf8("ab\x97"
                      "cd") == "ab\uFFFDcd");
  CHECK(repaired_utf8("\xE2\x82"
                      "x") == "\uFFFDx");
  CHECK(repaired_utf8("\xF0\x9F\xA6") == "\uFFFD");
  CHECK(repaired_utf8("\xC0\x80") == "\uFFFD\uFFFD");
  CHECK(repaired_utf8("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");
  CHECK(repaired_utf8("é\xFF🦜") == "é\uFFFD🦜");
}

}  // namespace
}  // namespace macaw::wire
