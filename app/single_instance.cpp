// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/single_instance.hpp"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QLocalSocket>

namespace macaw::app {

namespace {
constexpr int answer_ms = 1000;
const QByteArray raise_request = QByteArrayLiteral("raise\n");
}  // namespace

SingleInstance::SingleInstance(const QString& data_dir, QObject* parent) : QObject(parent) {
  const QString folder =
      QFileInfo(data_dir).exists() ? QFileInfo(data_dir).canonicalFilePath() : QDir(data_dir).absolutePath();
  const QByteArray hash = QCryptographicHash::hash(folder.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
  m_name = QStringLiteral("macaw-desktop-") + QString::fromLatin1(hash);
  m_server.setSocketOptions(QLocalServer::UserAccessOption);
  connect(&m_server, &QLocalServer::newConnection, this, [this] {
    while (QLocalSocket* peer = m_server.nextPendingConnection()) {
      connect(peer, &QLocalSocket::disconnected, peer, &QObject::deleteLater);
      connect(peer, &QLocalSocket::readyRead, this, [this, peer] {
        if (peer->readLine(16) != raise_request) return;
        emit raise_wanted();
        peer->write("ok\n");
        peer->disconnectFromServer();
      });
    }
  });
}

bool SingleInstance::raise_other() {
  QLocalSocket socket;
  socket.connectToServer(m_name);
  if (!socket.waitForConnected(answer_ms)) return false;
  socket.write(raise_request);
  return socket.waitForReadyRead(answer_ms);
}

void SingleInstance::listen() {
  if (m_server.listen(m_name)) return;
  // Nobody answered on it: it was left behind by an instance that did not end in order.
  QLocalServer::removeServer(m_name);
  m_server.listen(m_name);
}

}  // namespace macaw::app
