// SPDX-License-Identifier: GPL-3.0-or-later
// The composition root: makes the collector, the store and the window, and ties them together.
#pragma once

namespace macaw::app {

// All of main(): the exit code is 0, 1 when a wanted picture could not be taken, 2 when it cannot start.
int run(int& argc, char** argv);

}  // namespace macaw::app
