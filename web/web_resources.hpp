// SPDX-License-Identifier: MIT
// The bundled page, linked in: after init_web_resources() its files are at :/web/index.html, :/web/assets/…, each with
// its gzip at the same path + ".gz". Main thread, once, before the first request.
#pragma once

namespace macaw {
void init_web_resources();
}
