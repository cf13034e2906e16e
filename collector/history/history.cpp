// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/history/history.hpp"

#include "collector/clock.hpp"
#include "collector/history/job_reader.hpp"
#include "collector/history/values.hpp"

namespace macaw {

namespace {

constexpr int flush_every_ms = 200;
constexpr int flush_after_failure_ms = 5000;
constexpr int retire_every_ms = 10 * 60 * 1000;
constexpr std::size_t jobs_at_once = 200;
constexpr int retire_at_once = 10;
constexpr double day = 86400;

}  // namespace

History::~History() {
  if (m_status.load() != Status::off) flush();
}

const char* History::status_name() const {
  static constexpr const char* names[] = {"off", "writing", "failing"};
  return names[static_cast<std::size_t>(m_status.load())];
}

void History::start() {
  const bool is_open = attempt(&History::open) && attempt(&History::restore_open);
  emit ready();
  if (!is_open) return;
  retire();  // before anything that leaves is shown
  attempt(&History::restore_ended);
}

bool History::attempt(void (History::*step)()) {
  try {
    (this->*step)();
    return true;
  } catch (const history::SqlError& error) {
    if (m_status.load() != Status::off) {
      fail(error);
      return false;
    }
    emit problem(QStringLiteral("history is off: %1").arg(QString::fromUtf8(error.what())));
  } catch (const history::NotAvailable& reason) {
    emit problem(QStringLiteral("history is off: %1").arg(QString::fromUtf8(reason.what())));
  }
  return false;
}

void History::open() {
  const QString news = m_database.open(m_settings.folder);
  if (!news.isEmpty()) emit problem(news);
  m_status = Status::writing;
  m_flush = std::make_unique<QTimer>();
  connect(m_flush.get(), &QTimer::timeout, this, &History::flush);
  m_flush->start(flush_every_ms);
  m_retire = std::make_unique<QTimer>();
  connect(m_retire.get(), &QTimer::timeout, this, &History::retire);
  m_retire->start(retire_every_ms);
}

void History::restore_open() { restore(history::JobReader::open_jobs(m_database)); }
void History::restore_ended() { restore(history::JobReader::ended_jobs(m_database)); }

void History::restore(const std::vector<qint64>& keys) {
  history::JobReader reader(m_database, {monotonic_now(), unix_now()});
  std::vector<model::Job> jobs;
  for (const qint64 key : keys) {
    if (m_restored == m_settings.most_jobs) break;
    ++m_restored;
    jobs.push_back(reader.read(key));
    m_writer.knows(jobs.back().id, key, jobs.back());
    if (jobs.size() == jobs_at_once) emit restored(std::exchange(jobs, {}));
  }
  if (!jobs.empty()) emit restored(jobs);
}

void History::flush() {
  history::Inbox::Jobs jobs = m_inbox.take();
  if (jobs.empty()) return;
  try {
    const double now = monotonic_now();
    m_database.begin();
    for (const auto& [id, job] : jobs) m_writer.write(job, now);
    m_database.commit();
  } catch (const history::SqlError& error) {
    m_database.rollback();
    for (const auto& [id, job] : jobs) m_writer.forget(id);
    m_inbox.put_back(std::move(jobs));
    return fail(error);
  }
  if (m_status.exchange(Status::writing) != Status::failing) return;
  emit problem(QStringLiteral("history is written again"));
  m_flush->start(flush_every_ms);
}

void History::fail(const history::SqlError& error) {
  try {
    if (error.is_damage()) {
      emit problem(m_database.set_aside());
      m_writer.forget();
      return;
    }
  } catch (const std::runtime_error& reason) {
    emit problem(QStringLiteral("history is off: %1").arg(QString::fromUtf8(reason.what())));
    m_status = Status::off;
    m_flush->stop();
    m_retire->stop();
    return;
  }
  if (m_status.exchange(Status::failing) == Status::failing) return;
  emit problem(QStringLiteral("history cannot be written (%1): jobs are kept in memory, and it is tried again")
                   .arg(QString::fromUtf8(error.what())));
  m_flush->start(flush_after_failure_ms);
}

// What is older than the limit goes, then the oldest until the file is small enough. Jobs that run, and those that a
// person pinned, stay.
void History::retire() {
  try {
    const double now = unix_now();
    while (remove_older_than(now - m_settings.keep_days * day)) {
    }
    while (bytes() > m_settings.max_bytes && remove_older_than(now)) {
    }
  } catch (const history::SqlError& error) {
    m_database.rollback();
    fail(error);
  }
}

bool History::remove_older_than(double unix_s) {
  std::vector<std::pair<qint64, model::JobId>> leaving;
  QSqlQuery& query = m_database.run(
      QStringLiteral("SELECT key, id FROM job WHERE heard < ? AND NOT pinned AND state NOT IN ('running', 'stalled') "
                     "ORDER BY heard LIMIT ?"),
      QVariant(unix_s), QVariant(retire_at_once));
  while (query.next())
    leaving.emplace_back(query.value(0).toLongLong(), history::id_from(query.value(1)).value_or(model::JobId{}));
  query.finish();
  m_database.begin();
  for (const auto& [key, id] : leaving) m_database.run(QStringLiteral("DELETE FROM job WHERE key = ?"), QVariant(key));
  m_database.commit();
  for (const auto& [key, id] : leaving) m_writer.forget(id);
  return !leaving.empty();
}

qint64 History::bytes() {
  return m_database.number(QStringLiteral("PRAGMA page_count")) * m_database.number(QStringLiteral("PRAGMA page_size"));
}

}  // namespace macaw
