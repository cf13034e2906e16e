// SPDX-License-Identifier: MIT
// Whole processes: what a collector hears when a job returns, exits, fails, forks or is killed, and that a job costs
// itself nothing when nobody is there. The job program is job.cpp; the collector is a socket of the test.
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "sdk/src/wire/decode.hpp"
#include "sdk/src/wire/encode.hpp"

namespace macaw {
namespace {

using Environment = std::map<std::string, std::string>;

// A child process with its output, both streams together.
class Process {
 public:
  Process(std::vector<std::string> words, const Environment& environment) {
    int pipes[2];
    REQUIRE(pipe(pipes) == 0);
    pid = fork();
    if (pid == 0) {
      dup2(pipes[1], 1);
      dup2(pipes[1], 2);
      close(pipes[0]);
      for (const char* name : {"MACAW_JOB", "MACAW_URL", "MACAW_CONSOLE"}) unsetenv(name);
      setenv("TSAN_OPTIONS", "atexit_sleep_ms=0", 1);  // it would wait a second for the resolver's thread
      for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
      const char* folder = std::getenv("MACAW_BIN_DIR");
      const std::string program = std::string(folder ? folder : "build/dev/bin") + "/sdk_process_test_job";
      std::vector<char*> arguments{const_cast<char*>(program.c_str())};
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      execv(program.c_str(), arguments.data());
      _exit(127);
    }
    close(pipes[1]);
    out_ = pipes[0];
  }
  ~Process() {
    if (pid > 0) end();
    close(out_);
  }

