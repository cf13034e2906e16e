// SPDX-License-Identifier: GPL-3.0-or-later
// The SQLite file of history: opened, locked for one receiver, brought to the newest schema, set aside when damaged.
// Belongs to the thread that made it.
#pragma once

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QString>
#include <stdexcept>
#include <unordered_map>

namespace macaw::history {

// What the database refused. `code` is SQLite's primary result code.
struct SqlError : std::runtime_error {
  explicit SqlError(const QSqlError& error);
  bool is_damage() const;  // the file is no sound database
  int code = 0;
};

// Somebody else writes here, or the folder or the file's version do not let us: there is no use in trying again.
struct NotAvailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Database {
 public:
  Database() = default;
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Opens or creates `folder`/history.sqlite. A damaged file is renamed and a new one begun; then, and only then, the
  // result is one line that says so. Throws NotAvailable or SqlError.
  QString open(const QString& folder);
  // Gives the file up as damaged, and opens a new one. Returns the line that says so.
  QString set_aside();
  bool is_open() const { return m_db.isOpen(); }

  // Prepared once, then kept.
  QSqlQuery& prepared(const QString& sql);
  template <class... Values>
  QSqlQuery& run(const QString& sql, const Values&... values) {
    QSqlQuery& query = prepared(sql);
    int place = 0;
    (query.bindValue(place++, values), ...);
    if (!query.exec()) throw SqlError(query.lastError());
    return query;
  }
  void execute(const QString& sql);
  qint64 number(const QString& sql);

  void begin() { execute(QStringLiteral("BEGIN IMMEDIATE")); }
  void commit();
  void rollback() noexcept;

 private:
  void lock(const QString& folder);
  void open_file();
  void migrate();
  void close();

  QString m_path;
  int m_lock = -1;
  QSqlDatabase m_db;
  std::unordered_map<QString, QSqlQuery> m_prepared;
};

}  // namespace macaw::history
