// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/model_printer.hpp"

#include <algorithm>
#include <sstream>

#include "collector/model/stages_csv.hpp"

namespace macaw::test {

namespace {

template <class V>
std::string value_text(const V& value) {
  std::string out;
  std::visit(
      [&out](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>)
          out += '"' + v + '"';
        else if constexpr (std::is_same_v<T, bool>)
          out += v ? "true" : "false";
        else if constexpr (std::is_same_v<T, double>)
          model::append_number(out, v);
        else
          out += std::to_string(v);
      },
      value);
  return out;
}

template <class Row, class Less>
std::vector<std::shared_ptr<const Row>> sorted(std::vector<std::shared_ptr<const Row>> rows, Less less) {
  std::sort(rows.begin(), rows.end(), less);
  return rows;
}

}  // namespace

std::string print(const model::Job& job) {
  std::ostringstream out;
  out << job.identity->name << ": " << model::state_name(job.state);
  if (job.exit_code) out << " code " << *job.exit_code;
  if (job.exit_signal) out << " signal " << *job.exit_signal;
  out << '\n';
  if (job.error)
    out << "error " << job.error->type << ": " << job.error->message << " | " << job.error->traceback << '\n';
  for (const auto& bar : sorted(job.bars, [](const auto&a, const auto&b) { return a->id < b->id; })) {
    out << "bar " << bar->id << ' ' << bar->desc << ' ' << value_text(bar->n);
    if (bar->total) out << '/' << value_text(*bar->total);
    out << ' ' << model::bar_state_name(bar->state) << '\n';
  }
  for (const auto& stage : sorted(job.stages, [](const auto&a, const auto&b) { return a->path < b->path; })) {
    out << "stage " << model::joined_path(stage->path) << " n " << stage->count << " total " << stage->total << " self "
        << stage->self << " open " << stage->open;
    if (!stage->note.empty()) out << ' ' << stage->note;
    out << '\n';
  }
  for (const auto& metric : sorted(job.metrics, [](const auto&a, const auto&b) { return a->name < b->name; })) {
    out << "metric " << metric->name << ' ' << value_text(metric->latest.value) << " of";
    for (const auto& chunk : metric->chunks)
      for (const auto& point : *chunk) out << ' ' << value_text(point.value);
    out << '\n';
  }
  for (const auto& chunk : job.log->chunks)
    for (const auto& line : *chunk)
      out << "log " << line.no << ' ' << model::log_level_name(line.level) << ' ' << line.text << '\n';
  if (job.lost.datagrams + job.lost.logs + job.lost.metrics > 0)
    out << "lost " << job.lost.datagrams << ' ' << job.lost.logs << ' ' << job.lost.metrics << '\n';
  return out.str();
}

}  // namespace macaw::test
