// SPDX-License-Identifier: MIT
#include "sdk/src/process/identity.hpp"

#include <pwd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>

namespace macaw::process {
namespace {

std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; arguments.size() < 32 && std::getline(file, argument, '\0');)
    arguments.push_back(argument);
  return arguments;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string user_name() {
  char buffer[4096];
  passwd entry{}, *found = nullptr;
  if (getpwuid_r(getuid(), &entry, buffer, sizeof buffer, &found) == 0 && found) return found->pw_name;
  return std::to_string(getuid());
}

constexpr const char* scheduler_variables[] = {"SLURM_JOB_ID",        "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID",
                                               "SLURM_PROCID",        "PBS_JOBID",          "LSB_JOBID",
                                               "CUDA_VISIBLE_DEVICES"};

}  // namespace

wire::JobId random_job_id() {
  wire::JobId id{};
  if (getrandom(id.data(), id.size(), 0) != static_cast<ssize_t>(id.size())) {
    std::random_device device;
    for (auto& byte : id) byte = static_cast<std::uint8_t>(device());
  }
  id[6] = static_cast<std::uint8_t>((id[6] & 0x0f) | 0x40);  // UUID version 4
  id[8] = static_cast<std::uint8_t>((id[8] & 0x3f) | 0x80);
  return id;
}

std::string job_id_text(const wire::JobId& id) {
  std::string text;
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", id[i]);
    text += hex;
  }
  return text;
}

std::optional<wire::JobId> parse_job_id(const std::string& text) {
  std::string hex;
  for (const char c : text) {
    if (c != '-') hex += c;
  }
  wire::JobId id{};
  if (hex.size() != 32 || hex.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) return std::nullopt;
  for (std::size_t i = 0; i < id.size(); ++i)
    id[i] = static_cast<std::uint8_t>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  return id;
}

report::Hello read_identity(const report::Settings& settings, std::string lang, std::string sdk) {
  report::Hello hello;
  hello.lang = std::move(lang);
  hello.sdk = std::move(sdk);
  hello.argv = command_line();
  hello.name = !settings.name.empty() ? settings.name : hello.argv.empty() ? "job" : file_name(hello.argv.front());
  char text[4096] = {};
  if (gethostname(text, sizeof text - 1) == 0) hello.host = text;
  if (getcwd(text, sizeof text)) hello.cwd = text;
  hello.user = user_name();
  hello.pid = getpid();
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  hello.start = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  hello.tags = settings.tags;
  for (const char* name : scheduler_variables) {
    if (const char* value = std::getenv(name)) hello.env.emplace_back(name, value);
  }
  if (const char* parent = std::getenv("MACAW_JOB")) hello.parent = parse_job_id(parent);
  return hello;
}

}  // namespace macaw::process
