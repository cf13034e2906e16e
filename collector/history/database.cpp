// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/history/database.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QUuid>
#include <QVariant>
#include <array>

#include "collector/history/schema.hpp"

namespace macaw::history {

namespace {

// From sqlite3.h, which QtSql does not pass on.
constexpr int sqlite_corrupt = 11, sqlite_not_a_database = 26, sqlite_read_only = 8, sqlite_cannot_open = 14;

constexpr auto busy_ms = 2000;

}  // namespace

SqlError::SqlError(const QSqlError& error)
    : std::runtime_error(error.databaseText().toStdString()), code(error.nativeErrorCode().toInt() & 0xff) {}

bool SqlError::is_damage() const { return code == sqlite_corrupt || code == sqlite_not_a_database; }

Database::~Database() {
  close();
  if (m_lock >= 0) ::close(m_lock);
}

QString Database::open(const QString& folder) {
  m_path = folder + QStringLiteral("/history.sqlite");
  lock(folder);
  try {
    open_file();
  } catch (const SqlError& error) {
    if (error.is_damage()) return set_aside();
    if (error.code == sqlite_read_only || error.code == sqlite_cannot_open)
      throw NotAvailable("cannot write " + m_path.toStdString() + " (" + error.what() + ")");
    throw;
  }
  return {};
}

// A lock of the kernel's: it ends with the process, however that ends.
void Database::lock(const QString& folder) {
  const QByteArray path = QFile::encodeName(folder + QStringLiteral("/history.lock"));
  m_lock = ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (m_lock < 0) throw NotAvailable("cannot write to " + folder.toStdString());
  if (flock(m_lock, LOCK_EX | LOCK_NB) != 0)
    throw NotAvailable("another macaw keeps its history in " + folder.toStdString());
}

void Database::open_file() {
  m_db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QUuid::createUuid().toString());
  if (!m_db.isValid()) throw NotAvailable("Qt's SQLite driver is not installed");
  m_db.setDatabaseName(m_path);
  m_db.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(busy_ms));
  const bool is_new = !QFile::exists(m_path);
  if (!m_db.open()) throw SqlError(m_db.lastError());
  if (is_new) QFile::setPermissions(m_path, QFileDevice::ReadOwner | QFileDevice::WriteOwner);
  if (is_new) execute(QStringLiteral("PRAGMA auto_vacuum = FULL"));
  execute(QStringLiteral("PRAGMA journal_mode = WAL"));
  execute(QStringLiteral("PRAGMA synchronous = NORMAL"));  // a power cut may cost the last second, never the file
  execute(QStringLiteral("PRAGMA foreign_keys = ON"));
  migrate();
}

void Database::migrate() {
  const auto known = static_cast<qint64>(schema().size());
  const qint64 version = number(QStringLiteral("PRAGMA user_version"));
  if (version > known) throw NotAvailable(m_path.toStdString() + " was made by a newer version of macaw");
  if (version == known) return;
  begin();
  for (qint64 step = version; step < known; ++step)
    for (const QString& sql : schema()[static_cast<std::size_t>(step)]) execute(sql);
  execute(QStringLiteral("PRAGMA user_version = %1").arg(known));
  commit();
}

QString Database::set_aside() {
  close();
  const QString aside = m_path + QDateTime::currentDateTime().toString(QStringLiteral("'.damaged-'yyyyMMdd-HHmmss"));
  for (const char* suffix : {"", "-wal", "-shm"})
    QFile::rename(m_path + QLatin1String(suffix), aside + QLatin1String(suffix));
  if (QFile::exists(m_path)) throw NotAvailable("cannot rename the damaged file " + m_path.toStdString());
  open_file();
  return QStringLiteral("the history in %1 was damaged: it is kept as %2, and a new one begun")
      .arg(m_path, QFileInfo(aside).fileName());
}

void Database::close() {
  m_prepared.clear();
  if (!m_db.isValid()) return;
  const QString name = m_db.connectionName();
  m_db.close();
  m_db = QSqlDatabase();
  QSqlDatabase::removeDatabase(name);
}

QSqlQuery& Database::prepared(const QString& sql) {
  if (const auto found = m_prepared.find(sql); found != m_prepared.end()) return found->second;
  QSqlQuery query(m_db);
  query.setForwardOnly(true);
  if (!query.prepare(sql)) throw SqlError(query.lastError());
  return m_prepared.emplace(sql, std::move(query)).first->second;
}

void Database::execute(const QString& sql) {
  QSqlQuery query(m_db);
  if (!query.exec(sql)) throw SqlError(query.lastError());
}

qint64 Database::number(const QString& sql) {
  QSqlQuery query(m_db);
  if (!query.exec(sql)) throw SqlError(query.lastError());
  return query.next() ? query.value(0).toLongLong() : 0;
}

void Database::commit() { execute(QStringLiteral("COMMIT")); }

void Database::rollback() noexcept {
  QSqlQuery query(m_db);
  query.exec(QStringLiteral("ROLLBACK"));
}

}  // namespace macaw::history
