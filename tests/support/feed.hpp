// SPDX-License-Identifier: GPL-3.0-or-later
// A model fed by text: each report is the inside of a JSON report, its envelope is added here. The clock is the test's.
//
//   Feed feed;
//   feed.report(0.5, 1, R"("hello":{"name":"x"},"bars":[{"id":1,"n":4}])");
//   feed.tick(0.6);  CHECK(feed.text() == …)
#pragma once

#include <string>

#include "collector/model/model.hpp"

namespace macaw::test {

inline const std::string job_text = "a3f2c1d0-5b7e-4c19-8f02-9d3e61b7a045";

// A whole JSON datagram.
std::string datagram(std::uint64_t seq, double up, const std::string& rows, const std::string& job = job_text);

class Feed {
 public:
  explicit Feed(model::Limits limits = {}) : m_model(limits) {}

  // Arrives at `now`, which is the job's own clock, too. False when refused or here before.
  bool report(double now, std::uint64_t seq, const std::string& rows, const std::string& job = job_text);
  bool report_at(double now, double up, std::uint64_t seq, const std::string& rows, const std::string& job = job_text);
  std::shared_ptr<const model::ChangeSet> tick(double now);  // keeps the newest snapshot of the job

  const model::Job& job() const { return *m_job; }
  model::JobPtr job_ptr() const { return m_job; }
  model::Model& model() { return m_model; }
  wire::Answer answer(std::size_t limit = 1200);  // to the last report
  std::string text() const;

 private:
  model::Model m_model;
  model::JobPtr m_job;
  std::string m_bytes;
  wire::Report m_report;
};

}  // namespace macaw::test
