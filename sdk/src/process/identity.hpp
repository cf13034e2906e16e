// SPDX-License-Identifier: MIT
// Who this process is: the hello that it reports, and its random job id.
#pragma once

#include "sdk/src/report/reporter.hpp"
#include "sdk/src/report/settings.hpp"

namespace macaw::process {

wire::JobId random_job_id();
std::string job_id_text(const wire::JobId& id);                    // UUID text
std::optional<wire::JobId> parse_job_id(const std::string& text);  // absent when it is none

// `lang` and `sdk` name the binding: "python 3.11.7", "macaw 0.1.0".
report::Hello read_identity(const report::Settings& settings, std::string lang, std::string sdk);

}  // namespace macaw::process
