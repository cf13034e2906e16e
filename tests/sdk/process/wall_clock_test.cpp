// SPDX-License-Identifier: MIT
// The wall clock is set back an hour in mid-run, and no duration that leaves the job is negative or an hour off.
#include <macaw/macaw.hpp>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sdk/src/wire/decode.hpp"

namespace {

std::atomic<long> wall_offset{0};  // s

int loopback(std::string& port) {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  socklen_t size = sizeof address;
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  port = std::to_string(ntohs(address.sin_port));
  return fd;
}

// Every duration of a report, s.
std::vector<double> durations(const macaw::wire::Report& report) {
  std::vector<double> out{report.up};
  for (const auto& bar : report.bars) {
    out.push_back(bar.elapsed);
    out.push_back(bar.eta.value_or(0));
    out.push_back(bar.rate.value_or(0) > 0 ? 1 : bar.rate.value_or(0));
  }
  for (const auto& stage : report.stages) {
    for (const double time : {stage.sum, stage.min, stage.max, stage.last, stage.m2, stage.since.value_or(0)})
      out.push_back(time);
  }
  for (const auto& log : report.logs) out.push_back(log.up);
  for (const auto& metric : report.metrics) out.push_back(metric.up);
  if (report.finish) out.push_back(report.finish->elapsed);
  if (report.usage) out.push_back(report.usage->cpu.value_or(0));
  return out;
}

}  // namespace

// In place of the C library's, for the whole program.
extern "C" int clock_gettime(clockid_t clock, timespec* out) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, out));
  if (clock == CLOCK_REALTIME) out->tv_sec += wall_offset;
  return result;
}

TEST_CASE("the wall clock set back an hour in mid-run makes no duration negative") {
  std::string port;
  const int fd = loopback(port);
  setenv("MACAW_URL", ("udp://127.0.0.1:" + port).c_str(), 1);
  setenv("MACAW_CONSOLE", "off", 1);
  setenv("MACAW_INTERVAL", "0.01", 1);
  macaw::init();
  bool finished = false, saw_new_time = false;
  double shortest = 0, longest = 0, last_up = 0, first_t = 0;
  int reports = 0;
  const auto receive = [&](int wait) {
    std::vector<std::uint8_t> bytes(65536);
    pollfd waiting{fd, POLLIN, 0};
    if (poll(&waiting, 1, wait) <= 0) return false;
    const ssize_t size = recv(fd, bytes.data(), bytes.size(), 0);
    macaw::wire::Report report;
    REQUIRE(macaw::wire::decode(bytes.data(), static_cast<std::size_t>(size), report) == macaw::wire::Decoded::ok);
    ++reports;
    if (first_t == 0) first_t = report.t;
    saw_new_time |= report.t < first_t - 3000;
    CHECK(report.up >= last_up);
    last_up = report.up;
    finished |= report.finish.has_value();
    for (const double time : durations(report)) {
      shortest = std::min(shortest, time);
      longest = std::max(longest, time);
    }
    return true;
  };
  {
    macaw::Bar bar("rows", 200);
    MACAW_STAGE("outer");
    for (int i = 0; i < 60 && !(saw_new_time && i > 20); ++i) {
      if (i == 10) wall_offset = -3600;
      MACAW_STAGE("inner");
      macaw::log::info("a line");
      macaw::metric("loss", 1.0 / (i + 1), i);
      bar += 1;
      while (!receive(2000)) {
      }
    }
  }
  macaw::finish();
  while (!finished && receive(2000)) {
  }
  close(fd);
  CHECK(saw_new_time);
  CHECK(finished);
  CHECK(reports > 20);
  CHECK(shortest >= 0);
  CHECK(longest < 600);  // an estimate may be long, but no hour came in
}
