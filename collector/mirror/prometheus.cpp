// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of all jobs in the text format that Prometheus scrapes.
#include <cmath>

#include "collector/mirror/exports.hpp"
#include "collector/model/stages_csv.hpp"

namespace macaw {

namespace {

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
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else
      out += c;
  }
  return out + '"';
}

std::string labels_of(const model::Job& job) {
  return label("job_id", model::to_string(job.id)) + ',' + label("name", job.identity->name) + ',' +
         label("host", job.identity->host);
}

double as_double(const model::Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

}  // namespace

std::string prometheus_text(const Health& health, const std::vector<model::JobPtr>& jobs, double now) {
  std::string out;
  Family(out, "macaw_received_total", "counter", "Datagrams received.")
      .sample("", static_cast<double>(health.received));
  Family refused(out, "macaw_refused_total", "counter", "Datagrams refused, by reason.");
  for (const auto& [reason, count] : health.refused)
    refused.sample(label("reason", reason), static_cast<double>(count));
  Family(out, "macaw_kernel_drops_total", "counter", "Datagrams that the kernel dropped before they were read.")
      .sample("", static_cast<double>(health.kernel_drops));
  Family(out, "macaw_jobs", "gauge", "Jobs held.").sample("", static_cast<double>(health.jobs));

  Family state(out, "macaw_job_state", "gauge", "1 for the state that the job is in.");
  for (const auto& job : jobs) state.sample(labels_of(*job) + ',' + label("state", model::state_name(job->state)), 1);
  Family elapsed(out, "macaw_job_elapsed_seconds", "gauge", "How long the job has run.");
  for (const auto& job : jobs) elapsed.sample(labels_of(*job), job->elapsed(now));
  Family memory(out, "macaw_job_resident_bytes", "gauge", "Resident memory of the job.");
  for (const auto& job : jobs)
    if (job->usage->rss) memory.sample(labels_of(*job), static_cast<double>(*job->usage->rss));
  Family progress(out, "macaw_bar_done", "gauge", "Steps done, by bar.");
  for (const auto& job : jobs)
    for (const auto& bar : job->bars)
      progress.sample(labels_of(*job) + ',' + label("bar", std::to_string(bar->id)) + ',' + label("desc", bar->desc),
                      as_double(bar->n));
  Family total(out, "macaw_bar_total", "gauge", "Steps to do, by bar.");
  for (const auto& job : jobs)
    for (const auto& bar : job->bars)
      if (bar->total)
        total.sample(labels_of(*job) + ',' + label("bar", std::to_string(bar->id)) + ',' + label("desc", bar->desc),
                     as_double(*bar->total));
  Family stage_count(out, "macaw_stage_seconds_count", "counter", "Completed entries, by stage.");
  for (const auto& job : jobs)
    for (const auto& stage : job->stages)
      stage_count.sample(labels_of(*job) + ',' + label("stage", model::joined_path(stage->path)),
                         static_cast<double>(stage->count));
  Family stage_sum(out, "macaw_stage_seconds_sum", "counter", "Seconds spent, by stage.");
  for (const auto& job : jobs)
    for (const auto& stage : job->stages)
      stage_sum.sample(labels_of(*job) + ',' + label("stage", model::joined_path(stage->path)), stage->total);
  Family metric(out, "macaw_metric", "gauge", "The job's own metrics, newest value.");
  for (const auto& job : jobs) {
    for (const auto& m : job->metrics) {
      const std::string labels = labels_of(*job) + ',' + label("metric", m->name);
      if (const auto* real = std::get_if<double>(&m->latest.value))
        metric.sample(labels, *real);
      else if (const auto* whole = std::get_if<std::int64_t>(&m->latest.value))
        metric.sample(labels, static_cast<double>(*whole));
      else if (const auto* flag = std::get_if<bool>(&m->latest.value))
        metric.sample(labels, *flag ? 1 : 0);
    }
  }
  return out;
}

}  // namespace macaw
