// SPDX-License-Identifier: GPL-3.0-or-later
// The listening TCP socket of the mirror. Bounds every connection that QHttpServer takes from it (bytes read ahead,
// time without a whole request, how many there are) and knows at once whether the user of this collector is at the
// other end. Main thread.
#pragma once

#include "collector/mirror/qt_compat.hpp"

namespace macaw {

class Listener : public QTcpServer {
  Q_OBJECT

 public:
  // The sockets of all listeners of one mirror are registered in `sockets`, which outlives them.
  Listener(compat::Sockets& sockets, QObject* parent) : QTcpServer(parent), m_sockets(sockets) {}

  QTcpSocket* nextPendingConnection() override;

  static bool is_same_user(const QTcpSocket& socket);
  static void keep_open(QTcpSocket& socket);  // no idle timer any more

  static inline int idle_ms = 15'000;
  static constexpr int max_connections = 256;
  static constexpr qint64 max_request_bytes = 64 * 1024;

 private:
  compat::Sockets& m_sockets;
};

}  // namespace macaw
