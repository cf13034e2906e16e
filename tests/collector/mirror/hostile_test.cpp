// SPDX-License-Identifier: GPL-3.0-or-later
// Reports that are well-formed enough to be applied, yet make no sense: golden ones with bytes changed, in any order
// and number. Whatever the model makes of them, what comes out is strict JSON, and nothing breaks (sanitizers watch).
#include <doctest/doctest.h>

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <random>

#include "collector/mirror/exports.hpp"
#include "collector/mirror/job_json.hpp"
#include "collector/model/model.hpp"
#include "collector/model/stages_csv.hpp"
#include "sdk/src/wire/decode.hpp"

using namespace macaw;

namespace {

std::vector<QByteArray> golden_reports() {
  std::vector<QByteArray> reports;
  const QDir folder(qEnvironmentVariable("MACAW_SOURCE_DIR") + "/tests/vectors");
  for (const QString& name : folder.entryList({"*.hex", "*.json"})) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::ReadOnly)) continue;
    const QByteArray text = file.readAll();
    reports.push_back(name.endsWith(".hex") ? QByteArray::fromHex(text.simplified().replace(' ', "")) : text.trimmed());
  }
  return reports;
}

bool is_json(const std::string& text) { return !QJsonDocument::fromJson(QByteArray::fromStdString(text)).isNull(); }

}  // namespace

TEST_CASE("spoilt reports make odd jobs, never bad JSON") {
  std::vector<QByteArray> reports = golden_reports();
  REQUIRE(reports.size() > 10);
  std::mt19937 random(7);
  const auto pick = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };

  model::Limits small{20, 12, 5, 6, 300, 40};
  model::Model model(small);
  wire::Report report;
  std::vector<model::JobPtr> jobs;
  std::size_t applied = 0;
  double now = 0;
  for (int i = 0; i < 30000; ++i) {
    QByteArray bytes = reports[pick(reports.size())];
    for (std::size_t changes = pick(4); changes > 0; --changes)
      bytes[static_cast<qsizetype>(pick(static_cast<std::size_t>(bytes.size())))] = static_cast<char>(pick(256));
    if (wire::decode(reinterpret_cast<const std::uint8_t*>(bytes.constData()), static_cast<std::size_t>(bytes.size()),
                     report) != wire::Decoded::ok)
      continue;
    if (pick(2)) report.seq = 1 + pick(5000);  // else most would be doubles
    ++applied;
    now += 0.01;
    model.apply(report, {now, 1e9 + now});
    std::string answer;
    model.answer(report, 1200, answer);
    CHECK(answer.size() <= 1200);
    if (i % 50 != 0) continue;
    const auto changes = model.tick(now);
    if (!changes) continue;
    CHECK(model.size() <= small.jobs);
    for (const model::JobChange& change : changes->jobs) {
      const model::Job& job = *change.job;
      std::string out;
      JsonWriter json(out);
      json.begin_object();
      write_job(json, job, now);
      json.end_object();
      if (!is_json(out)) FAIL_CHECK(out);
      CHECK(is_json(log_json(job, {})));
      CHECK(is_json(metrics_json(job, "", 10)));
      CHECK(job.stages.size() <= small.stages);
      CHECK(job.bars.size() <= small.bars);
      CHECK(job.log->lines <= small.log_lines);
      CHECK(model::stages_csv(job).ends_with("\r\n"));
    }
  }
  CHECK(applied > 1000);
}
