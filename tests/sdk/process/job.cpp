// SPDX-License-Identifier: MIT
// A job for the process tests: does what its first argument says, over the public interface alone.
#include <macaw/macaw.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

void work() {
  std::vector<int> items(5);
  for (auto& item : macaw::track(items, "items")) {
    MACAW_STAGE("outer");
    MACAW_STAGE("inner");
    item = 1;
  }
}

// Every way out of a stage.
void leave_in_every_way() {
  for (int i = 0; i < 6; ++i) {
    MACAW_STAGE("way");
    if (i == 1) continue;
    if (i == 4) break;
    try {
      MACAW_STAGE("thrown");
      if (i == 2) throw std::runtime_error("out");
    } catch (const std::runtime_error&) {
    }
    [] {
      MACAW_STAGE("returned");
      return;
    }();
  }
  MACAW_STAGE("sibling");
}

}  // namespace

int main(int count, char** arguments) {
  const auto is = [&](const char* word) { return count > 1 && std::strcmp(arguments[1], word) == 0; };
  if (is("init")) {
    macaw::Options options;
    options.name = "said so";
    options.tags = {{"group", "a"}};
    macaw::init(options);
    macaw::init();  // again: nothing
  }
  work();
  if (is("ways")) leave_in_every_way();
  if (is("left")) {
    std::vector<int> items(10);
    for (auto& item : macaw::track(items, "broken off")) {
      if (&item == &items[3]) break;
    }
  }
  if (is("open")) {
    new macaw::Bar("open at the end", 10);
  }
  if (is("exit")) std::exit(3);
  if (is("thread-exit")) {
    std::thread([] { std::exit(4); }).join();
  }
  if (is("finish")) {
    macaw::finish();
    work();
  }
  if (is("wait")) {
    std::puts("ready");
    std::fflush(stdout);
    pause();
  }
  if (is("own-handler")) {
    std::signal(SIGTERM, [](int) { std::_Exit(9); });
    std::puts("ready");
    std::fflush(stdout);
    pause();
  }
  if (is("fork")) {
    for (int i = 0; i < 4; ++i) {
      if (fork() != 0) continue;
      work();
      macaw::log::info("from a child");
      std::exit(7);
    }
    int status = 0, good = 0;
    while (wait(&status) > 0) good += WIFEXITED(status) && WEXITSTATUS(status) == 7;
    return good == 4 ? 0 : 1;
  }
  if (is("child")) {
    return std::system(arguments[2]) == 0 ? 0 : 1;
  }
  if (is("log")) {
    macaw::log::info("n = {}, x = {}", 5, 0.5);
    macaw::log::warning(std::string("plain {}"));
    macaw::metric("loss", 0.25, 3);
    macaw::metric("flag", true);
    macaw::metric("word", "good");
    macaw::metric("count", 7u);
  }
  if (is("memory")) {
    std::vector<char> memory(50'000'000);
    std::memset(memory.data(), 1, memory.size());
  }
  return is("return") ? 5 : 0;
}
