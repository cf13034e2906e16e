// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/key_file.hpp"

#include <QFile>
#include <QRandomGenerator>
#include <QSaveFile>

#include "sdk/src/wire/seal.hpp"

namespace macaw {

namespace {

constexpr qsizetype key_bytes = 32;
constexpr qint64 longest_file = 4096;
constexpr auto owner_only = QFileDevice::ReadOwner | QFileDevice::WriteOwner;
constexpr auto others =
    QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther | QFileDevice::WriteOther;

}  // namespace

std::string new_key() {
  QByteArray bytes(key_bytes, Qt::Uninitialized);
  QRandomGenerator::system()->generate(bytes.begin(), bytes.end());
  return bytes.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals).toStdString();
}

std::string read_key(const QString& path, QString& error) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    error = QStringLiteral("cannot read the key in %1: %2; macaw-collector --new-key makes one")
                .arg(path, file.errorString());
    return {};
  }
  if (file.permissions() & others) {
    error = QStringLiteral("others can read the key in %1: chmod 600 it, or make a new one with --new-key").arg(path);
    return {};
  }
  std::string key = file.read(longest_file).trimmed().toStdString();
  if (key.size() < wire::least_key || key.find_first_of(" \t\r\n@/,") != std::string::npos) {
    error = QStringLiteral("%1 holds no key: one line of at least %2 characters without spaces or any of @ / ,")
                .arg(path)
                .arg(wire::least_key);
    return {};
  }
  return key;
}

QString write_key(const QString& path, const std::string& key) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return QStringLiteral("cannot write %1: %2").arg(path, file.errorString());
  file.setPermissions(owner_only);
  file.write(QByteArray::fromStdString(key) + '\n');
  return file.commit() ? QString() : QStringLiteral("cannot write %1: %2").arg(path, file.errorString());
}

}  // namespace macaw
