// SPDX-License-Identifier: MIT
// A network that fails in every way there is, for five seconds of a clock that stands until it is moved: the transport
// counts, pauses and recovers, tries rarely, and never makes anybody wait.
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <functional>
#include <mutex>

#include <doctest/doctest.h>

#include "sdk/src/report/udp_transport.hpp"
#include "tests/sdk/report/support.hpp"

namespace macaw::report {
namespace {

Address address(std::uint8_t last, const std::string& port) {
  Address out;
  auto* in = reinterpret_cast<sockaddr_in*>(&out.bytes);
  in->sin_family = AF_INET;
  in->sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + last);
  in->sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  out.size = sizeof *in;
  return out;
}

// A collector's socket at 127.0.0.LAST; what comes is taken into a peer.
class Collector {
 public:
  explicit Collector(std::uint8_t last = 1, const std::string& wanted = "0") : fd_(socket(AF_INET, SOCK_DGRAM, 0)) {
    const int room = 4 << 20;
    setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    const Address at = address(last, wanted);
    REQUIRE(bind(fd_, reinterpret_cast<const sockaddr*>(&at.bytes), at.size) == 0);
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    getsockname(fd_, reinterpret_cast<sockaddr*>(&bound), &size);
    port = std::to_string(ntohs(bound.sin_port));
  }
  ~Collector() { close(fd_); }
  std::size_t drain() {
    char buffer[65536];
    std::size_t count = 0;
    for (ssize_t got = 0; (got = recv(fd_, buffer, sizeof buffer, MSG_DONTWAIT)) > 0; ++count)
      peer.take({buffer, static_cast<std::size_t>(got)});
    return count;
  }

  std::string port;
  Peer peer;

 private:
  int fd_;
};

// The real calls, but for what a test wants to fail. A resolver that is held answers when it is let go.
class Faulty : public Network {
 public:
  std::atomic<int> error{0};       // of send()
  std::size_t largest = SIZE_MAX;  // above it, EMSGSIZE
  std::size_t calls = 0;
  std::function<std::vector<Address>()> names = [] { return std::vector<Address>{}; };

  std::vector<Address> resolve(const Target& target, int flags) override {
    if (flags & AI_NUMERICHOST) return Network::resolve(target, flags);
    std::unique_lock<std::mutex> lock(mutex_);
    ++lookups_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !held_; });
    return names();
  }
  int send(int fd, mmsghdr* messages, unsigned count) override {
    ++calls;
    if (error) return errno = error, -1;
    unsigned fitting = 0;
    while (fitting < count && messages[fitting].msg_hdr.msg_iov->iov_len <= largest) ++fitting;
    if (fitting == 0) return errno = EMSGSIZE, -1;
    return Network::send(fd, messages, fitting);
  }
  void hold(bool held) {
    const std::lock_guard<std::mutex> lock(mutex_);
    held_ = held;
    changed_.notify_all();
  }
  void wait_for_lookup(int number) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return lookups_ >= number; });
  }
  int lookups() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lookups_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int lookups_ = 0;
  bool held_ = false;
};

// A job over the real transport, ten rounds a second of the test's clock.
struct NetworkJob {
  std::shared_ptr<Faulty> network;
  UdpTransport transport;
  Reporter reporter;
  std::uint64_t start = record::ticks();
  double now = 0;

  NetworkJob(std::shared_ptr<Faulty> faulty, const std::vector<Target>& targets, std::size_t mtu = wire::default_mtu)
      : network(std::move(faulty)),
        transport(targets, network),
        reporter(test_job, Job::hello(), mtu, transport, [] { return wire::Usage{}; }) {
    forget_all();
  }
  void round() {
    reporter.collect(record::ThreadRecord::first(), start);
    reporter.round({now, 1.8e9 + now});
    now += 0.1;
  }
  void run(double seconds) {
    for (const double end = now + seconds - 0.01; now < end;) round();
  }
};

}  // namespace

TEST_CASE("a network that fails for five seconds is counted, tried rarely, and made up for at once") {
  for (const int error : {ENOBUFS, EAGAIN, EPERM, ENETUNREACH, EHOSTUNREACH, EINVAL}) {
    CAPTURE(error);
    const std::string dark = "dark time " + std::to_string(error);
    Collector collector;
    NetworkJob job(std::make_shared<Faulty>(), {{"127.0.0.1", collector.port}});
    job.run(1);
    collector.drain();
    job.network->error = error;
    job.network->calls = 0;
    for (int i = 0; i < 50; ++i) {
      pass(dark, 2);
      log("line " + std::to_string(i));
      job.round();
    }
    CHECK(collector.drain() == 0);
    CHECK(job.network->calls <= 50);  // one a round at most
    CHECK(job.network->calls >= 5);
    CHECK(job.reporter.unsent_datagrams() >= 5);
    job.network->error = 0;
    job.run(1.3);  // a pause of a second at most, then a hello, then everything
    collector.drain();
    CHECK(collector.peer.stages.at(dark).rfind("n 100 ", 0) == 0);
    CHECK(collector.peer.lines.size() == 50);
    CHECK(collector.peer.lines.at(50).text == "line 49");
  }
}

