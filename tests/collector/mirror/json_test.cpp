// SPDX-License-Identifier: GPL-3.0-or-later
// Strict JSON, whole jobs and their changes, exports. Qt's own reader is the judge of what is JSON.
#include <doctest/doctest.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "collector/mirror/exports.hpp"
#include "collector/mirror/job_json.hpp"
#include "tests/support/feed.hpp"

using namespace macaw;
using test::Feed;

namespace {

QJsonObject parse(const std::string& text) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
  CAPTURE(text);
  REQUIRE(error.error == QJsonParseError::NoError);
  return document.object();
}

QJsonObject whole(const model::Job& job, double now) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  write_job(json, job, now);
  json.end_object();
  return parse(out);
}

QJsonObject changes(const model::Job& job, const model::Job& before, double now) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  write_job_changes(json, job, before, now);
  json.end_object();
  return parse(out);
}

}  // namespace

TEST_CASE("hostile text and numbers stay strict JSON") {
  Feed feed;
  feed.report(1, 1, R"("hello":{"name":"\u0000\u0001\"\\\n</script>\u2028\u007f"},
      "metrics":[{"no":1,"name":"a","value":"nan"},{"no":2,"name":"b","value":"-inf"},{"no":3,"name":"c","value":1e308},
                 {"no":4,"name":"big","value":9007199254740993},{"no":5,"name":"fit","value":9007199254740992},
                 {"no":6,"name":"\"q","value":"te\txt"}],
      "bars":[{"id":18446744073709551615,"n":9223372036854775807,"total":6000000000}])");
  feed.tick(1);
  const QJsonObject job = whole(feed.job(), 1);
  CHECK(job["name"].toString().size() == 16);
  const QJsonObject metrics = job["metrics"].toObject();
  CHECK(metrics["a"]["value"] == QJsonValue("nan"));
  CHECK(metrics["b"]["value"] == QJsonValue("-inf"));
  CHECK(metrics["a"]["first_nonfinite"].isObject());
  CHECK(metrics["big"]["value"] == QJsonValue("9007199254740993"));
  CHECK(metrics["fit"]["value"].toInteger() == 9007199254740992);
  CHECK(metrics["\"q"]["value"] == QJsonValue("te\txt"));
  const QJsonObject bar = job["bars"][0].toObject();
  CHECK(bar["id"] == QJsonValue("18446744073709551615"));
  CHECK(bar["n"] == QJsonValue("9223372036854775807"));
  CHECK(bar["total"].toInteger() == 6000000000);
}

TEST_CASE("what is unknown is null or absent, never 0") {
  Feed feed;
  feed.report(1, 1, R"("bars":[{"id":1,"n":4}])");
  feed.tick(1);
  const QJsonObject job = whole(feed.job(), 1);
  for (const char* key : {"pid", "parent", "git", "exit_code", "exit_signal", "error", "peak_memory"}) {
    CAPTURE(key);
    CHECK(job.contains(key));
    CHECK(job[key].isNull());
  }
  CHECK(job["iterations"]["n"].toInt() == 4);
  CHECK(job["iterations"]["total"].isNull());
  CHECK_FALSE(job["bars"][0].toObject().contains("eta"));
}

TEST_CASE("a clock that is off is told, and taken back when it was set right") {
  model::Job off, right;
  off.identity = right.identity = std::make_shared<const model::Identity>();
  off.usage = right.usage = std::make_shared<const model::Usage>();
  off.log = right.log = std::make_shared<const model::Log>();
  off.skew = -95;
  CHECK(whole(off, 1)["clock_skew"].toDouble() == -95);
  CHECK_FALSE(whole(right, 1).contains("clock_skew"));
  CHECK(changes(right, off, 1).value("clock_skew").isNull());
  CHECK_FALSE(changes(off, off, 1).contains("clock_skew"));
}

TEST_CASE("ages count on while the job runs, and stand still with it") {
  Feed feed;
  feed.report(
      10, 1,
      R"("next":1,"stages":[{"path":["a"],"open":1,"since":2}],"bars":[{"id":1,"n":1,"total":9,"elapsed":5,"eta":3}])");
  feed.tick(10);
  QJsonObject job = whole(feed.job(), 11);
  CHECK(job["elapsed"].toDouble() == 11);
  CHECK(job["stages"][0]["since"].toDouble() == 3);
  CHECK(job["bars"][0]["elapsed"].toDouble() == 6);
  CHECK(job["bars"][0]["eta"].toDouble() == 2);
  CHECK(whole(feed.job(), 14)["bars"][0]["eta"].toDouble() == 0);
  feed.tick(40);
  CHECK(whole(feed.job(), 41)["elapsed"].toDouble() == 10);
  CHECK(whole(feed.job(), 41)["stages"][0]["since"].toDouble() == 2);
}

