// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/mirror/assets.hpp"

#include <QCryptographicHash>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include "web/web_resources.hpp"

namespace macaw {

namespace {

QByteArray type_of(const QString& suffix) {
  static const QHash<QString, QByteArray> types{{"html", "text/html; charset=utf-8"},
                                                {"js", "text/javascript; charset=utf-8"},
                                                {"css", "text/css; charset=utf-8"},
                                                {"svg", "image/svg+xml"},
                                                {"png", "image/png"},
                                                {"ico", "image/x-icon"},
                                                {"woff2", "font/woff2"},
                                                {"json", "application/json"},
                                                {"txt", "text/plain; charset=utf-8"},
                                                {"webmanifest", "application/manifest+json"}};
  return types.value(suffix, "application/octet-stream");
}

QByteArray read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

Assets::Assets() {
  init_web_resources();
  const QString root = QStringLiteral(":/web");
  QDirIterator files(root, QDir::Files, QDirIterator::Subdirectories);
  while (files.hasNext()) {
    const QString path = files.next();
    if (path.endsWith(QStringLiteral(".gz"))) continue;
    Asset asset;
    asset.body = read(path);
    asset.gzip = read(path + QStringLiteral(".gz"));
    asset.type = type_of(QFileInfo(path).suffix());
    asset.etag = '"' + QCryptographicHash::hash(asset.body, QCryptographicHash::Sha256).toHex().left(16) + '"';
    const QByteArray address = path.mid(root.size()).toUtf8();
    static const QRegularExpression hashed(QStringLiteral("-[A-Za-z0-9_-]{8}\\.[a-z0-9]+$"));
    asset.for_ever = hashed.match(path).hasMatch();
    m_assets.insert(address, asset);
  }
  m_assets.insert("/", m_assets.take("/index.html"));
}

const Asset* Assets::find(const QByteArray& path) const {
  const auto found = m_assets.constFind(path);
  return found == m_assets.constEnd() ? nullptr : &*found;
}

}  // namespace macaw
