// SPDX-License-Identifier: GPL-3.0-or-later
// A job's stage summary as CSV (RFC 4180, UTF-8, point decimals in every locale), for the mirror and for the desktop
// app's export alike; and the rules for cells, for other tables. Pure.
#pragma once

#include <string>
#include <string_view>

#include "collector/model/job.hpp"

namespace macaw::model {

// Header `path,name,depth,kind,count,total_s,self_s,avg_s,min_s,max_s,std_s,errors,note`, one row a stage in tree
// order.
std::string stages_csv(const Job& job);

// Quoted where needed; text that a spreadsheet would run gets a leading '.
void append_csv_text(std::string& out, std::string_view text);

// The shortest digits that read back as the same number; "nan", "inf" and "-inf" in words.
void append_number(std::string& out, double number);

// Names joined with `/`; `~` and `/` inside a name as `~0` and `~1`.
std::string joined_path(const Path& path);
Path split_path(std::string_view joined);

}  // namespace macaw::model
