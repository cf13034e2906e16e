// SPDX-License-Identifier: MIT
// Puts the console's paragraphs on a terminal or into a file. Live: the block is drawn again in place, and what is
// printed meanwhile stays above it, whole. Plain: a block at the start, then at most every 10 s.
// Threads: every call locks; none waits for a reader of the other end, but for finish(), which does for half a second.
#pragma once

#include <mutex>
#include <string>

#include "sdk/src/console/snapshot.hpp"

namespace macaw::console {

// Lines: log lines alone, for a worker whose parent has the console.
enum class Mode { off, lines, plain, live };

class Writer {
 public:
  // `fd` stays the caller's. `now` of the calls below: seconds on any steady clock.
  Writer(int fd, Mode mode) : fd_(fd), mode_(mode) {}

  Mode mode() const { return mode_; }
  void start(const Snapshot& job);
  // Whether block() would print now; saves making the snapshot.
  bool wants_block(double now);
  void block(const Snapshot& job, double now);
  void log(std::string_view level, std::string_view text);
  // Text of the program's own, put above the block. A last line without newline waits for the rest of it.
  void print_above(std::string_view text);
  void finish(const Snapshot& job, const Ending& ending);
  // Writes what a stalled reader left waiting, as far as it goes.
  void flush();

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  bool has_blocks() const { return mode_ == Mode::plain || mode_ == Mode::live; }
  enum class Kind { none, start, block, log, finish };
  void put(Kind kind, const std::string& text);
  std::string erased() const;
  void write_out(std::string_view text);
  void write_waiting(int patience_ms);

  static constexpr double plain_every = 10;
  static constexpr std::size_t most_waiting = 1 << 20;
  static constexpr int last_patience_ms = 500;

  const int fd_;
  Mode mode_;
  std::mutex mutex_;
  Kind last_ = Kind::none;
  std::string drawn_;  // the live block as it stands on the terminal, cut to its width
  std::size_t drawn_lines_ = 0;
  double block_at_ = -1e9;
  std::string waiting_;  // written, but not yet taken by the other end
  std::string partial_;  // printed above, not yet a whole line
};

}  // namespace macaw::console
