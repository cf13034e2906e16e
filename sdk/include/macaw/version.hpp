// SPDX-License-Identifier: MIT
#pragma once
#define MACAW_VERSION "0.1.0"
