// SPDX-License-Identifier: MIT
// How a job reports, from what init() was given, the environment, and $XDG_CONFIG_HOME/macaw/config.toml, in this
// order. A wrong value gives one line in `warnings` and its default; nothing here throws for it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace macaw::report {

struct Target {
  std::string host;
  std::string port = "6229";
};

enum class ConsoleMode { automatic, live, plain, off };

// What init() may set; absent: the environment decides.
struct Wishes {
  std::optional<std::string> name, url, key, console;
  std::vector<std::pair<std::string, std::string>> tags;
};

struct Settings {
  std::string key;  // of sealed reports; empty: open ones
  std::vector<Target> targets{Target{"localhost", "6229"}};
  std::string name;
  ConsoleMode console = ConsoleMode::automatic;
  double interval = 0.1;  // s
  std::size_t mtu = 1200;
  std::vector<std::pair<std::string, std::string>> tags;
  bool disabled = false;
  std::vector<std::string> warnings;
};

using Environment = std::function<std::optional<std::string>(const char* name)>;

// `config` is the text of config.toml, empty when there is none.
Settings read_settings(const Wishes& wishes, const Environment& environment, const std::string& config);

// The process's own environment and configuration file.
Settings read_settings(const Wishes& wishes);

}  // namespace macaw::report