TEST_CASE("a change has only the keys and rows that changed, and says where new stages stand") {
  Feed feed;
  feed.report(1, 1,
              R"("hello":{"name":"x"},"bars":[{"id":1,"n":1},{"id":2,"n":1}],"stages":[{"path":["a"]},{"path":["c"]}],
                       "metrics":[{"no":1,"name":"m","value":1},{"no":2,"name":"k","value":1}])");
  feed.tick(1);
  const model::JobPtr before = feed.job_ptr();
  feed.report(
      2, 2,
      R"("bars":[{"id":2,"n":2}],"stages":[{"path":["a","b"],"n":1,"sum":1}],"metrics":[{"no":3,"name":"k","value":2}])");
  feed.tick(2);
  const QJsonObject change = changes(feed.job(), *before, 2);
  CHECK_FALSE(change.contains("name"));
  CHECK_FALSE(change.contains("state"));
  CHECK_FALSE(change.contains("lost"));
  CHECK(change["bars"].toArray().size() == 1);
  CHECK(change["bars"][0]["id"].toInt() == 2);
  const QJsonArray stages = change["stages"].toArray();
  REQUIRE(stages.size() == 2);  // the parent's own time is touched, too
  CHECK_FALSE(stages[0].toObject().contains("after"));
  CHECK(stages[1]["path"] == QJsonArray({"a", "b"}));
  CHECK(stages[1]["after"] == QJsonArray({"a"}));
  CHECK(change["metrics"].toObject().keys() == QStringList{"k"});

  feed.report(3, 3, R"("finish":{"code":1,"error":{"type":"E","message":"m"}})");
  const model::JobPtr running = feed.job_ptr();
  feed.tick(3);
  const QJsonObject end = changes(feed.job(), *running, 3);
  CHECK(end["state"].toString() == "failed");
  CHECK(end["exit_code"].toInt() == 1);
  CHECK(end["error"]["type"].toString() == "E");
  CHECK_FALSE(end.contains("stages"));
}

TEST_CASE("the log is searched by level, text and number, newest first to be kept") {
  Feed feed;
  for (int i = 1; i <= 600; ++i)
    feed.report(i, static_cast<std::uint64_t>(i),
                R"("logs":[{"no":)" + std::to_string(i) + R"(,"level":")" + (i % 100 ? "info" : "error") +
                    R"(","text":"Line )" + std::to_string(i) + "\"}]");
  feed.tick(600);
  const auto numbers = [&](const LogQuery& query) {
    QList<int> found;
    for (const QJsonValue line : parse(log_json(feed.job(), query))["lines"].toArray()) found << line["no"].toInt();
    return found;
  };
  CHECK(numbers({model::LogLevel::warning, ""}) == QList<int>{100, 200, 300, 400, 500, 600});
  CHECK(numbers({model::LogLevel::debug, "LINE 59", 0, ~0ull, 3}) == QList<int>{597, 598, 599});
  CHECK(numbers({model::LogLevel::debug, "", 598}) == QList<int>{599, 600});
  CHECK(numbers({model::LogLevel::debug, "", 10, 13}) == QList<int>{11, 12});
}

TEST_CASE("metrics as CSV keep words for what is no number, and neutralise text") {
  Feed feed;
  feed.report(1, 1,
              R"("metrics":[{"no":1,"name":"=loss","value":-0.5,"step":3,"up":1.5},{"no":2,"name":"v","value":"=bad"},
                                   {"no":3,"name":"n","value":"inf"},{"no":4,"name":"b","value":true}])");
  feed.tick(1);
  CHECK(metrics_csv(feed.job()) ==
        "name,step,up_s,value\r\n'=loss,3,1.5,-0.5\r\nv,,0,'=bad\r\nn,,0,inf\r\nb,,0,true\r\n");
  const QJsonObject columns = parse(metrics_json(feed.job(), "=loss", 0));
  CHECK(columns.keys() == QStringList{"=loss"});
  CHECK(columns["=loss"]["value"][0].toDouble() == -0.5);
  CHECK(columns["=loss"]["step"][0].toInt() == 3);
}

TEST_CASE("times are ISO 8601 in UTC") {
  CHECK(iso_time(0) == "1970-01-01T00:00:00.000Z");
  CHECK(iso_time(1796120820.1234) == "2026-12-01T10:27:00.123Z");
  CHECK(iso_time(-5) == "1970-01-01T00:00:00.000Z");
  CHECK(iso_time(1e300) == "1970-01-01T00:00:00.000Z");
}
