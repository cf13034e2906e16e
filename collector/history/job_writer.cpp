// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/history/job_writer.hpp"

#include "collector/history/schema.hpp"
#include "collector/history/values.hpp"
#include "collector/model/stages_csv.hpp"

namespace macaw::history {

namespace {

const QString& text(const char* name) {
  static thread_local std::map<const char*, QString> known;  // of string constants
  QString& held = known[name];
  if (held.isNull()) held = QString::fromLatin1(name);
  return held;
}

QVariant path_to_sql(const model::Path& path) { return to_sql(model::joined_path(path)); }

// Where two lists of chunks begin to differ: those before are the same objects.
template <class Chunks>
std::size_t common_chunks(const Chunks& now, const Chunks& before) {
  std::size_t same = 0;
  while (same < now.size() && same < before.size() && now[same] == before[same]) ++same;
  return same;
}

template <class Rows>
auto at(const Rows& rows, std::size_t place) {
  return place < rows.size() ? rows[place] : nullptr;
}

}  // namespace

void JobWriter::knows(const model::JobId& id, qint64 key, const model::Job& job) {
  Held& held = m_held[id];
  held.key = key;
  held.seq = job.seq;
  held.state = job.state;
}

void JobWriter::write(const model::JobPtr& job, double now) {
  Held& held = m_held[job->id];
  if (held.key && !held.last && held.seq == job->seq && held.state == job->state) return;
  const model::Job* before = held.last.get();
  if (!held.key) held.key = key_of(job->id);
  write_job(held.key, *job);
  write_bars(held.key, *job, before);
  for (std::size_t i = 0; i < job->metrics.size(); ++i) {
    const auto was = before ? at(before->metrics, i) : nullptr;
    if (job->metrics[i] != was) write_metric(held.key, static_cast<int>(i), *job->metrics[i], was.get());
  }
  if (!before || job->log != before->log) write_log(held.key, *job->log, before ? before->log.get() : nullptr);
  const bool is_over = model::is_terminal(job->state);
  if (is_over || now - held.stages_written >= stages_every) {
    write_stages(*job, held);
    held.stages_written = now;
  }
  held.seq = job->seq;
  held.state = job->state;
  held.last = is_over ? nullptr : job;
  if (is_over) held.stages.clear();
}

qint64 JobWriter::key_of(const model::JobId& id) {
  m_db.run(QStringLiteral("INSERT OR IGNORE INTO job (id) VALUES (?)"), to_sql(id));
  QSqlQuery& query = m_db.run(QStringLiteral("SELECT key FROM job WHERE id = ?"), to_sql(id));
  const qint64 key = query.next() ? query.value(0).toLongLong() : 0;
  query.finish();
  return key;
}

void JobWriter::write_job(qint64 key, const model::Job& job) {
  const model::Identity& who = *job.identity;
  const model::Usage& usage = *job.usage;
  const std::optional<model::Error> error = job.error ? std::optional(*job.error) : std::nullopt;
  const auto of_error = [&](std::string model::Error::*field) { return error ? to_sql((*error).*field) : QVariant(); };
  static const QString sql = QStringLiteral("UPDATE job SET (%1) = (?%2) WHERE key = ?")
                                 .arg(job_columns, QStringLiteral(", ?").repeated(job_columns.count(QLatin1Char(','))));
  m_db.run(sql, to_sql(who.name), to_sql(who.host), to_sql(who.pid), to_sql(who.user), to_sql(who.cwd),
           to_sql(who.argv), to_sql(who.lang), to_sql(who.sdk), to_sql(who.parent), to_sql(who.tags), to_sql(who.env),
           to_sql(who.git_commit), to_sql(who.git_branch), QVariant(who.git_dirty), text(model::state_name(job.state)),
           to_sql(job.started), to_sql(job.up), to_sql(job.heard_unix), to_sql(job.promise), to_sql(job.ended),
           to_sql(job.exit_code), to_sql(job.exit_signal), of_error(&model::Error::type),
           of_error(&model::Error::message), of_error(&model::Error::traceback), to_sql(usage.rss), to_sql(usage.peak),
           to_sql(usage.threads), to_sql(usage.cpu), to_sql(usage.cpu_rate), numbers_to_sql(usage.gpu),
           to_sql(job.lost.datagrams), to_sql(job.lost.logs), to_sql(job.lost.metrics), to_sql(job.others_bars),
           to_sql(job.others_stages), to_sql(job.others_metrics), to_sql(job.log->dropped), to_sql(job.seq),
           QVariant(key));
}

void JobWriter::write_bars(qint64 key, const model::Job& job, const model::Job* before) {
  for (std::size_t i = 0; i < job.bars.size(); ++i) {
    if (before && at(before->bars, i) == job.bars[i]) continue;
    const model::Bar& bar = *job.bars[i];
    m_db.run(QStringLiteral("INSERT OR REPLACE INTO bar VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
             QVariant(key), QVariant(static_cast<int>(i)), to_sql(bar.id), to_sql(bar.parent), path_to_sql(bar.stage),
             to_sql(bar.desc), to_sql(bar.unit), to_sql(bar.n), to_sql(bar.total), to_sql(bar.initial),
             QVariant(bar.elapsed), QVariant(bar.told), to_sql(bar.rate), to_sql(bar.eta),
             text(model::bar_state_name(bar.state)), to_sql(bar.repeats));
  }
}

void JobWriter::write_stages(const model::Job& job, Held& held) {
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    if (at(held.stages, i) == job.stages[i]) continue;
    const model::Stage& stage = *job.stages[i];
    m_db.run(QStringLiteral("INSERT OR REPLACE INTO stage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
             QVariant(held.key), QVariant(static_cast<int>(i)), path_to_sql(stage.path),
             text(stage.kind == model::StageKind::call ? "call" : "stage"), to_sql(stage.count), to_sql(stage.open),
             to_sql(stage.errors), QVariant(stage.total), QVariant(stage.self), QVariant(stage.min),
             QVariant(stage.max), QVariant(stage.last), QVariant(stage.m2), to_sql(stage.since), QVariant(stage.told),
             to_sql(stage.note), numbers_to_sql(stage.trend));
  }
  held.stages = job.stages;
}

void JobWriter::write_metric(qint64 key, int place, const model::Metric& metric, const model::Metric* before) {
  m_db.run(QStringLiteral("INSERT OR REPLACE INTO metric VALUES (?, ?, ?, ?, ?)"), QVariant(key), QVariant(place),
           to_sql(metric.name), to_sql(metric.points),
           metric.first_nonfinite ? to_sql(metric.first_nonfinite->no) : QVariant());
  // A series that was thinned has nothing in common with what it was.
  std::size_t chunk = before ? common_chunks(metric.chunks, before->chunks) : 0;
  const bool anew = !before || (chunk == 0 && before->chunks.size() > 1);
  if (anew) m_db.run(QStringLiteral("DELETE FROM point WHERE job = ? AND metric = ?"), QVariant(key), QVariant(place));
  for (; chunk < metric.chunks.size(); ++chunk) {
    const auto was = anew ? nullptr : at(before->chunks, chunk);
    for (std::size_t k = 0; k < metric.chunks[chunk]->size(); ++k) {
      const model::Point& point = (*metric.chunks[chunk])[k];
      if (was && k < was->size() && (*was)[k].no == point.no) continue;
      m_db.run(QStringLiteral("INSERT OR REPLACE INTO point VALUES (?, ?, ?, ?, ?, ?)"), QVariant(key), QVariant(place),
               to_sql(point.no), to_sql(point.step), QVariant(point.up), to_sql(point.value));
    }
  }
}

void JobWriter::write_log(qint64 key, const model::Log& log, const model::Log* before) {
  for (std::size_t i = before ? common_chunks(log.chunks, before->chunks) : 0; i < log.chunks.size(); ++i) {
    const auto was = before ? at(before->chunks, i) : nullptr;
    for (std::size_t k = 0; k < log.chunks[i]->size(); ++k) {
      const model::LogLine& line = (*log.chunks[i])[k];
      if (was && k < was->size() && (*was)[k].no == line.no && (*was)[k].text.size() == line.text.size()) continue;
      m_db.run(QStringLiteral("INSERT OR REPLACE INTO log_line VALUES (?, ?, ?, ?, ?, ?, ?)"), QVariant(key),
               to_sql(line.no), QVariant(line.up), text(model::log_level_name(line.level)), path_to_sql(line.stage),
               to_sql(line.text), to_sql(line.cut));
    }
  }
}

}  // namespace macaw::history
