// SPDX-License-Identifier: GPL-3.0-or-later
// What a datagram costs the ingest thread (receive, look up its sender, decode, apply, publish) against what the kernel
// takes for handing it over: CPU time of this thread, both in turn on the same socket and the same datagrams.
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <QHostAddress>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "collector/clock.hpp"
#include "collector/ingest/udp_socket.hpp"
#include "collector/model/model.hpp"
#include "collector/socket_owner.hpp"
#include "sdk/src/wire/decode.hpp"
#include "sdk/src/wire/encode.hpp"

namespace {

using namespace macaw;

constexpr std::size_t burst = 1024;  // fits the receive buffer
constexpr int rounds = 200;
constexpr int jobs = 50;

double cpu_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

// A bar, three stages and a metric point, as a steady job sends them.
std::string datagram(int job, std::uint64_t seq) {
  wire::Report report;
  report.job[0] = static_cast<std::uint8_t>(job);
  report.seq = seq;
  report.up = 0.1 * static_cast<double>(seq);
  report.t = 1.8e9;
  report.next = 1.0;
  report.names = {"generate_data", "fourier_transform", "numpy.fft.fft"};
  wire::Bar bar;
  bar.id = 1;
  bar.desc = "doing nothing";
  bar.n = static_cast<std::int64_t>(seq);
  bar.total = std::int64_t{1'000'000};
  bar.elapsed = report.up;
  bar.rate = 20.0;
  bar.eta = 100.0;
  report.bars.push_back(bar);
  const wire::Path paths[] = {{0, 1}, {1, 1}, {1, 2}};
  for (const wire::Path path : paths) {
    wire::Stage stage;
    stage.path = path;
    stage.n = seq;
    stage.sum = 0.0431 * static_cast<double>(seq);
    stage.min = 0.038;
    stage.max = 0.089;
    stage.m2 = 0.0017;
    stage.last = 0.0412;
    if (path.size == 2) stage.note = "shape=(65536,) dtype=complex128";
    report.stages.push_back(stage);
  }
  wire::Metric metric;
  metric.no = seq;
  metric.name = "mean";
  metric.step = static_cast<std::int64_t>(seq);
  metric.up = report.up;
  metric.value = 2.31;
  report.metrics.push_back(metric);
  std::string bytes;
  wire::encode(report, bytes);
  return bytes;
}

double median(std::vector<double> samples) {
  std::nth_element(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2), samples.end());
  return samples[samples.size() / 2];
}

}  // namespace

int main() {
  UdpSocket socket;
  if (!socket.bind(QHostAddress(QHostAddress::LocalHost), 0).isEmpty()) return std::fputs("no loopback\n", stderr), 1;
  const int sender = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(socket.port());
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(sender, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) return 1;

  model::Model model;
  UdpOwners owners;
  wire::Report report;
  std::vector<double> bare, ours;
  std::uint64_t seq = 0;
  for (int round = 0; round < rounds; ++round) {
    const bool is_ours = round % 2;
    if (is_ours) ++seq;
    for (std::size_t i = 0; i < burst; ++i) {
      if (is_ours && i > 0 && i % jobs == 0) ++seq;
      const std::string bytes = datagram(static_cast<int>(i % jobs), seq);
      if (send(sender, bytes.data(), bytes.size(), 0) < 0) return std::fputs("the burst does not fit\n", stderr), 1;
    }
    std::size_t received = 0;
    const double start = cpu_ns();
    const double now = monotonic_now();
    while (received < burst) {
      const auto& datagrams = socket.receive();
      if (datagrams.empty()) return std::fputs("the burst does not fit\n", stderr), 1;
      received += datagrams.size();
      if (!is_ours) continue;
      for (const Datagram& d : datagrams) {
        if (d.from_loopback && !owners.find(d.port(), now)) return 1;
        if (wire::decode(d.data, d.size, report) != wire::Decoded::ok) return 1;
        model.apply(report, {now, 1.8e9});
      }
    }
    if (is_ours) model.tick(now);
    (is_ours ? ours : bare).push_back((cpu_ns() - start) / static_cast<double>(burst));
  }
  close(sender);
  const double a = median(ours), b = median(bare);
  std::printf("{\"ingest\": {\"ratio\": %.3f, \"ours\": %.1f, \"reference\": %.1f, \"unit\": \"ns\"}}\n", a / b, a, b);
}
