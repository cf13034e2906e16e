// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/mirror/job_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace macaw {

using model::Job;

namespace {

void write_names(JsonWriter& json, const std::vector<std::string>& names) {
  json.begin_array();
  for (const std::string& name : names) json.value(name);
  json.end_array();
}

void write_map(JsonWriter& json, const std::map<std::string, std::string>& map) {
  json.begin_object();
  for (const auto& [key, value] : map) json.pair(key, value);
  json.end_object();
}

void write_identity(JsonWriter& json, const model::Identity& id) {
  json.pair("name", id.name);
  json.pair("host", id.host);
  json.pair("pid", id.pid);
  json.pair("user", id.user);
  json.key("parent");
  if (id.parent)
    json.value(model::to_string(*id.parent));
  else
    json.value(nullptr);
  json.key("tags");
  write_map(json, id.tags);
  json.pair("lang", id.lang);
  json.pair("sdk", id.sdk);
  json.key("argv");
  write_names(json, id.argv);
  json.pair("cwd", id.cwd);
  json.key("git");
  if (id.git_commit.empty() && id.git_branch.empty()) {
    json.value(nullptr);
  } else {
    json.begin_object();
    json.pair("commit", id.git_commit);
    json.pair("branch", id.git_branch);
    json.pair("dirty", id.git_dirty);
    json.end_object();
  }
  json.key("env");
  write_map(json, id.env);
}

void write_error(JsonWriter& json, const model::Error* error) {
  json.key("error");
  if (!error) return json.value(nullptr);
  json.begin_object();
  json.pair("type", error->type);
  json.pair("message", error->message);
  json.pair("traceback", error->traceback);
  json.end_object();
}

void write_usage(JsonWriter& json, const model::Usage& usage) {
  json.pair("peak_memory", usage.peak);
  json.key("usage");
  json.begin_object();
  json.pair_if("rss", usage.rss);
  json.pair_if("peak", usage.peak);
  json.pair_if("cpu", usage.cpu);
  json.pair_if("cpu_rate", usage.cpu_rate);
  json.pair_if("threads", usage.threads);
  json.pair_if("children", usage.children);
  json.pair_if("tree_rss", usage.tree_rss);
  const auto devices = [&json](const char* key, const std::vector<double>& values) {
    if (values.empty()) return;
    json.key(key);
    json.begin_array();
    for (const double value : values) json.value(value);
    json.end_array();
  };
  devices("gpu", usage.gpu);
  devices("gpu_mem", usage.gpu_mem);
  json.end_object();
}

void write_iterations(JsonWriter& json, const Job& job) {
  json.key("iterations");
  const model::Bar* bar = job.main_bar();
  if (!bar) return json.value(nullptr);
  json.begin_object();
  json.pair("n", bar->n);
  json.pair("total", bar->total);
  json.end_object();
}

// Seconds that have passed for the job since it told something.
double passed(const Job& job, double told, double now) { return std::max(0.0, job.elapsed(now) - told); }

void begin_bar(JsonWriter& json, const model::Bar& bar, const Job& job, double now) {
  const double since = bar.state == model::BarState::running ? passed(job, bar.told, now) : 0;
  json.begin_object();
  json.pair("id", bar.id);
  json.pair("parent", bar.parent);
  json.key("stage");
  write_names(json, bar.stage);
  json.pair("desc", bar.desc);
  json.pair("n", bar.n);
  json.pair("total", bar.total);
  json.pair_if("initial", bar.initial);
  json.pair("unit", bar.unit);
  json.pair("elapsed", bar.elapsed + since);
  json.pair_if("rate", bar.rate);
  if (bar.eta) json.pair("eta", std::max(0.0, *bar.eta - since));
  if (bar.eta_range) {
    json.key("eta_range");
    json.begin_array();
    json.value(std::max(0.0, bar.eta_range->first - since));
    json.value(std::max(0.0, bar.eta_range->second - since));
    json.end_array();
  }
  json.pair("state", model::bar_state_name(bar.state));
  json.pair("repeats", bar.repeats);
}

void begin_stage(JsonWriter& json, const model::Stage& stage, const Job& job, double now) {
  json.begin_object();
  json.key("path");
  write_names(json, stage.path);
  json.pair("kind", stage.kind == model::StageKind::call ? "call" : "stage");
  json.pair("count", stage.count);
  json.pair("total", stage.spent());
  json.pair("self", stage.self);
  json.pair("avg", stage.avg());
  json.pair("min", stage.min);
  json.pair("max", stage.max);
  json.pair("std", stage.std_dev());
  json.pair("last", stage.last);
  json.pair("open", stage.open);
  if (stage.since && stage.open > 0) json.pair("since", *stage.since + passed(job, stage.told, now));
  json.pair("errors", stage.errors);
  json.pair("note", stage.note);
  json.key("trend");
  json.begin_array();
  for (const float mean : stage.trend) json.value(static_cast<double>(mean));
  json.end_array();
  // Left open: an event may add where the row belongs.
}

void write_metric(JsonWriter& json, const model::Metric& metric) {
  constexpr std::size_t recent = 60;
  json.key(metric.name);
  json.begin_object();
  json.pair("value", metric.latest.value);
  json.pair("step", metric.latest.step);
  json.pair("up", metric.latest.up);
  std::vector<const model::Point*> points;
  for (auto chunk = metric.chunks.rbegin(); chunk != metric.chunks.rend() && points.size() < recent; ++chunk)
    for (auto point = (*chunk)->rbegin(); point != (*chunk)->rend() && points.size() < recent; ++point)
      points.push_back(&*point);
  json.key("recent");
  json.begin_array();
  for (auto point = points.rbegin(); point != points.rend(); ++point) json.value((*point)->value);
  json.end_array();
  if (metric.first_nonfinite) {
    json.key("first_nonfinite");
    json.begin_object();
    json.pair("step", metric.first_nonfinite->step);
    json.pair("up", metric.first_nonfinite->up);
    json.end_object();
  }
  if (metric.thinned > 0) json.pair("thinned", metric.thinned);
  json.end_object();
}

void write_log_state(JsonWriter& json, const model::Log& log) {
  json.key("log");
  json.begin_object();
  json.pair("first", log.first_no);
  json.pair("last", log.last_no);
  json.pair("lines", log.lines);
  json.end_object();
}

void write_lost(JsonWriter& json, const model::Lost& lost) {
  json.key("lost");
  json.begin_object();
  json.pair("datagrams", lost.datagrams);
  json.pair("logs", lost.logs);
  json.pair("metrics", lost.metrics);
  json.end_object();
}

// Rows beyond the bounds, as counts; only where there are any.
void write_others(JsonWriter& json, const Job& job) {
  if (job.others_bars + job.others_stages + job.others_metrics == 0) return;
  json.key("others");
  json.begin_object();
  json.pair("bars", job.others_bars);
  json.pair("stages", job.others_stages);
  json.pair("metrics", job.others_metrics);
  json.end_object();
}

void write_clock(JsonWriter& json, const Job& job, double now) {
  json.pair("elapsed", job.elapsed(now));
  json.pair("last_contact", iso_time(job.heard_unix));
}

bool same(const model::Lost& a, const model::Lost& b) {
  return a.datagrams == b.datagrams && a.logs == b.logs && a.metrics == b.metrics;
}

template <class T>
bool any_changed(const std::vector<std::shared_ptr<const T>>& rows,
                 const std::vector<std::shared_ptr<const T>>& before) {
  return rows != before;  // compares pointers
}

void write_changed_bars(JsonWriter& json, const Job& job, const Job& before, double now) {
  json.key("bars");
  json.begin_array();
  for (std::size_t i = 0; i < job.bars.size(); ++i) {
    if (i < before.bars.size() && job.bars[i] == before.bars[i]) continue;
    begin_bar(json, *job.bars[i], job, now);
    json.end_object();
  }
  json.end_array();
}

// Rows only ever come in between, so both lists are walked in step; a row that is new says after which one it stands.
void write_changed_stages(JsonWriter& json, const Job& job, const Job& before, double now) {
  json.key("stages");
  json.begin_array();
  std::size_t old = 0;
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    const auto& stage = job.stages[i];
    const bool known =
        old < before.stages.size() && (stage == before.stages[old] || stage->path == before.stages[old]->path);
    const bool changed = !known || stage != before.stages[old];
    if (known) ++old;
    if (!changed) continue;
    begin_stage(json, *stage, job, now);
    if (!known) {
      json.key("after");
      if (i > 0)
        write_names(json, job.stages[i - 1]->path);
      else
        json.value(nullptr);
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string iso_time(double unix_s) {
  if (!(unix_s > 0 && unix_s < 2.5e11)) unix_s = 0;
  const auto ms = std::int64_t{std::llround(unix_s * 1000)};
  const std::time_t seconds = ms / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", utc.tm_year + 1900, utc.tm_mon + 1,
                utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, static_cast<int>(ms % 1000));
  return text;
}

void write_stages(JsonWriter& json, const Job& job, double now) {
  json.begin_array();
  for (const auto& stage : job.stages) {
    begin_stage(json, *stage, job, now);
    json.end_object();
  }
  json.end_array();
}

void write_job(JsonWriter& json, const Job& job, double now) {
  json.pair("id", model::to_string(job.id));
  write_identity(json, *job.identity);
  json.pair("state", model::state_name(job.state));
  json.pair("started", iso_time(job.started));
  if (job.skew) json.pair("clock_skew", job.skew);
  write_clock(json, job, now);
  json.pair("exit_code", job.exit_code);
  json.pair("exit_signal", job.exit_signal);
  write_error(json, job.error.get());
  write_usage(json, *job.usage);
  write_iterations(json, job);
  json.key("bars");
  json.begin_array();
  for (const auto& bar : job.bars) {
    begin_bar(json, *bar, job, now);
    json.end_object();
  }
  json.end_array();
  json.key("stages");
  write_stages(json, job, now);
  json.key("metrics");
  json.begin_object();
  for (const auto& metric : job.metrics) write_metric(json, *metric);
  json.end_object();
  write_log_state(json, *job.log);
  write_lost(json, job.lost);
  write_others(json, job);
}

void write_job_changes(JsonWriter& json, const Job& job, const Job& before, double now) {
  json.pair("id", model::to_string(job.id));
  if (job.identity != before.identity) write_identity(json, *job.identity);
  if (job.state != before.state) json.pair("state", model::state_name(job.state));
  if (job.started != before.started) json.pair("started", iso_time(job.started));
  if (job.skew != before.skew) json.pair("clock_skew", job.skew);
  write_clock(json, job, now);
  if (job.exit_code != before.exit_code) json.pair("exit_code", job.exit_code);
  if (job.exit_signal != before.exit_signal) json.pair("exit_signal", job.exit_signal);
  if (job.error != before.error) write_error(json, job.error.get());
  if (job.usage != before.usage) write_usage(json, *job.usage);
  if (any_changed(job.bars, before.bars)) {
    write_iterations(json, job);
    write_changed_bars(json, job, before, now);
  }
  if (any_changed(job.stages, before.stages)) write_changed_stages(json, job, before, now);
  if (any_changed(job.metrics, before.metrics)) {
    json.key("metrics");
    json.begin_object();
    for (std::size_t i = 0; i < job.metrics.size(); ++i)
      if (i >= before.metrics.size() || job.metrics[i] != before.metrics[i]) write_metric(json, *job.metrics[i]);
    json.end_object();
  }
  if (job.log != before.log) write_log_state(json, *job.log);
  if (!same(job.lost, before.lost)) write_lost(json, job.lost);
  if (job.others_bars != before.others_bars || job.others_stages != before.others_stages ||
      job.others_metrics != before.others_metrics)
    write_others(json, job);
}

void write_log_line(JsonWriter& json, const model::LogLine& line, double started) {
  json.begin_object();
  json.pair("no", line.no);
  json.pair("up", line.up);
  json.pair("time", iso_time(started + line.up));
  json.pair("level", model::log_level_name(line.level));
  json.pair("text", line.text);
  json.key("stage");
  write_names(json, line.stage);
  if (line.cut > 0) json.pair("cut", line.cut);
  json.end_object();
}

}  // namespace macaw
