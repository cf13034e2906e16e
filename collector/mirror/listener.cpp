// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/mirror/listener.hpp"

#include <unistd.h>

#include <QTimer>

#include "collector/socket_owner.hpp"

namespace macaw {

namespace {

constexpr char same_user[] = "same_user";
constexpr char idle_timer[] = "idle";

}  // namespace

QTcpSocket* Listener::nextPendingConnection() {
  QTcpSocket* socket = QTcpServer::nextPendingConnection();
  if (!socket) return nullptr;
  const std::pair key{socket->peerAddress(), socket->peerPort()};
  m_sockets.insert(key, socket);
  connect(socket, &QObject::destroyed, this, [this, key] {
    if (!m_sockets.value(key)) m_sockets.remove(key);
  });
  // QHttpServer reads inside a transaction: a request larger than this never completes, and the idle timer ends it.
  socket->setReadBufferSize(max_request_bytes);
  socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
  socket->setSocketOption(QAbstractSocket::SendBufferSizeSocketOption, 256 * 1024);
  if (key.first.isLoopback())
    socket->setProperty(same_user, tcp_client_owner(key.second, socket->localPort()) == geteuid());

  auto* timer = new QTimer(socket);
  timer->setObjectName(QLatin1String(idle_timer));
  timer->setSingleShot(true);
  connect(timer, &QTimer::timeout, socket, [socket] { socket->abort(); });
  connect(socket, &QIODevice::bytesWritten, timer, [timer] {
    if (timer->isActive()) timer->start();
  });
  timer->start(idle_ms);
  if (m_sockets.size() > max_connections)
    QMetaObject::invokeMethod(
        socket, [socket] { socket->abort(); }, Qt::QueuedConnection);
  return socket;
}

bool Listener::is_same_user(const QTcpSocket& socket) { return socket.property(same_user).toBool(); }

void Listener::keep_open(QTcpSocket& socket) {
  if (auto* timer = socket.findChild<QTimer*>(QLatin1String(idle_timer))) timer->stop();
}

}  // namespace macaw
