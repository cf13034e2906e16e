// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/mirror/exports.hpp"

#include <algorithm>
#include <cctype>

#include "collector/mirror/job_json.hpp"
#include "collector/model/event_tables.hpp"
#include "collector/model/stages_csv.hpp"

namespace macaw {

namespace {

void append_number(std::string& out, std::int64_t number) { out += std::to_string(number); }

void append_cell(std::string& out, const model::Value& value) {
  std::visit(
      [&out](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>)
          model::append_csv_text(out, v);
        else if constexpr (std::is_same_v<T, bool>)
          out += v ? "true" : "false";
        else if constexpr (std::is_same_v<T, double>)
          model::append_number(out, v);
        else
          append_number(out, v);
      },
      value);
}

void append_step(std::string& out, const std::optional<model::Number>& step) {
  if (!step) return;
  if (const auto* whole = std::get_if<std::int64_t>(&*step))
    append_number(out, *whole);
  else
    model::append_number(out, std::get<double>(*step));
}

std::vector<model::Point> points_of(const model::Metric& metric) {
  std::vector<model::Point> points;
  for (const auto& chunk : metric.chunks) points.insert(points.end(), chunk->begin(), chunk->end());
  return points;
}

bool contains_word(const std::string& text, const std::string& word) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

}  // namespace

std::string metrics_csv(const model::Job& job) {
  std::string out = "name,step,up_s,value\r\n";
  for (const auto& metric : job.metrics) {
    for (const model::Point& point : points_of(*metric)) {
      model::append_csv_text(out, metric->name);
      out += ',';
      append_step(out, point.step);
      out += ',';
      model::append_number(out, point.up);
      out += ',';
      append_cell(out, point.value);
      out += "\r\n";
    }
  }
  return out;
}

std::string metrics_json(const model::Job& job, const std::string& name, std::size_t wanted) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  for (const auto& metric : job.metrics) {
    if (!name.empty() && metric->name != name) continue;
    std::vector<model::Point> points = points_of(*metric);
    if (wanted > 0 && points.size() > wanted) points = model::thin(points, 2 * wanted);
    json.key(metric->name);
    json.begin_object();
    const auto column = [&](const char* key, const auto& of) {
      json.key(key);
      json.begin_array();
      for (const model::Point& point : points) json.value(of(point));
      json.end_array();
    };
    column("step", [](const model::Point& p) { return p.step; });
    column("up", [](const model::Point& p) { return p.up; });
    column("value", [](const model::Point& p) { return p.value; });
    json.end_object();
  }
  json.end_object();
  return out;
}

std::string log_json(const model::Job& job, const LogQuery& query) {
  std::vector<const model::LogLine*> found;
  const auto& chunks = job.log->chunks;
  for (auto chunk = chunks.rbegin(); chunk != chunks.rend() && found.size() < query.limit; ++chunk) {
    for (auto line = (*chunk)->rbegin(); line != (*chunk)->rend() && found.size() < query.limit; ++line) {
      if (line->no <= query.after || line->no >= query.before || line->level < query.level) continue;
      if (query.search.empty() || contains_word(line->text, query.search)) found.push_back(&*line);
    }
  }
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.key("lines");
  json.begin_array();
  for (auto line = found.rbegin(); line != found.rend(); ++line) write_log_line(json, **line, job.started);
  json.end_array();
  json.pair("first", job.log->first_no);
  json.pair("last", job.log->last_no);
  json.pair("lost", job.lost.logs);
  json.end_object();
  return out;
}

std::string health_json(const Health& health) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.pair("received", std::uint64_t{health.received});
  json.pair("bytes", std::uint64_t{health.bytes});
  json.pair("applied", std::uint64_t{health.applied});
  json.key("refused");
  json.begin_object();
  for (const auto& [reason, count] : health.refused) json.pair(reason, std::uint64_t{count});
  json.end_object();
  json.pair("lost", std::uint64_t{health.lost});
  json.pair("kernel_drops", std::uint64_t{health.kernel_drops});
  json.pair("replayed", std::uint64_t{health.replayed});
  json.pair("answered", std::uint64_t{health.answered});
  json.pair("receive_buffer", std::uint64_t{health.receive_buffer});
  json.pair("jobs", std::uint64_t{health.jobs});
  json.pair("jobs_open", std::uint64_t{health.jobs_open});
  json.pair("browsers", std::uint64_t{health.browsers});
  json.pair("browsers_dropped", std::uint64_t{health.browsers_dropped});
  json.pair("memory", std::uint64_t{health.memory});
  json.pair("history", health.history);
  json.end_object();
  return out;
}

}  // namespace macaw
