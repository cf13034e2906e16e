// SPDX-License-Identifier: MIT
// libsodium, loaded when a job has a key: who has none needs no library. Any thread.
#pragma once

#include "sdk/src/wire/seal.hpp"

namespace macaw::report {

// Null when this machine has no libsodium. Loaded once; stays loaded.
const wire::Sodium* load_sodium() noexcept;

}  // namespace macaw::report
