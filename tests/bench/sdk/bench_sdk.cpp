// SPDX-License-Identifier: MIT
// What the SDK costs a C++ job, against what the same machine needs for nothing or the least: a stage against two clock
// readings, a disabled stage against an empty loop, a datagram against a bare send, and the reporter's share of a core.
// Contenders take turns in short samples in random order; medians give the ratios. Prints one JSON object.
#include <macaw/macaw.hpp>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "sdk/src/record/thread_record.hpp"
#include "sdk/src/report/reporter.hpp"
#include "sdk/src/report/udp_transport.hpp"

namespace {

using namespace macaw;

double nanoseconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

struct Result {
  double ours = 0, reference = 0;
};

// Each runs `runs` steps. The unit is ns of this thread's CPU a step.
Result compare(const std::function<void(int)>& ours, const std::function<void(int)>& reference, int runs, int samples) {
  std::vector<double> times[2];
  std::mt19937 random(std::random_device{}());
  const auto sample = [&](int which) {
    const double begin = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    (which ? reference : ours)(runs);
    times[which].push_back((nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begin) / runs);
  };
  for (int i = 0; i < samples; ++i) {
    const int first = static_cast<int>(random() & 1);
    sample(first);
    sample(1 - first);
  }
  for (auto& t : times) std::nth_element(t.begin(), t.begin() + samples / 2, t.end());
  return {times[0][static_cast<std::size_t>(samples / 2)], times[1][static_cast<std::size_t>(samples / 2)]};
}

void print(const char* name, Result result, const char* unit, const char* separator) {
  std::printf("\"%s\": {\"ratio\": %.4f, \"ours\": %.4g, \"reference\": %.4g, \"unit\": \"%s\"}%s", name,
              result.ours / result.reference, result.ours, result.reference, unit, separator);
}

void stages(int runs) {
  for (int i = 0; i < runs; ++i) {
    MACAW_STAGE("stage");
    asm volatile("" ::: "memory");
  }
}

void clock_readings(int runs) {
  timespec t{};
  for (int i = 0; i < runs; ++i) {
    clock_gettime(CLOCK_MONOTONIC, &t);
    asm volatile("" : : "r"(&t) : "memory");
    clock_gettime(CLOCK_MONOTONIC, &t);
    asm volatile("" : : "r"(&t) : "memory");
  }
}

void empty_steps(int runs) {
  for (int i = 0; i < runs; ++i) asm volatile("" ::: "memory");
}

// A process is on or off for good, and its stages belong to one reporter: such things are measured in a child.
Result in_child(const std::function<Result()>& measure) {
  int pipes[2];
  if (pipe(pipes) != 0) std::exit(1);
  if (fork() == 0) {
    const Result result = measure();
    (void)!write(pipes[1], &result, sizeof result);
    _exit(0);
  }
  Result result;
  if (read(pipes[0], &result, sizeof result) != sizeof result) std::exit(1);
  wait(nullptr);
  return result;
}

Result measure_off() {
  setenv("MACAW_DISABLE", "1", 1);
  return compare(stages, empty_steps, 200'000, 201);
}

// A socket that takes what comes; a full one costs the sender the same.
std::string sink() {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0) std::exit(1);
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  return std::to_string(ntohs(address.sin_port));
}

void hundred_stages() {
  static std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (int i = 0; i < 100; ++i) out.push_back("stage_" + std::to_string(i));
    return out;
  }();
  const Stage outer("outer");
  for (const std::string& name : names) const Stage inner(name);
}

// The reporter packs and sends 100 changed rows; the reference sends datagrams of the same sizes.
Result measure_send(const std::string& port) {
  class Counting : public report::UdpTransport {
   public:
    using UdpTransport::UdpTransport;
    void send(report::Datagram* datagrams, std::size_t count) override {
      for (std::size_t i = 0; i < count; ++i) sizes.push_back(datagrams[i].size);
      UdpTransport::send(datagrams, count);
    }
    std::vector<std::size_t> sizes;
  } transport(std::vector<report::Target>{{"127.0.0.1", port}});
  report::Reporter reporter({}, {}, wire::default_mtu, transport, [] { return wire::Usage{}; });
  const std::uint64_t start = record::ticks();
  double now = 0;
  const auto round = [&] {
    for (report::StageRow& row : reporter.stages.rows) row.sent.changed = true;
    reporter.round({now += 0.001, 1.8e9});
  };
  auto& thread = record::ThreadRecord::mine();
  auto* outer = thread.child(thread.root(), "outer", wire::StageKind::stage, nullptr);
  for (int i = 0; i < 100; ++i) {
    thread.leave(thread.enter(thread.child(outer, "stage_" + std::to_string(i), wire::StageKind::stage, nullptr)),
                 false);
  }
  reporter.collect(record::ThreadRecord::first(), start);
  round();
  transport.sizes.clear();
  round();
  const std::vector<std::size_t> sizes = transport.sizes;
  int descriptors[report::UdpTransport::max_targets + 1];
  transport.descriptors(descriptors);
  const char bytes[wire::default_mtu] = {};
  const Result rounds = compare(
      [&](int runs) {
        for (int i = 0; i < runs; ++i) round();
      },
      [&](int runs) {
        for (int i = 0; i < runs; ++i) {
          for (const std::size_t size : sizes) (void)!::send(descriptors[0], bytes, size, MSG_NOSIGNAL);
        }
      },
      20, 201);
  const auto datagrams = static_cast<double>(sizes.size());
  return {rounds.ours / datagrams, rounds.reference / datagrams};
}

// Time on a processor of the thread named "macaw", in ns.
double reporter_time() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (name != "macaw") continue;
    double ns = 0;
    std::ifstream(task.path() / "schedstat") >> ns;
    return ns;
  }
  return 0;
}

Result measure_reporter() {
  const double from = nanoseconds(CLOCK_MONOTONIC), used = reporter_time();
  while (nanoseconds(CLOCK_MONOTONIC) - from < 5e9) {
    hundred_stages();
    usleep(5000);
  }
  return {(reporter_time() - used) / (nanoseconds(CLOCK_MONOTONIC) - from), 1};
}

}  // namespace

int main() {
  const std::string port = sink();
  const Result off = in_child(measure_off);
  const Result sending = in_child([&] { return measure_send(port); });
  setenv("MACAW_URL", ("udp://127.0.0.1:" + port).c_str(), 1);
  setenv("MACAW_CONSOLE", "off", 1);
  std::printf("{");
  print("cpp_stage", compare(stages, clock_readings, 20'000, 201), "ns", ", ");
  print("cpp_off", off, "ns", ", ");
  print("send", sending, "ns", ", ");
  print("job_cpu", measure_reporter(), "of a core", "}\n");
}
