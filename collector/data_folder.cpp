// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/data_folder.hpp"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QSaveFile>
#include <QStandardPaths>

namespace macaw {

namespace {

constexpr int token_bytes = 24;
constexpr auto owner_only = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

QByteArray read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.read(256).trimmed() : QByteArray();
}

QString write(const QString& path, const QByteArray& text) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return file.errorString();
  file.setPermissions(owner_only);
  file.write(text + '\n');
  return file.commit() ? QString() : file.errorString();
}

QByteArray random_token() {
  QByteArray bytes(token_bytes, Qt::Uninitialized);
  QRandomGenerator::system()->generate(bytes.begin(), bytes.end());
  return bytes.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

}  // namespace

QString DataFolder::resolved(const QString& path) {
  const QString standard =
      QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/macaw");
  return QDir(path.isEmpty() ? standard : path).absolutePath();
}

QString DataFolder::open(const QString& path) {
  m_path = resolved(path);
  const bool is_new = !QDir(m_path).exists();
  if (!QDir().mkpath(m_path)) return QStringLiteral("cannot create the data folder %1").arg(m_path);
  if (is_new) QFile::setPermissions(m_path, owner_only | QFileDevice::ExeOwner);

  m_token = read(m_path + QStringLiteral("/token"));
  if (m_token.size() < token_bytes) {
    m_token = random_token();
    const QString error = write(m_path + QStringLiteral("/token"), m_token);
    if (!error.isEmpty()) return QStringLiteral("cannot write to the data folder %1: %2").arg(m_path, error);
  }
  // Microseconds since 1970 are ahead of any number used before, unless the clock was set back.
  const auto now = static_cast<quint64>(QDateTime::currentMSecsSinceEpoch()) * 1000;
  m_first_event = std::max(now, read(m_path + QStringLiteral("/last-event")).toULongLong() + 1);
  return {};
}

void DataFolder::save_last_event(quint64 id) const {
  write(m_path + QStringLiteral("/last-event"), QByteArray::number(id));
}

}  // namespace macaw
