// SPDX-License-Identifier: GPL-3.0-or-later
// What jobs said, kept over restarts: takes changed jobs, writes them in batches, gives them back at the next start.
// Lives in the thread "history" and owns the database there; offer() and status() are for any thread. A disk that is
// full, slow or gone costs the jobs on screen nothing: it is said once, and tried again.
#pragma once

#include <QObject>
#include <QTimer>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "collector/history/database.hpp"
#include "collector/history/inbox.hpp"
#include "collector/history/job_writer.hpp"

namespace macaw {

class History : public QObject {
  Q_OBJECT

 public:
  struct Settings {
    QString folder;
    double keep_days = 365;
    qint64 max_bytes = qint64{4} << 30;
    std::size_t most_jobs = 10'000;  // given back at the start
  };
  explicit History(Settings settings) : m_settings(std::move(settings)) {}
  ~History() override;

  void offer(const model::ChangeSet& changes) { m_inbox.offer(changes); }

  const char* status_name() const;  // "off", "writing", "failing"

 public slots:
  void start();  // in its thread: opens, and gives back what is kept

 signals:
  void restored(const std::vector<macaw::model::Job>& jobs);
  void ready();  // every job that had not ended is restored: reports may come
  void problem(const QString& message);

 private:
  enum class Status : std::uint8_t { off, writing, failing };
  bool attempt(void (History::*step)());  // false, and said, when it failed
  void open();
  void restore_open();
  void restore_ended();
  void restore(const std::vector<qint64>& keys);
  void flush();
  void retire();
  bool remove_older_than(double unix_s);  // a few at a time; false when there are none
  qint64 bytes();
  void fail(const history::SqlError& error);

  const Settings m_settings;
  history::Inbox m_inbox;
  history::Database m_database;
  history::JobWriter m_writer{m_database};
  std::unique_ptr<QTimer> m_flush, m_retire;
  std::size_t m_restored = 0;
  std::atomic<Status> m_status{Status::off};
};

}  // namespace macaw

Q_DECLARE_METATYPE(std::vector<macaw::model::Job>)
