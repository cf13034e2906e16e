// SPDX-License-Identifier: MIT
#include "sdk/src/report/settings.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "sdk/src/wire/encode.hpp"
#include "sdk/src/wire/seal.hpp"

namespace macaw::report {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    const auto from = part.find_first_not_of(" \t"), to = part.find_last_not_of(" \t");
    if (from != std::string::npos) parts.push_back(part.substr(from, to - from + 1));
  }
  return parts;
}

bool is_port(const std::string& text) {
  return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == std::string::npos &&
         std::stoi(text) > 0 && std::stoi(text) <= 65535;
}

// host[:port] or [v6][:port]; empty on anything else.
std::optional<Target> parse_target(std::string rest) {
  if (!rest.empty() && rest.back() == '/') rest.pop_back();
  Target target;
  std::size_t end = 0;
  if (!rest.empty() && rest[0] == '[') {
    end = rest.find(']');
    if (end == std::string::npos) return std::nullopt;
    target.host = rest.substr(1, end - 1);
    ++end;
  } else {
    end = std::min(rest.find(':'), rest.size());
    target.host = rest.substr(0, end);
  }
  if (target.host.empty() || target.host.find('@') != std::string::npos) return std::nullopt;
  if (end == rest.size()) return target;
  if (rest[end] != ':') return std::nullopt;
  target.port = rest.substr(end + 1);
  return is_port(target.port) ? std::optional<Target>(target) : std::nullopt;
}

// udp://[KEY@]host[:port]. A key is not for the screen, whatever else is wrong.
void read_url(const std::string& url, Settings& out) {
  const std::size_t at = url.rfind('@'), scheme_end = url.find("://");
  const std::string shown = at == std::string::npos ? url : url.substr(0, scheme_end + 3) + "…" + url.substr(at);
  if (url.rfind("http://", 0) == 0) {
    out.warnings.push_back("MACAW_URL: reports over HTTP are not supported by this version; use udp://host:6229");
    return;
  }
  const std::size_t begin = std::string_view("udp://").size();
  const std::size_t host = at == std::string::npos ? begin : at + 1;
  const auto target = url.rfind("udp://", 0) == 0 ? parse_target(url.substr(host)) : std::nullopt;
  if (!target) {
    out.warnings.push_back("MACAW_URL: cannot read \"" + shown + "\"; it looks like udp://host:6229");
    return;
  }
  out.targets.push_back(*target);
  if (host != begin) out.key = url.substr(begin, at - begin);
}

void read_urls(const std::string& urls, Settings& out) {
  out.targets.clear();
  for (const std::string& url : split(urls, ',')) read_url(url, out);
}

// What was meant to be sealed is not sent open instead.
void check_key(Settings& out) {
  if (out.key.size() >= wire::least_key) return;
  out.targets.clear();
  out.key.clear();
  out.warnings.push_back("MACAW_KEY: a key has at least " + std::to_string(wire::least_key) +
                         " characters (macaw-collector --new-key makes one); nothing is sent");
}

void read_console(const std::string& word, Settings& out) {
  if (word == "auto")
    out.console = ConsoleMode::automatic;
  else if (word == "live")
    out.console = ConsoleMode::live;
  else if (word == "plain")
    out.console = ConsoleMode::plain;
  else if (word == "off")
    out.console = ConsoleMode::off;
  else
    out.warnings.push_back("MACAW_CONSOLE: \"" + word + "\" is none of auto, live, plain, off; using auto");
}

std::optional<double> number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !std::isfinite(value)) return std::nullopt;
  return value;
}

// `name = "value"` lines; everything else in the file is none of our business here.
std::optional<std::string> from_config(const std::string& config, const std::string& name) {
  std::istringstream in(config);
  for (std::string line; std::getline(in, line);) {
    const auto parts = split(line, '=');
    if (parts.size() < 2 || parts[0] != name) continue;
    const auto from = line.find('"'), to = line.rfind('"');
    if (from != std::string::npos && to > from) return line.substr(from + 1, to - from - 1);
  }
  return std::nullopt;
}

}  // namespace

Settings read_settings(const Wishes& wishes, const Environment& environment, const std::string& config) {
  Settings out;
  const auto wanted = [&](const std::optional<std::string>& wish, const char* variable, const char* key) {
    if (wish) return wish;
    if (auto value = environment(variable); value && !value->empty()) return value;
    return from_config(config, key);
  };
  if (const auto value = environment("MACAW_DISABLE")) out.disabled = !value->empty() && *value != "0";
  if (const auto value = wanted(wishes.name, "MACAW_NAME", "name")) out.name = *value;
  if (const auto value = wanted(wishes.url, "MACAW_URL", "url")) read_urls(*value, out);
  if (const auto value = wanted(wishes.console, "MACAW_CONSOLE", "console")) read_console(*value, out);
  if (const auto value = wanted(wishes.key, "MACAW_KEY", "key")) out.key = *value;
  if (!out.key.empty()) check_key(out);
  if (const auto value = environment("MACAW_INTERVAL")) {
    const auto seconds = number(*value);
    if (seconds && *seconds >= 0.01 && *seconds <= 60)
      out.interval = *seconds;
    else
      out.warnings.push_back("MACAW_INTERVAL: \"" + *value + "\" is not between 0.01 and 60 seconds; using 0.1");
  }
  if (const auto value = environment("MACAW_MTU")) {
    const auto bytes = number(*value);
    if (bytes && *bytes >= double(wire::min_mtu) && *bytes <= double(wire::max_mtu))
      out.mtu = static_cast<std::size_t>(*bytes);
    else
      out.warnings.push_back("MACAW_MTU: \"" + *value + "\" is not between 1024 and 65507 bytes; using 1200");
  }
  if (const auto value = environment("MACAW_TAGS")) {
    for (const std::string& tag : split(*value, ',')) {
      const auto equals = tag.find('=');
      if (equals == std::string::npos || equals == 0)
        out.warnings.push_back("MACAW_TAGS: \"" + tag + "\" is not name=value; left out");
      else
        out.tags.emplace_back(tag.substr(0, equals), tag.substr(equals + 1));
    }
  }
  out.tags.insert(out.tags.end(), wishes.tags.begin(), wishes.tags.end());
  return out;
}

Settings read_settings(const Wishes& wishes) {
  const Environment environment = [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
  std::string folder;
  if (const auto xdg = environment("XDG_CONFIG_HOME"); xdg && !xdg->empty())
    folder = *xdg;
  else if (const auto home = environment("HOME"))
    folder = *home + "/.config";
  std::ifstream file(folder + "/macaw/config.toml");
  std::stringstream config;
  if (file) config << file.rdbuf();
  return read_settings(wishes, environment, config.str());
}

}  // namespace macaw::report
