// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/model/stages_csv.hpp"

#include <charconv>
#include <cmath>

namespace macaw::model {

void append_csv_text(std::string& out, std::string_view text) {
  const bool runs = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    if (runs) out += '\'';
    out += text;
    return;
  }
  out += '"';
  if (runs) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_number(std::string& out, double number) {
  if (std::isnan(number)) {
    out += "nan";
  } else if (std::isinf(number)) {
    out += number < 0 ? "-inf" : "inf";
  } else {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append(digits, end);
  }
}

std::string joined_path(const Path& path) {
  std::string joined;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i > 0) joined += '/';
    for (const char c : path[i]) {
      if (c == '~')
        joined += "~0";
      else if (c == '/')
        joined += "~1";
      else
        joined += c;
    }
  }
  return joined;
}

Path split_path(std::string_view joined) {
  Path path(1);
  for (std::size_t i = 0; i < joined.size(); ++i) {
    const bool escaped = joined[i] == '~' && i + 1 < joined.size();
    if (joined[i] == '/')
      path.emplace_back();
    else
      path.back() += !escaped ? joined[i] : joined[++i] == '1' ? '/' : '~';
  }
  return path;
}

std::string stages_csv(const Job& job) {
  std::string out = "path,name,depth,kind,count,total_s,self_s,avg_s,min_s,max_s,std_s,errors,note\r\n";
  for (const auto& stage : job.stages) {
    append_csv_text(out, joined_path(stage->path));
    out += ',';
    append_csv_text(out, stage->path.back());
    out += ',' + std::to_string(stage->path.size() - 1);
    out += stage->kind == StageKind::call ? ",call," : ",stage,";
    out += std::to_string(stage->count);
    for (const double seconds : {stage->spent(), stage->self, stage->avg(), stage->min, stage->max, stage->std_dev()}) {
      out += ',';
      append_number(out, seconds);
    }
    out += ',' + std::to_string(stage->errors) + ',';
    append_csv_text(out, stage->note);
    out += "\r\n";
  }
  return out;
}

}  // namespace macaw::model
