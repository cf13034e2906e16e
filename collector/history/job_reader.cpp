// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/history/job_reader.hpp"

#include <algorithm>

#include "collector/history/schema.hpp"
#include "collector/history/values.hpp"
#include "collector/model/stages_csv.hpp"

namespace macaw::history {

namespace {

// The columns of a row, one after the other.
class Columns {
 public:
  explicit Columns(const QSqlQuery& query) : m_query(query) {}
  QVariant next() { return m_query.value(m_next++); }

 private:
  const QSqlQuery& m_query;
  int m_next = 0;
};

model::Path path_from(const QVariant& value) {
  const std::string joined = text_from(value);
  return joined.empty() ? model::Path() : model::split_path(joined);
}

const char* kind_name(model::StageKind kind) { return kind == model::StageKind::call ? "call" : "stage"; }

std::vector<qint64> keys(QSqlQuery& query) {
  std::vector<qint64> keys;
  while (query.next()) keys.push_back(query.value(0).toLongLong());
  query.finish();
  return keys;
}

}  // namespace

std::vector<qint64> JobReader::open_jobs(Database& database) {
  return keys(database.run(
      QStringLiteral("SELECT key FROM job WHERE state IN ('running', 'stalled', 'no contact') ORDER BY heard DESC")));
}

std::vector<qint64> JobReader::ended_jobs(Database& database) {
  return keys(database.run(QStringLiteral(
      "SELECT key FROM job WHERE state NOT IN ('running', 'stalled', 'no contact') ORDER BY heard DESC")));
}

model::Job JobReader::read(qint64 key) {
  static const QString sql = QStringLiteral("SELECT id, %1 FROM job WHERE key = ?").arg(job_columns);
  QSqlQuery& query = m_db.run(sql, QVariant(key));
  model::Job job;
  if (!query.next()) return job;
  Columns c(query);
  job.id = id_from(c.next()).value_or(model::JobId{});
  auto who = std::make_shared<model::Identity>();
  who->name = text_from(c.next());
  who->host = text_from(c.next());
  who->pid = whole_from(c.next());
  who->user = text_from(c.next());
  who->cwd = text_from(c.next());
  who->argv = texts_from(c.next());
  who->lang = text_from(c.next());
  who->sdk = text_from(c.next());
  who->parent = id_from(c.next());
  who->tags = map_from(c.next());
  who->env = map_from(c.next());
  who->git_commit = text_from(c.next());
  who->git_branch = text_from(c.next());
  who->git_dirty = c.next().toBool();
  job.identity = std::move(who);
  job.state = named(c.next(), model::state_name, model::State::ended_early, model::State::running);
  job.started = c.next().toDouble();
  job.up = c.next().toDouble();
  job.heard_unix = c.next().toDouble();
  job.heard = m_moment.now - std::max(0.0, m_moment.unix_s - job.heard_unix);
  job.promise = real_from(c.next());
  job.ended = real_from(c.next());
  job.exit_code = whole_from(c.next());
  job.exit_signal = whole_from(c.next());
  const QVariant type = c.next(), message = c.next(), traceback = c.next();
  if (!type.isNull())
    job.error = std::make_shared<model::Error>(model::Error{text_from(type), text_from(message), text_from(traceback)});
  auto usage = std::make_shared<model::Usage>();
  usage->rss = whole_from(c.next());
  usage->peak = whole_from(c.next());
  usage->threads = whole_from(c.next());
  usage->cpu = real_from(c.next());
  usage->cpu_rate = real_from(c.next());
  usage->gpu = numbers_from(c.next());
  job.usage = std::move(usage);
  job.lost = {count_from(c.next()), count_from(c.next()), count_from(c.next())};
  job.others_bars = count_from(c.next());
  job.others_stages = count_from(c.next());
  job.others_metrics = count_from(c.next());
  const std::uint64_t dropped = count_from(c.next());
  job.seq = count_from(c.next());
  query.finish();
  read_bars(key, job);
  read_stages(key, job);
  read_metrics(key, job);
  read_log(key, job, dropped);
  return job;
}

void JobReader::read_bars(qint64 key, model::Job& job) {
  QSqlQuery& query = m_db.run(
      QStringLiteral(
          "SELECT id, parent, stage, description, unit, n, total, initial, elapsed, told, rate, eta, state, repeats "
          "FROM bar WHERE job = ? ORDER BY place"),
      QVariant(key));
  while (query.next()) {
    Columns c(query);
    auto bar = std::make_shared<model::Bar>();
    bar->id = count_from(c.next());
    if (const auto parent = whole_from(c.next())) bar->parent = static_cast<std::uint64_t>(*parent);
    bar->stage = path_from(c.next());
    bar->desc = text_from(c.next());
    bar->unit = text_from(c.next());
    bar->n = number_from(c.next()).value_or(std::int64_t{0});
    bar->total = number_from(c.next());
    bar->initial = number_from(c.next());
    bar->elapsed = c.next().toDouble();
    bar->told = c.next().toDouble();
    bar->rate = real_from(c.next());
    bar->eta = real_from(c.next());
    bar->state = named(c.next(), model::bar_state_name, model::BarState::interrupted, model::BarState::running);
    bar->repeats = count_from(c.next());
    job.bars.push_back(std::move(bar));
  }
  query.finish();
}

void JobReader::read_stages(qint64 key, model::Job& job) {
  QSqlQuery& query = m_db.run(QStringLiteral("SELECT path, kind, count, open, errors, total, self, min, max, last, m2, "
                                             "since, told, note, trend FROM stage "
                                             "WHERE job = ? ORDER BY place"),
                              QVariant(key));
  while (query.next()) {
    Columns c(query);
    auto stage = std::make_shared<model::Stage>();
    stage->path = model::split_path(text_from(c.next()));
    stage->kind = named(c.next(), kind_name, model::StageKind::call, model::StageKind::stage);
    stage->count = count_from(c.next());
    stage->open = count_from(c.next());
    stage->errors = count_from(c.next());
    stage->total = c.next().toDouble();
    stage->self = c.next().toDouble();
    stage->min = c.next().toDouble();
    stage->max = c.next().toDouble();
    stage->last = c.next().toDouble();
    stage->m2 = c.next().toDouble();
    stage->since = real_from(c.next());
    stage->told = c.next().toDouble();
    stage->note = text_from(c.next());
    for (const double mean : numbers_from(c.next())) stage->trend.push_back(static_cast<float>(mean));
    job.stages.push_back(std::move(stage));
  }
  query.finish();
}

void JobReader::read_metrics(qint64 key, model::Job& job) {
  std::map<int, model::Metric> metrics;
  std::map<int, std::uint64_t> first_nonfinite;
  std::map<int, std::vector<model::Point>> points;
  QSqlQuery& heads =
      m_db.run(QStringLiteral("SELECT place, name, points, first_nonfinite FROM metric WHERE job = ?"), QVariant(key));
  while (heads.next()) {
    model::Metric& metric = metrics[heads.value(0).toInt()];
    metric.name = text_from(heads.value(1));
    metric.points = count_from(heads.value(2));
    first_nonfinite[heads.value(0).toInt()] = count_from(heads.value(3));
  }
  heads.finish();
  QSqlQuery& query = m_db.run(
      QStringLiteral("SELECT metric, no, step, up, value FROM point WHERE job = ? ORDER BY metric, no"), QVariant(key));
  while (query.next())
    points[query.value(0).toInt()].push_back({number_from(query.value(2)), query.value(3).toDouble(),
                                              value_from(query.value(4)), count_from(query.value(1))});
  query.finish();
  for (auto& [place, metric] : metrics) {
    std::vector<model::Point>& series = points[place];
    if (series.empty()) continue;
    metric.latest = series.back();
    metric.thinned = metric.points - std::min<std::uint64_t>(metric.points, series.size());
    for (const model::Point& point : series)
      if (point.no == first_nonfinite[place]) metric.first_nonfinite = point;
    metric.chunks.push_back(std::make_shared<const std::vector<model::Point>>(std::move(series)));
    job.metrics.push_back(std::make_shared<const model::Metric>(std::move(metric)));
  }
}

// The newest lines, as many as are shown; the rest stays here.
void JobReader::read_log(qint64 key, model::Job& job, std::uint64_t dropped) {
  QSqlQuery& query = m_db.run(
      QStringLiteral(
          "SELECT * FROM (SELECT no, up, level, stage, text, cut FROM log_line WHERE job = ? ORDER BY no DESC LIMIT ?) "
          "ORDER BY no"),
      QVariant(key), to_sql(std::uint64_t{m_limits.log_lines}));
  std::vector<model::LogLine> lines;
  while (query.next()) {
    model::LogLine line;
    line.no = count_from(query.value(0));
    line.up = query.value(1).toDouble();
    line.level = named(query.value(2), model::log_level_name, model::LogLevel::critical, model::LogLevel::info);
    line.stage = path_from(query.value(3));
    line.text = text_from(query.value(4));
    line.cut = count_from(query.value(5));
    lines.push_back(std::move(line));
  }
  query.finish();
  auto log = std::make_shared<model::Log>();
  log->dropped = dropped;
  log->lines = lines.size();
  if (!lines.empty()) {
    log->first_no = lines.front().no;
    log->last_no = lines.back().no;
    log->chunks.push_back(std::make_shared<const std::vector<model::LogLine>>(std::move(lines)));
  }
  job.log = std::move(log);
}

}  // namespace macaw::history