  void wait_for_word(const std::string& word) {
    while (text.find(word) == std::string::npos && read_some()) {
    }
  }
  void stop_reading() {
    close(out_);
    out_ = -1;
  }
  // As a shell tells it: the exit code, or 128 and the signal.
  int end() {
    while (read_some()) {
    }
    int status = 0;
    waitpid(pid, &status, 0);
    pid = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  pid_t pid = -1;
  std::string text;

 private:
  bool read_some() {
    char buffer[4096];
    const ssize_t size = read(out_, buffer, sizeof buffer);
    if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
    return size > 0;
  }
  int out_ = -1;
};

// Hears the jobs of one test, and answers each hello and finish.
class Collector {
 public:
  Collector() : fd_(socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    socklen_t size = sizeof address;
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    url = "udp://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  ~Collector() { close(fd_); }

  struct Heard {
    std::string name, finish, parent, tags;
    std::optional<std::int64_t> pid, peak;
    std::map<std::string, std::uint64_t> counts, errors;  // by path
    std::map<std::string, std::string> bars;              // by desc
    std::vector<std::string> lines, points;
    int finishes = 0;
  };

  // Everything that has arrived. By job.
  std::map<wire::JobId, Heard>& jobs() {
    char buffer[65536];
    for (pollfd wait{fd_, POLLIN, 0}; poll(&wait, 1, 50) > 0;) {
      const ssize_t size = recv(fd_, buffer, sizeof buffer, 0);
      REQUIRE(size > 0);
      wire::Report report;
      REQUIRE(wire::decode(reinterpret_cast<const std::uint8_t*>(buffer), static_cast<std::size_t>(size), report) ==
              wire::Decoded::ok);
      take(report);
    }
    return jobs_;
  }
  // Waits until the one job's first rows are here.
  void wait_for_rows() {
    const auto from = std::chrono::steady_clock::now();
    while (jobs().empty() || !jobs_.begin()->second.counts.count("/outer")) {
      REQUIRE(std::chrono::steady_clock::now() - from < std::chrono::seconds(30));
    }
  }
  Heard& job() {
    REQUIRE(jobs().size() == 1);
    return jobs_.begin()->second;
  }

  std::string url;

 private:
  void take(const wire::Report& report) {
    Heard& job = jobs_[report.job];
    if (report.hello) {
      job.name = report.hello->name;
      job.pid = report.hello->pid;
      job.tags.clear();
      for (const auto& [tag, value] : report.hello->tags) job.tags += std::string(tag) + "=" + std::string(value) + ";";
      if (report.hello->parent) job.parent.assign(report.hello->parent->begin(), report.hello->parent->end());
    }
    if (report.usage && report.usage->peak) job.peak = report.usage->peak;
    for (const wire::Stage& stage : report.stages) {
      std::string path;
      for (std::uint32_t i = 0; i < stage.path.size; ++i) path += "/" + std::string(report.names[stage.path.first + i]);
      job.counts[path] = stage.n;
      job.errors[path] = stage.errors;
    }
    for (const wire::Bar& bar : report.bars) {
      job.bars[std::string(bar.desc)] = std::to_string(std::get<std::int64_t>(bar.n)) + "/" +
                                        (bar.total ? std::to_string(std::get<std::int64_t>(*bar.total)) : "?") + " " +
                                        std::to_string(static_cast<int>(bar.state));
    }
    for (const wire::Log& log : report.logs) job.lines.emplace_back(log.text);
    for (const wire::Metric& metric : report.metrics) job.points.emplace_back(metric.name);
    if (!report.finish) return;
    ++job.finishes;
    const auto text = [](const std::optional<std::int64_t>& n) { return n ? std::to_string(*n) : "none"; };
    job.finish = "state " + std::to_string(static_cast<int>(report.finish->state)) + " code " +
                 text(report.finish->code) + " signal " + text(report.finish->signal);
  }

  int fd_;
  std::map<wire::JobId, Heard> jobs_;
};

double seconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

struct Run {
  int code = 0;
  std::string text;
  double seconds = 0;
};

Run run(std::vector<std::string> words, const Environment& environment) {
  const auto from = std::chrono::steady_clock::now();
  Process process(std::move(words), environment);
  Run out;
  out.code = process.end();
  out.text = process.text;
  out.seconds = seconds(from);
  return out;
}

}  // namespace

TEST_CASE("the exit status is told exactly, however the process ends by itself") {
  const std::map<std::string, std::pair<int, std::string>> endings = {
      {"return", {5, "state 1 code 5 signal none"}}, {"nothing", {0, "state 0 code 0 signal none"}},
      {"exit", {3, "state 1 code 3 signal none"}},   {"thread-exit", {4, "state 1 code 4 signal none"}},
      {"finish", {0, "state 0 code 0 signal none"}},
  };
  for (const auto& [way, expected] : endings) {
    Collector collector;
    const Run done = run({way}, {{"MACAW_URL", collector.url}, {"MACAW_CONSOLE", "off"}});
    CAPTURE(way);
    CHECK(done.code == expected.first);
    CHECK(done.text == "");
    const auto& job = collector.job();
    CHECK(job.finish == expected.second);
    CHECK(job.name == "sdk_process_test_job");
    CHECK(job.counts.at("/outer/inner") == 5);
    CHECK(job.bars.at("items") == "5/5 1");
  }
}

TEST_CASE("a signal ends the job as it would without us, and is told") {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    Collector collector;
    Process process({"wait"}, {{"MACAW_URL", collector.url}, {"MACAW_CONSOLE", "off"}});
    process.wait_for_word("ready");
    collector.wait_for_rows();
    kill(process.pid, signal);
    CHECK(process.end() == 128 + signal);
    CHECK(collector.job().finish == "state 2 code none signal " + std::to_string(signal));
  }
}

TEST_CASE("a handler of the job's own is left alone") {
  Collector collector;
  Process process({"own-handler"}, {{"MACAW_URL", collector.url}, {"MACAW_CONSOLE", "off"}});
  process.wait_for_word("ready");
  collector.wait_for_rows();
  kill(process.pid, SIGTERM);
  CHECK(process.end() == 9);
  CHECK(collector.job().finish == "");
}

TEST_CASE("kill -9 says nothing at all") {
  Collector collector;
  Process process({"wait"}, {{"MACAW_URL", collector.url}, {"MACAW_CONSOLE", "off"}});
  process.wait_for_word("ready");
  collector.wait_for_rows();
  kill(process.pid, SIGKILL);
  CHECK(process.end() == 137);
  CHECK(collector.job().counts.at("/outer") == 5);
  CHECK(collector.job().finish == "");
}

TEST_CASE("the children of a fork are workers of their own, and take no goodbye with them") {
#if defined(__SANITIZE_THREAD__)
  MESSAGE("the thread sanitizer ends a fork's child that starts a thread: not tried");
  return;
#endif
  Collector collector;
  const Run done = run({"fork"}, {{"MACAW_URL", collector.url}});
  CHECK(done.code == 0);
  REQUIRE(collector.jobs().size() == 5);
  int workers = 0;
  for (const auto& [id, job] : collector.jobs()) {
    CHECK(job.counts.at("/outer") == 5);
    if (job.parent.empty()) {
      CHECK(job.finish == "state 0 code 0 signal none");
      CHECK(job.lines.empty());
      continue;
    }
    ++workers;
    CHECK(job.finish == "state 1 code 7 signal none");
    CHECK(job.lines == std::vector<std::string>{"from a child"});
  }
  CHECK(workers == 4);
  std::size_t endings = 0;
  for (std::size_t at = 0; (at = done.text.find("job finished", at)) != std::string::npos; ++at) ++endings;
  CHECK(endings == 1);
}

TEST_CASE("a program that the job starts says whose child it is") {
  Collector collector;
  const char* folder = std::getenv("MACAW_BIN_DIR");
  const std::string program = std::string(folder ? folder : "build/dev/bin") + "/sdk_process_test_job";
  run({"child", program}, {{"MACAW_URL", collector.url}, {"MACAW_CONSOLE", "off"}});
  const auto& jobs = collector.jobs();
  REQUIRE(jobs.size() == 2);
  for (const auto& [id, job] : jobs) {
    if (job.parent.empty()) continue;
    for (const auto& [other, parent] : jobs) {
      if (other != id) CHECK(job.parent == std::string(other.begin(), other.end()));
    }
  }
  CHECK((jobs.begin()->second.parent.empty() != jobs.rbegin()->second.parent.empty()));
}

TEST_CASE("every way out of a stage closes it, siblings stay siblings, the thrown ones failed") {
  Collector collector;
  run({"ways"}, {{"MACAW_URL", collector.url}, {"MACAW_CONSOLE", "off"}});
  const auto& job = collector.job();
  CHECK(job.counts.at("/way") == 5);
  CHECK(job.counts.at("/way/thrown") == 3);
  CHECK(job.errors.at("/way/thrown") == 1);
  CHECK(job.errors.at("/way") == 0);
  CHECK(job.counts.at("/way/returned") == 3);
  CHECK(job.counts.at("/sibling") == 1);
}

TEST_CASE("what init() says goes before the environment") {
  Collector collector;
  run({"init"}, {{"MACAW_URL", collector.url}, {"MACAW_CONSOLE", "off"}, {"MACAW_NAME", "x"}, {"MACAW_TAGS", "b=2"}});
  CHECK(collector.job().name == "said so");
  CHECK(collector.job().tags == "b=2;group=a;");
}

TEST_CASE("a loop left by break is left; one open at a good end stays open") {
  Collector collector;
  run({"left"}, {{"MACAW_URL", collector.url}, {"MACAW_CONSOLE", "off"}});
  CHECK(collector.job().bars.at("broken off") == "3/10 2");
  Collector other;
  run({"open"}, {{"MACAW_URL", other.url}, {"MACAW_CONSOLE", "off"}});
  CHECK(other.job().bars.at("open at the end") == "0/10 0");
}

TEST_CASE("log lines and metrics") {
  Collector collector;
  run({"log"}, {{"MACAW_URL", collector.url}, {"MACAW_CONSOLE", "off"}});
  CHECK(collector.job().lines == std::vector<std::string>{"n = 5, x = 0.5", "plain {}"});
  CHECK(collector.job().points.size() >= 4);
}

TEST_CASE("the peak is that of the kernel") {
  Collector collector;
  const Run done = run({"memory"}, {{"MACAW_URL", collector.url}});
  REQUIRE(collector.job().peak);
  CHECK(*collector.job().peak > 50'000'000);
  CHECK(done.text.find("  peak memory: ") != std::string::npos);
}

TEST_CASE("disabled: no datagram, no word, no time") {
  Collector collector;
  const Run done = run({"return"}, {{"MACAW_URL", collector.url}, {"MACAW_DISABLE", "1"}});
  CHECK(done.code == 5);
  CHECK(done.text == "");
  CHECK(collector.jobs().empty());
}

TEST_CASE("nobody listening, an unknown host, a wrong address: the job runs and ends at once") {
  std::string closed;
  {
    const Collector gone;
    closed = gone.url;
  }
  for (const std::string& url : {closed, std::string("udp://no-such-host.invalid:6229"), std::string("nonsense")}) {
    Run done;
    double best = 10;  // of a few, as the machine may be busy
    for (int i = 0; i < 5 && best > 0.3; ++i) {
      done = run({"return"}, {{"MACAW_URL", url}, {"MACAW_CONSOLE", "off"}});
      best = std::min(best, done.seconds);
    }
    CAPTURE(url);
    CHECK(done.code == 5);
    CHECK(best < 0.3);
    CHECK(std::count(done.text.begin(), done.text.end(), '\n') == (url == "nonsense" ? 1 : 0));
  }
}

TEST_CASE("a console that nobody reads any more changes nothing") {
  Process process({"return"}, {{"MACAW_URL", "udp://127.0.0.1:9"}});
  process.stop_reading();
  CHECK(process.end() == 5);
}

TEST_CASE("the console says start and finish, in full") {
  Collector collector;
  const Run done = run({"return"}, {{"MACAW_URL", collector.url}, {"MACAW_NAME", "named"}});
  CHECK(done.text.rfind("[macaw] job started: named (pid: ", 0) == 0);
  CHECK(done.text.find("\n\n[macaw] job failed: named\n  elapsed:     0.") != std::string::npos);
  CHECK(done.text.find("\n  exit code:   5\n") != std::string::npos);
  CHECK(done.text.find("\n  iterations:  5/5\n\n  stage summary:\n  outer ") != std::string::npos);
}

}  // namespace macaw
