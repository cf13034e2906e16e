// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of jobs in the text format that Prometheus scrapes. Every label set becomes a series that Prometheus
// keeps for weeks, so what a scrape names is bounded: jobs that are alive or have just ended, and of each the rows that
// matter most. What was left out is counted.
#include <algorithm>
#include <cmath>

#include "collector/mirror/exports.hpp"
#include "collector/model/stages_csv.hpp"

namespace macaw {

namespace {

constexpr std::size_t most_jobs = 1'000, most_bars = 20, most_stages = 50,
                      most_metrics = 50;  // the last three of a job
constexpr double ended_lately = 300;      // s: an end is scraped a few times, then the job leaves

class Family {
 public:
  Family(std::string& out, const char* name, const char* type, const char* help) : m_out(out), m_name(name) {
    (((((m_out += "# HELP ") += name) += ' ') += help) += '\n');
    (((((m_out += "# TYPE ") += name) += ' ') += type) += '\n');
  }

  void sample(const std::string& labels, double value) {
    m_out += m_name;
    if (!labels.empty()) ((m_out += '{') += labels) += '}';
    m_out += ' ';
    if (std::isnan(value))
      m_out += "NaN";
    else if (std::isinf(value))
      m_out += value < 0 ? "-Inf" : "+Inf";
    else
      model::append_number(m_out, value);
    m_out += '\n';
  }

