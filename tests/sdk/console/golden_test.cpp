// SPDX-License-Identifier: MIT
// The console's words against tests/golden/console-*.txt, to the byte: each case plays one job through the writer.
#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "sdk/src/console/format.hpp"
#include "sdk/src/console/writer.hpp"

namespace macaw::console {
namespace {

std::string golden(const std::string& name) {
  const char* source = std::getenv("MACAW_SOURCE_DIR");
  std::ifstream in(std::string(source ? source : ".") + "/tests/golden/console-" + name + ".txt", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A writer on a file, and what stands in it.
class Paper {
 public:
  explicit Paper(Mode mode = Mode::plain) : file_(std::tmpfile()), writer(fileno(file_), mode) {}
  ~Paper() { std::fclose(file_); }
  std::string text() const {
    std::string out;
    char buffer[4096];
    off_t at = 0;
    for (ssize_t size; (size = pread(fileno(file_), buffer, sizeof buffer, at)) > 0; at += size) {
      out.append(buffer, static_cast<std::size_t>(size));
    }
    return out;
  }

 private:
  FILE* file_;

 public:
  Writer writer;
};

Snapshot job(const std::string& name, std::int64_t pid = 7) {
  Snapshot out;
  out.name = name;
  out.pid = pid;
  out.job_id = "a3f2c1d0-5b7e-4c19-8f02-9d3e61b7a045";
  return out;
}

Bar bar(std::int64_t n, std::optional<std::int64_t> total, bool outermost = true) {
  Bar out;
  out.n = n;
  if (total) out.total = *total;
  out.outermost = outermost;
  return out;
}

// `ms`: last, average, shortest, longest, deviation.
Stage stage(std::uint32_t depth, const std::string& name, std::uint64_t count, std::array<double, 5> ms,
            const std::string& note = "") {
  Stage out;
  out.depth = depth;
  out.path = {name};
  out.count = count;
  out.last = ms[0] / 1e3;
  out.total = ms[1] / 1e3 * static_cast<double>(count);
  out.min = ms[2] / 1e3;
  out.max = ms[3] / 1e3;
  out.std_dev = ms[4] / 1e3;
  out.note = note;
  return out;
}

Stage once(std::uint32_t depth, const std::string& name, double ms, const std::string& note = "") {
  return stage(depth, name, 1, {ms, ms, ms, ms, 0}, note);
}

Ending ending(double elapsed, double peak) {
  Ending out;
  out.elapsed = elapsed;
  out.peak_bytes = static_cast<std::int64_t>(peak);
  return out;
}

}  // namespace

TEST_CASE("the example that every reader sees first") {
  Paper paper;
  Snapshot now = job("very_important_research.py", 48291);
  paper.writer.start(now);
  now.bars = {bar(1, 200)};
  now.stages = {
      stage(0, "generate_data", 200, {1, 1, 1, 2, 0.2}),
      stage(0, "fourier_transform", 200, {43, 43, 38, 89, 4}),
      stage(1, "numpy.fft.fft", 200, {38, 38, 34, 81, 3}, "shape=(65536,) dtype=complex128"),
      stage(1, "numpy.fft.fftshift", 200, {4, 4, 3, 6, 1}, "shape=(65536,)"),
  };
  now.metrics = {{"mean", 2.3144}, {"is_big", false}, {"confidence", 0.71}, {"vibes", std::string("bad")}};
  paper.writer.block(now, 0.1);
  paper.writer.block(now, 9.9);  // too soon for a file
  paper.writer.log("INFO", "done");
  now.bars = {bar(200, 200)};
  now.bars[0].running = false;
  paper.writer.finish(now, ending(14.32, 200e6));
  CHECK(paper.text() == golden("example"));
}

TEST_CASE("a job without bars says nothing about iterations") {
  Paper paper;
  Snapshot now = job("solve");
  paper.writer.start(now);
  now.stages = {once(0, "solve", 12500)};
  paper.writer.block(now, 1);
  paper.writer.log("WARNING", "slow");
  paper.writer.log("INFO", "two\nlines");
  paper.writer.finish(now, ending(12.6, 1.25e9));
  CHECK(paper.text() == golden("no-bars"));
}

TEST_CASE("an unknown total shows count, rate and time, and invents nothing") {
  Paper paper;
  Snapshot now = job("stream.py");
  paper.writer.start(now);
  now.bars = {bar(1234, std::nullopt), bar(3, 12, false)};
  now.bars[0].unit = "lines";
  now.bars[0].rate = 51.42;
  now.bars[0].elapsed = 24;
  now.bars[1].desc = "inner";
  now.bars[1].eta = 64.2;
  paper.writer.block(now, 1);
  now.bars.pop_back();
  paper.writer.finish(now, ending(2 * 3600 + 32 * 60 + 59, 12.34e6));
  CHECK(paper.text() == golden("unknown-total"));
}

TEST_CASE("wide, long and hostile names keep the columns") {
  Paper paper;
  Snapshot now = job("実験");
  paper.writer.start(now);
  now.bars = {bar(130, 100)};
  now.stages = {once(0, "データを生成する", 100), once(0, "naïve", 200),
                once(0, "a_package.with_very_long_modules.and_more_modules.transform", 300, "bad\x1bnote"),
                once(1, "子供", 50)};
  paper.writer.block(now, 1);
  paper.writer.finish(now, ending(9.96, 999.9e6));
  CHECK(paper.text() == golden("wide-names"));
}

TEST_CASE("a failure says why; 999 of 1000 is not 100 %; a stage that was never left has no times") {
  Paper paper;
  Snapshot now = job("fit.py");
  paper.writer.start(now);
  now.bars = {bar(999, 1000)};
  now.bars[0].eta = 0.4;
  now.stages = {stage(0, "train", 0, {}), stage(1, "step", 999, {10, 10, 9, 20, 2})};
  paper.writer.block(now, 1);
  paper.writer.log("ERROR", "loss is nan");
  Ending end = ending(372.5, 200e6);
  end.word = "failed";
  end.exit_code = 1;
  end.error = "ValueError: no infs";
  paper.writer.finish(now, end);
  CHECK(paper.text() == golden("failed"));
}

TEST_CASE("a total beyond the time that passed says that it ran in parallel") {
  Snapshot now;
  now.stages = {stage(0, "work", 8, {50, 50, 50, 50, 0})};
  now.stages[0].is_parallel = true;
  CHECK(stage_summary(now) == "  work                 avg: 0.050s  min: 0.050s  max: 0.050s  ± 0.000s  parallel\n");
}

TEST_CASE("many stages: the summary is sorted by total time at each level, children under their parents") {
  Snapshot now = job("many");
  for (int i = 0; i < 60; ++i) {
    now.stages.push_back(once(0, "stage_" + std::to_string(i), (i * 37) % 60 + 1));
    now.stages.push_back(once(1, "first", 1));
    now.stages.push_back(once(1, "second", 2));
  }
  const std::string text = stage_summary(now);
  std::string expected;
  for (int rank = 59; rank >= 0; --rank) {
    int i = 0;
    while ((i * 37) % 60 != rank) ++i;
    char line[256];
    const auto row = [&](const char* name, int ms) {
      const double s = ms / 1e3;
      std::snprintf(line, sizeof line, "%-23savg: %.3fs  min: %.3fs  max: %.3fs  ± 0.000s\n", name, s, s, s);
      expected += line;
    };
    row(("  stage_" + std::to_string(i)).c_str(), rank + 1);
    row("    second", 2);
    row("    first", 1);
  }
  CHECK(text == expected);
}

TEST_CASE("percentages are floored, and full only when all is done") {
  const auto line = [](std::int64_t n, std::int64_t total) {
    Snapshot now = job("x");
    now.bars = {bar(n, total)};
    return block(now);
  };
  for (std::int64_t n = 0; n < 100; ++n) {
    char percent[8];
    std::snprintf(percent, sizeof percent, "%3d%%", static_cast<int>(n));
    CHECK_MESSAGE(line(n, 100).find(percent) != std::string::npos, line(n, 100));
  }
  CHECK(line(0, 0) == "iter 0/0  [██████████] 100%  eta: --:--\n");
  CHECK(line(-5, 10) == "iter -5/10  [          ]   0%  eta: --:--\n");
  CHECK(line((1LL << 53) + 1, (1LL << 53) + 2).find("9007199254740993/9007199254740994  [█████████ ]  99%") !=
        std::string::npos);
}

TEST_CASE("durations and estimates") {
  CHECK(duration(-1) == "0.0s");
  CHECK(duration(4.29) == "4.2s");
  CHECK(duration(9.99) == "9.9s");
  CHECK(duration(14) == "14s");
  CHECK(duration(372) == "6m 12s");
  CHECK(duration(9120) == "2h 32m");
  CHECK(duration(97200) == "1d 03h");
  CHECK(eta(0) == "00:00");
  CHECK(eta(12.1) == "00:13");
  CHECK(eta(3723) == "1:02:03");
  CHECK(eta(1e300) == "--:--");
}

TEST_CASE("no control of a terminal comes out of a name or a line, and a recursion stays on the screen") {
  CHECK(log_line("INFO", "a\x1b[31m\u009b2J\u202e\u2066 tab\tline\n실") ==
        "[INFO] a\\x1b[31m\\x9b2J\\u202e\\u2066 tab\tline\n실\n");
  Snapshot job;
  for (std::uint32_t depth = 0; depth < 256; ++depth) {
    Stage stage;
    stage.depth = depth;
    stage.path = std::vector<std::string>(depth + 1, "recurse\u202e");
    stage.count = 1;
    job.stages.push_back(stage);
  }
  const std::string table = stage_summary(job);
  std::size_t widest = 0;
  for (std::size_t at = 0, end = 0; (end = table.find('\n', at)) != std::string::npos; at = end + 1)
    widest = std::max(widest, display_width(table.substr(at, end - at)));
  CHECK(widest < 120);
  CHECK(table.find("\u202e") == std::string::npos);
}

TEST_CASE("names are cut in the middle by what they show, and a dotted one keeps its last part") {
  CHECK(cut_name("short", 40) == "short");
  CHECK(cut_name("abcdefghij", 7) == "abc…hij");
  CHECK(display_width(cut_name("実験実験実験実験実験実験実験実験実験実験実験実験", 40)) <= 40);
  CHECK(display_width(cut_name("\xff\xfe broken but still cut somewhere, and never in the middle", 20)) <= 20);
}

}  // namespace macaw::console
