// SPDX-License-Identifier: MIT
// The console's text against the golden files, and the writer on a real pipe.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "sdk/src/console/format.hpp"
#include "sdk/src/console/writer.hpp"

using namespace macaw::console;

namespace {

std::string golden(const std::string& name) {
  std::ifstream file(std::string(std::getenv("MACAW_SOURCE_DIR")) + "/tests/golden/console-" + name + ".txt");
  std::stringstream text;
  text << file.rdbuf();
  REQUIRE(!text.str().empty());
  return text.str();
}

// A writer on a pipe, and what it wrote.
struct Piped {
  int ends[2];
  Writer writer;
  explicit Piped(Mode mode) : ends{open_pipe(ends)[0], ends[1]}, writer(ends[1], mode) {}
  ~Piped() { close(ends[0]); }
  static int* open_pipe(int* ends) {
    REQUIRE(pipe(ends) == 0);
    return ends;
  }
  std::string text() {
    close(ends[1]);
    std::string all;
    char buffer[4096];
    for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;)
      all.append(buffer, static_cast<std::size_t>(size));
    return all;
  }
};

Stage stage(std::uint32_t depth, std::string name, double last, double min, double max, double std_dev,
            std::string note = {}) {
  Stage s;
  s.depth = depth;
  s.path = {std::move(name)};
  s.count = 200;
  s.last = last;
  s.total = last * 200;
  s.min = min;
  s.max = max;
  s.std_dev = std_dev;
  s.note = std::move(note);
  return s;
}

Snapshot job(std::string name, std::int64_t pid) {
  Snapshot snapshot;
  snapshot.name = std::move(name);
  snapshot.job_id = "a3f2c1d0-5b1e-4c7a-9d21-0f6e8b7c4a35";
  snapshot.pid = pid;
  return snapshot;
}

Snapshot example(std::int64_t n) {
  Snapshot s = job("very_important_research.py", 48291);
  Bar bar;
  bar.desc = "doing nothing";
  bar.n = n;
  bar.total = std::int64_t{200};
  bar.outermost = true;
  bar.running = n < 200;
  s.bars = {bar};
  s.stages = {stage(0, "generate_data", 0.001, 0.001, 0.002, 0),
              stage(0, "fourier_transform", 0.043, 0.038, 0.089, 0.004),
              stage(1, "numpy.fft.fft", 0.038, 0.034, 0.081, 0.003, "shape=(65536,) dtype=complex128"),
              stage(1, "numpy.fft.fftshift", 0.004, 0.003, 0.006, 0.001, "shape=(65536,)")};
  s.metrics = {{"mean", 2.3142}, {"is_big", false}, {"confidence", 0.7101}, {"vibes", "bad"}};
  return s;
}

}  // namespace

TEST_CASE("the example prints as documented") {
  Piped piped(Mode::plain);
  piped.writer.start(example(1));
  piped.writer.block(example(1), 0);
  piped.writer.block(example(90), 9.9);  // plain: not again within 10 s
  piped.writer.log("INFO", "done");
  piped.writer.finish(example(200), {"finished", 14.3, 0, 200'000'000, ""});
  CHECK(piped.text() == golden("example"));
}

TEST_CASE("unknown totals, over-runs, wide names, control characters and failures") {
  Snapshot s = job("solve\x1b[31m.py", 7);
  Bar rows, inner;
  rows.desc = "rows";
  rows.unit = "rows";
  rows.n = std::int64_t{1284};
  rows.rate = 12.5;
  rows.elapsed = 102;
  rows.outermost = true;
  inner.desc = "inner";
  inner.n = std::int64_t{130};
  inner.total = std::int64_t{100};
  s.bars = {rows, inner};
  s.stages = {stage(0, "前処理", 0.25, 0.25, 0.25, 0),
              stage(0, "scipy.sparse.linalg.interpolative.solve_banded", 3, 3, 3, 0)};
  s.stages[1].path = {"scipy.sparse.and.more.linalg.interpolative.solve_banded"};
  Piped piped(Mode::plain);
  piped.writer.start(s);
  piped.writer.block(s, 0);
  piped.writer.log("WARNING", "slow");
  piped.writer.log("ERROR", "line one\nline two \x1b[2J");
  piped.writer.finish(s, {"failed", 8040, 1, 1'310'000'000, "ValueError: no infs"});
  CHECK(piped.text() == golden("failed"));
}

TEST_CASE("a job without anything, interrupted") {
  Piped piped(Mode::plain);
  piped.writer.start(job("quick.py", 7));
  piped.writer.block(job("quick.py", 7), 0);
  piped.writer.finish(job("quick.py", 7), {"interrupted", 4.29, 130, 8'400'000, ""});
  CHECK(piped.text() == golden("nothing"));
}

TEST_CASE("off prints nothing, but passes the program's own text on") {
  Piped piped(Mode::off);
  piped.writer.start(example(1));
  piped.writer.block(example(1), 0);
  piped.writer.log("INFO", "x");
  piped.writer.print_above("mine\n");
  piped.writer.finish(example(1), {});
  CHECK(piped.text() == "mine\n");
}

TEST_CASE("live text is put above the block, whole lines only") {
  Piped piped(Mode::live);
  piped.writer.block(job("x", 1), 0);
  Snapshot s = job("x", 1);
  Bar bar;
  bar.n = std::int64_t{3};
  bar.total = std::int64_t{4};
  bar.outermost = true;
  s.bars = {bar};
  piped.writer.block(s, 0);
  piped.writer.block(s, 0.1);  // nothing changed: nothing drawn
  piped.writer.print_above("half a ");
  piped.writer.print_above("line\n");
  const std::string block = "\niter 3/4  [███████   ]  75%  eta: --:--\n";
  CHECK(piped.text() == block + "\x1b[2A\r\x1b[J" + "half a line\n" + block);
}

TEST_CASE("durations, times left and names") {
  CHECK(duration(-1) == "0.0s");
  CHECK(duration(9.99) == "9.9s");
  CHECK(duration(59.9) == "59s");
  CHECK(duration(372) == "6m 12s");
  CHECK(duration(9120) == "2h 32m");
  CHECK(duration(97200) == "1d 03h");
  CHECK(eta(12.2) == "00:13");
  CHECK(eta(3723) == "1:02:03");
  CHECK(eta(1e300) == "--:--");
  CHECK(cut_name("short", 40) == "short");
  CHECK(display_width(cut_name(std::string(300, 'x'), 40)) == 40);
  CHECK(cut_name("numpy.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.fft", 20) == "numpy.aaaaaaaaa….fft");
}