 private:
  std::string& m_out;
  const char* m_name;
};

std::string label(const char* name, const std::string& value) {
  std::string out = std::string(name) + "=\"";
  for (const char c : value) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else
      out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;  // Prometheus ends at a NUL
  }
  return out + '"';
}

double as_double(const model::Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

// A metric's newest value where that is a number.
std::optional<double> number_of(const model::Metric& metric) {
  return std::visit(
      [](const auto& value) -> std::optional<double> {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
          return std::nullopt;
        else
          return static_cast<double>(value);
      },
      metric.latest.value);
}

// What one scrape tells of a job.
struct Chosen {
  std::string labels;
  const model::Job* job = nullptr;
  std::vector<const model::Bar*> bars;
  std::vector<const model::Stage*> stages;
  std::vector<const model::Metric*> metrics;
};

template <class Row, class Wanted>
std::size_t choose(const std::vector<std::shared_ptr<const Row>>& rows, std::size_t most, std::vector<const Row*>& out,
                   Wanted more_wanted) {
  for (const auto& row : rows) out.push_back(row.get());
  if (out.size() <= most) return 0;
  std::nth_element(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(most), out.end(), more_wanted);
  const std::size_t left_out = out.size() - most;
  out.resize(most);
  return left_out;
}

std::vector<Chosen> choose(const std::vector<model::JobPtr>& jobs, double now, std::size_t& left_out) {
  std::vector<Chosen> chosen;
  for (auto it = jobs.rbegin(); it != jobs.rend(); ++it) {
    const model::Job& job = **it;
    if (model::is_terminal(job.state) && now - job.heard > ended_lately) continue;
    if (chosen.size() == most_jobs) {
      ++left_out;
      continue;
    }
    Chosen& one = chosen.emplace_back();
    one.job = &job;
    one.labels = label("job_id", model::to_string(job.id)) + ',' + label("name", job.identity->name) + ',' +
                 label("host", job.identity->host);
    left_out += choose(job.bars, most_bars, one.bars,
                       [](const model::Bar* a, const model::Bar* b) { return a->elapsed > b->elapsed; });
    left_out += choose(job.stages, most_stages, one.stages,
                       [](const model::Stage* a, const model::Stage* b) { return a->total > b->total; });
    left_out += choose(job.metrics, most_metrics, one.metrics,
                       [](const model::Metric* a, const model::Metric* b) { return a->name < b->name; });
  }
  return chosen;
}

void write_collector(std::string& out, const Health& health) {
  const auto counter = [&](const char* name, const char* help, quint64 value) {
    Family(out, name, "counter", help).sample("", static_cast<double>(value));
  };
  const auto gauge = [&](const char* name, const char* help, quint64 value) {
    Family(out, name, "gauge", help).sample("", static_cast<double>(value));
  };
  counter("macaw_received_total", "Datagrams received.", health.received);
  counter("macaw_received_bytes_total", "Bytes received.", health.bytes);
  Family refused(out, "macaw_refused_total", "counter", "Datagrams refused, by reason.");
  for (const auto& [reason, count] : health.refused)
    refused.sample(label("reason", reason), static_cast<double>(count));
  counter("macaw_replayed_total", "Datagrams that came a second time.", health.replayed);
  counter("macaw_kernel_drops_total", "Datagrams that the kernel dropped before they were read.", health.kernel_drops);
  gauge("macaw_lost", "Datagrams of the jobs held that never arrived.", health.lost);
  gauge("macaw_receive_buffer_bytes", "The kernel's buffer for datagrams.", health.receive_buffer);
  gauge("macaw_jobs", "Jobs held.", health.jobs);
  gauge("macaw_jobs_open", "Jobs held that have not ended.", health.jobs_open);
  gauge("macaw_browsers", "Event streams open.", health.browsers);
  gauge("macaw_resident_bytes", "Resident memory of the collector.", health.memory);
}

void write_jobs(std::string& out, const std::vector<Chosen>& jobs, double now) {
  Family state(out, "macaw_job_state", "gauge", "1 for the state that the job is in.");
  for (const Chosen& job : jobs) state.sample(job.labels + ',' + label("state", model::state_name(job.job->state)), 1);
  Family elapsed(out, "macaw_job_elapsed_seconds", "gauge", "How long the job has run.");
  for (const Chosen& job : jobs) elapsed.sample(job.labels, job.job->elapsed(now));
  Family memory(out, "macaw_job_resident_bytes", "gauge", "Resident memory of the job.");
  for (const Chosen& job : jobs)
    if (job.job->usage->rss) memory.sample(job.labels, static_cast<double>(*job.job->usage->rss));
  Family cpu(out, "macaw_job_cpu_seconds_total", "counter", "Processor time that the job has used.");
  for (const Chosen& job : jobs)
    if (job.job->usage->cpu) cpu.sample(job.labels, *job.job->usage->cpu);
}

void write_rows(std::string& out, const std::vector<Chosen>& jobs) {
  const auto bar_labels = [](const Chosen& job, const model::Bar& bar) {
    return job.labels + ',' + label("bar", std::to_string(bar.id)) + ',' + label("desc", bar.desc);
  };
  const auto stage_labels = [](const Chosen& job, const model::Stage& stage) {
    return job.labels + ',' + label("stage", model::joined_path(stage.path));
  };
  Family done(out, "macaw_bar_steps_done", "gauge", "Steps done, by bar.");
  for (const Chosen& job : jobs)
    for (const model::Bar* bar : job.bars) done.sample(bar_labels(job, *bar), as_double(bar->n));
  Family expected(out, "macaw_bar_steps_expected", "gauge", "Steps to do in all, by bar, where that is known.");
  for (const Chosen& job : jobs)
    for (const model::Bar* bar : job.bars)
      if (bar->total) expected.sample(bar_labels(job, *bar), as_double(*bar->total));
  Family entries(out, "macaw_stage_entries_total", "counter", "Completed entries, by stage.");
  for (const Chosen& job : jobs)
    for (const model::Stage* stage : job.stages)
      entries.sample(stage_labels(job, *stage), static_cast<double>(stage->count));
  Family seconds(out, "macaw_stage_seconds_total", "counter", "Seconds spent, by stage.");
  for (const Chosen& job : jobs)
    for (const model::Stage* stage : job.stages) seconds.sample(stage_labels(job, *stage), stage->total);
  Family metric(out, "macaw_metric", "gauge", "The job's own metrics, newest value.");
  for (const Chosen& job : jobs)
    for (const model::Metric* each : job.metrics)
      if (const auto value = number_of(*each)) metric.sample(job.labels + ',' + label("metric", each->name), *value);
}

}  // namespace

std::string prometheus_text(const Health& health, const std::vector<model::JobPtr>& jobs, double now) {
  std::string out;
  std::size_t left_out = 0;
  const std::vector<Chosen> chosen = choose(jobs, now, left_out);
  write_collector(out, health);
  Family(out, "macaw_scrape_left_out", "gauge", "Jobs, bars, stages and metrics that this scrape does not name.")
      .sample("", static_cast<double>(left_out));
  write_jobs(out, chosen, now);
  write_rows(out, chosen);
  return out;
}

}  // namespace macaw