TEST_CASE("a datagram too large for the way is left out, and what is behind it is not") {
  Collector collector;
  NetworkJob job(std::make_shared<Faulty>(), {{"127.0.0.1", collector.port}}, 9000);
  job.network->largest = 1400;
  job.round();
  collector.drain();
  job.network->calls = 0;
  log(std::string(8000, 'x'));
  for (int i = 0; i < 50; ++i) {
    pass("stage");
    job.round();
  }
  collector.drain();
  CHECK(job.reporter.unsent_datagrams() >= 1);
  CHECK(job.reporter.unsent_datagrams() <= 3);
  CHECK(job.network->calls <= 70);
  CHECK(collector.peer.stages.at("stage").rfind("n 50 ", 0) == 0);
}

TEST_CASE("a burst that breaks off in the middle goes on in the next round, and nothing twice") {
  class Narrow : public Faulty {
   public:
    int send(int fd, mmsghdr* messages, unsigned count) override {
      if (room == 0) return errno = ENOBUFS, -1;
      --room;
      return Faulty::send(fd, messages, std::min(count, 1u));
    }
    int room = 1000;
  };
  Collector collector;
  auto narrow = std::make_shared<Narrow>();
  NetworkJob job(narrow, {{"127.0.0.1", collector.port}});
  job.run(1);
  const std::size_t before = collector.drain();
  CHECK(before > 0);
  for (int i = 0; i < 40; ++i) log("line " + std::to_string(i) + std::string(500, '.'));
  for (int round = 0; round < 8 && collector.peer.lines.size() < 40; ++round) {
    narrow->room = 5;
    job.round();
    collector.drain();
  }
  CHECK(collector.peer.lines.size() == 40);
  CHECK(collector.peer.seqs.size() <= before + 40);
}

TEST_CASE("localhost is where somebody listens, 127.0.0.1 or ::1") {
  const int fd = socket(AF_INET6, SOCK_DGRAM, 0);
  sockaddr_in6 at{};
  at.sin6_family = AF_INET6;
  at.sin6_addr = in6addr_loopback;
  if (fd < 0 || bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) {
    MESSAGE("no IPv6 here: not tried");
    return;
  }
  socklen_t size = sizeof at;
  getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size);
  NetworkJob job(std::make_shared<Faulty>(), {{"localhost", std::to_string(ntohs(at.sin6_port))}});
  pass("early");
  job.run(0.3);  // refused at 127.0.0.1, hello to ::1, everything to ::1
  Peer peer;
  char buffer[2048];
  for (ssize_t got = 0; (got = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT)) > 0;)
    peer.take({buffer, static_cast<std::size_t>(got)});
  close(fd);
  CHECK(peer.name == "test.py");
  CHECK(peer.stages.count("early") == 1);
}

TEST_CASE("while a resolver takes its time nothing waits for it, and once it answers everything is sent") {
  Collector collector;
  auto network = std::make_shared<Faulty>();
  network->names = [&] { return std::vector<Address>{address(1, collector.port)}; };
  network->hold(true);
  NetworkJob job(network, {{"collector.invalid", collector.port}});
  network->wait_for_lookup(1);
  for (int i = 0; i < 50; ++i) {  // five seconds, through which this would hang if anything waited
    pass("while it is unknown");
    job.round();
  }
  CHECK(network->calls == 0);
  CHECK(network->lookups() == 1);
  network->hold(false);
  int descriptors[UdpTransport::max_targets + 1] = {-1};
  while (descriptors[0] < 0) {
    job.round();
    job.transport.descriptors(descriptors);
  }
  job.round();
  collector.drain();
  CHECK(collector.peer.name == "test.py");
  CHECK(collector.peer.stages.at("while it is unknown").rfind("n 50 ", 0) == 0);
}

TEST_CASE("a job ends in no time while its resolver still hangs") {
  auto network = std::make_shared<Faulty>();
  network->hold(true);
  {
    NetworkJob job(network, {{"collector.invalid", "6229"}});
    network->wait_for_lookup(1);
    job.reporter.finish({}, [&] { return Now{job.now += 0.01, 1.8e9}; });
  }
  network->hold(false);
}

TEST_CASE("a collector that moved is found again, on a descriptor of the same number") {
  Collector old_place(1), new_place(2);
  auto network = std::make_shared<Faulty>();
  std::atomic<bool> moved{false};
  network->names = [&] {
    return std::vector<Address>{moved ? address(2, new_place.port) : address(1, old_place.port)};
  };
  NetworkJob job(network, {{"collector.invalid", "6229"}});
  int before[UdpTransport::max_targets + 1] = {-1}, after[UdpTransport::max_targets + 1];
  while (before[0] < 0) {
    job.round();
    job.transport.descriptors(before);
  }
  job.run(5);
  CHECK(old_place.drain() > 0);
  moved = true;
  while (new_place.drain() == 0) job.round();
  CHECK(job.now >= UdpTransport::longest_silence);
  CHECK(network->lookups() >= 2);
  job.run(9);
  new_place.drain();
  CHECK(new_place.peer.name == "test.py");
  job.transport.descriptors(after);
  CHECK(after[0] == before[0]);
}

TEST_CASE("a resolver that dies after the start costs nothing: the address it gave stays") {
  Collector collector;
  auto network = std::make_shared<Faulty>();
  std::atomic<bool> dead{false};
  network->names = [&] { return dead ? std::vector<Address>{} : std::vector<Address>{address(1, collector.port)}; };
  NetworkJob job(network, {{"collector.invalid", "6229"}});
  while (collector.drain() == 0) job.round();
  dead = true;
  job.run(100);
  CHECK(collector.drain() > 15);
  CHECK(network->lookups() <= 8);
}

}  // namespace macaw::report
