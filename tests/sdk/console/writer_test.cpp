// SPDX-License-Identifier: MIT
// The live console on a pseudo terminal: what a small terminal emulator shows after each step.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sdk/src/console/format.hpp"
#include "sdk/src/console/writer.hpp"

namespace macaw::console {
namespace {

// Knows what the writer uses: newline, return, "up n" and "clear below".
class Terminal {
 public:
  Terminal(unsigned short columns, unsigned short rows) {
    winsize size{};
    size.ws_col = columns;
    size.ws_row = rows;
    REQUIRE(openpty(&master_, &slave, nullptr, nullptr, &size) == 0);
    fcntl(master_, F_SETFL, O_NONBLOCK);
  }
  ~Terminal() {
    close(master_);
    close(slave);
  }

  const std::vector<std::string>& lines() {
    char buffer[4096];
    for (pollfd wait{master_, POLLIN, 0}; poll(&wait, 1, 50) > 0;) {
      const ssize_t size = read(master_, buffer, sizeof buffer);
      if (size <= 0) break;
      take({buffer, static_cast<std::size_t>(size)});
    }
    return lines_;
  }

  int slave = -1;

 private:
  void take(std::string_view text) {
    while (!text.empty()) {
      if (text.substr(0, 2) == "\x1b[") {
        const std::size_t end = text.find_first_of("AJ", 2);
        if (text[end] == 'A')
          row_ -= std::stoul(std::string(text.substr(2, end - 2)));
        else
          lines_.resize(row_ + 1), lines_[row_].clear();
        text.remove_prefix(end + 1);
        continue;
      }
      if (text[0] == '\n')
        lines_.resize(std::max(lines_.size(), ++row_ + 1));
      else if (text[0] != '\r')
        lines_[row_] += text[0];
      text.remove_prefix(1);
    }
  }

  int master_ = -1;
  std::size_t row_ = 0;
  std::vector<std::string> lines_{1};
};

Snapshot job(std::int64_t n) {
  Snapshot out;
  out.name = "live.py";
  out.job_id = "id";
  out.pid = 1;
  out.bars.emplace_back();
  out.bars[0].n = n;
  out.bars[0].total = std::int64_t{10};
  out.bars[0].outermost = true;
  return out;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("live: the block is drawn in place, log lines and prints stay above it, whole") {
  Terminal terminal(60, 24);
  Writer writer(terminal.slave, Mode::live);
  writer.start(job(0));
  writer.block(job(1), 0);
  writer.block(job(2), 0.1);
  CHECK(terminal.lines() == Lines{"[macaw] job started: live.py (pid: 1, job_id: id)", "",
                                  "iter  2/10  [██        ]  20%  eta: --:--", ""});
  writer.log("INFO", "one");
  writer.print_above("half a ");
  writer.block(job(3), 0.2);
  writer.print_above("line\nnext");
  CHECK(terminal.lines() == Lines{"[macaw] job started: live.py (pid: 1, job_id: id)", "", "[INFO] one", "half a line",
                                  "", "iter  3/10  [███       ]  30%  eta: --:--", ""});
  Ending ending;
  ending.elapsed = 1;
  writer.finish(job(10), ending);
  CHECK(terminal.lines() == Lines{"[macaw] job started: live.py (pid: 1, job_id: id)", "", "[INFO] one", "half a line",
                                  "next", "", "iter 10/10  [██████████] 100%  eta: --:--", "",
                                  "[macaw] job finished: live.py", "  elapsed:     1.0s", "  exit code:   0",
                                  "  peak memory: 0.0 MB", "  iterations:  10/10", ""});
}

TEST_CASE("live: a line never wraps, and the block never grows over the screen") {
  Terminal terminal(20, 5);
  Writer writer(terminal.slave, Mode::live);
  Snapshot now = job(1);
  for (int i = 0; i < 30; ++i) {
    Stage stage;
    stage.path = {"stage " + std::to_string(i)};
    stage.count = 1;
    now.stages.push_back(stage);
  }
  writer.block(now, 0);
  CHECK(terminal.lines().size() <= 5);
  for (const std::string& line : terminal.lines()) CHECK(display_width(line) < 20);
}

TEST_CASE("off prints nothing, but hands on what the program prints") {
  Terminal terminal(80, 24);
  Writer writer(terminal.slave, Mode::off);
  writer.start(job(0));
  writer.block(job(1), 0);
  writer.log("INFO", "one");
  writer.print_above("mine\n");
  writer.finish(job(10), {});
  CHECK(terminal.lines() == Lines{"mine", ""});
}

TEST_CASE("a reader that stalls holds up nobody, and gets it all later, up to a bound") {
  int pipes[2];
  REQUIRE(pipe(pipes) == 0);
  Writer writer(pipes[1], Mode::plain);
  std::string expected;
  for (int i = 0; i < 5000; ++i) {  // more than a pipe takes
    const std::string line = "line " + std::to_string(i) + std::string(40, '.');
    writer.log("INFO", line);
    expected += "[INFO] " + line + "\n";
  }
  std::string got;
  char buffer[65536];
  for (pollfd ready{pipes[0], POLLIN, 0}; poll(&ready, 1, 0) > 0; writer.flush()) {
    const ssize_t size = read(pipes[0], buffer, sizeof buffer);
    REQUIRE(size > 0);
    got.append(buffer, static_cast<std::size_t>(size));
  }
  CHECK(got == expected);
  for (int i = 0; i < 100; ++i) writer.log("INFO", std::string(100'000, 'x'));
  close(pipes[0]);
  writer.log("INFO", "to nobody");  // no signal, no wait
  writer.flush();
  close(pipes[1]);
}

}  // namespace macaw::console
