// SPDX-License-Identifier: MIT
#include "sdk/src/console/writer.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "sdk/src/console/format.hpp"

namespace macaw::console {
namespace {

struct Size {
  std::size_t columns = 80, rows = 24;
};

Size terminal_size(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return {size.ws_col, std::max<std::size_t>(size.ws_row, 2)};
}

// Each line cut to the terminal's width, the block to its height, as a line that wraps cannot be erased again.
std::string fitted(const std::string& text, Size size, std::size_t& lines) {
  std::string out;
  lines = 0;
  for (std::size_t at = 0; at < text.size() && lines + 1 < size.rows; ++lines) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (display_width(line) >= size.columns) line = cut_name(line, size.columns - 1);
    out += line + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

void Writer::write_out(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t done = ::write(fd_, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;  // a closed or full stderr costs the job its display, nothing else
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

// Up over the drawn block, and the screen cleared below.
std::string Writer::erased() const {
  return drawn_lines_ ? "\x1b[" + std::to_string(drawn_lines_) + "A\r\x1b[J" : "";
}

// Paragraphs of different kinds are parted by a blank line; log lines stand together.
void Writer::put(Kind kind, const std::string& text) {
  std::string out = erased();
  if (last_ != Kind::none && (kind != last_ || kind != Kind::log)) out += "\n";
  out += text + drawn_;
  last_ = kind;
  write_out(out);
}

void Writer::start(const Snapshot& job) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (mode_ != Mode::off) put(Kind::start, started(job));
}

bool Writer::wants_block(double now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return mode_ == Mode::live || (mode_ == Mode::plain && now - block_at_ >= plain_every);
}

void Writer::block(const Snapshot& job, double now) {
  if (!wants_block(now)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string text = console::block(job);
  if (text.empty() || (mode_ == Mode::plain && !has_moved(job))) return;
  block_at_ = now;
  if (mode_ == Mode::plain) return put(Kind::block, text);
  const std::string above = erased();
  std::size_t lines = 0;
  const std::string next = fitted("\n" + text, terminal_size(fd_), lines);
  if (next == drawn_) return;
  drawn_ = next;
  drawn_lines_ = lines;
  write_out(above + drawn_);
}

void Writer::log(std::string_view level, std::string_view text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (mode_ != Mode::off) put(Kind::log, log_line(level, text));
}

void Writer::print_above(std::string_view text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  partial_ += text;
  const std::size_t end = partial_.rfind('\n');
  if (end == std::string::npos) return;
  write_out(erased() + partial_.substr(0, end + 1) + drawn_);
  partial_.erase(0, end + 1);
}

void Writer::finish(const Snapshot& job, const Ending& ending) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!partial_.empty()) write_out(erased() + partial_ + "\n" + drawn_);
  partial_.clear();
  if (mode_ == Mode::off) return;
  if (mode_ == Mode::live && drawn_lines_) {  // the last block stays, as the job's last picture
    const std::string above = erased();
    std::size_t lines = 0;
    write_out(above + fitted("\n" + console::block(job), terminal_size(fd_), lines));
    drawn_.clear();
    drawn_lines_ = 0;
    last_ = Kind::block;
  }
  put(Kind::finish, finished(job, ending));
}

}  // namespace macaw::console
