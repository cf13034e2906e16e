// SPDX-License-Identifier: MIT
#include "sdk/src/console/writer.hpp"

#include <limits.h>
#include <poll.h>
#include <signal.h>
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

// A pipe that nobody reads any more gives EPIPE, never the signal that would end the job.
ssize_t write_quietly(int fd, const char* data, std::size_t size) {
  sigset_t pipe_only, before, pending;
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
  const ssize_t done = ::write(fd, data, size);
  const int error = errno;
  if (done < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE)) {
    const timespec now{};
    sigtimedwait(&pipe_only, nullptr, &now);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return done;
}

}  // namespace

void Writer::write_out(std::string_view text) {
  if (waiting_.size() < most_waiting) waiting_ += text;
  write_waiting(0);
}

// A reader that stalls (`job 2>&1 | less`) must not stall the reports: what it does not take now waits, up to a bound.
void Writer::write_waiting(int patience_ms) {
  std::size_t done = 0;
  while (done < waiting_.size()) {
    pollfd ready{fd_, POLLOUT, 0};
    if (poll(&ready, 1, patience_ms) <= 0) break;
    const ssize_t taken =
        write_quietly(fd_, waiting_.data() + done, std::min<std::size_t>(waiting_.size() - done, PIPE_BUF));
    if (taken < 0 && errno == EINTR) continue;
    if (taken <= 0) {  // a closed stderr costs the job its display, nothing else
      done = waiting_.size();
      break;
    }
    done += static_cast<std::size_t>(taken);
  }
  waiting_.erase(0, done);
}

void Writer::flush() {
  const std::lock_guard<std::mutex> lock(mutex_);
  write_waiting(0);
}

// Up over the drawn block, and the screen cleared below.
std::string Writer::erased() const { return drawn_lines_ ? "\x1b[" + std::to_string(drawn_lines_) + "A\r\x1b[J" : ""; }

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
  if (has_blocks()) put(Kind::start, started(job));
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
  if (!has_blocks()) return write_waiting(mode_ == Mode::lines ? last_patience_ms : 0);
  if (mode_ == Mode::live && drawn_lines_) {  // the last block stays, as the job's last picture
    const std::string above = erased();
    std::size_t lines = 0;
    write_out(above + fitted("\n" + console::block(job), terminal_size(fd_), lines));
    drawn_.clear();
    drawn_lines_ = 0;
    last_ = Kind::block;
  }
  put(Kind::finish, finished(job, ending));
  write_waiting(last_patience_ms);
}

}  // namespace macaw::console
