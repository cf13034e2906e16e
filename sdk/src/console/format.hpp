// SPDX-License-Identifier: MIT
// The console's paragraphs as text (format: tests/golden/console-*.txt). Pure functions, any thread. Each paragraph
// ends with a newline; the blank line between two is the writer's.
#pragma once

#include <string>
#include <string_view>

#include "sdk/src/console/snapshot.hpp"

namespace macaw::console {

std::string started(const Snapshot& job);
// The iteration block; empty while there is nothing to show.
std::string block(const Snapshot& job);
// Whether there is progress to show: a file's first block should say more than that nothing is done yet.
bool has_moved(const Snapshot& job);
std::string finished(const Snapshot& job, const Ending& ending);
// The stage summary's rows alone, sorted by total time at each level.
std::string stage_summary(const Snapshot& job);
std::string log_line(std::string_view level, std::string_view text);

// --- pieces, for tests ---
std::string duration(double seconds);  // 4.2s, 14s, 6m 12s, 2h 32m, 1d 03h
std::string eta(double seconds);       // 00:13, 1:02:03
std::size_t display_width(std::string_view text);
std::string cut_name(std::string_view name, std::size_t width);

}  // namespace macaw::console
