// SPDX-License-Identifier: GPL-3.0-or-later
// SIGINT and SIGTERM end a Qt program the ordinary way: through its event loop, with all destructors.
#pragma once

namespace macaw {

// Once, after the QCoreApplication was made.
void quit_on_signals();

}  // namespace macaw
