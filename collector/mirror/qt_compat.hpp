// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between the HttpServer of Qt 6.4 and of later releases, in one place: how a handler is installed, how
// it sends, and how it finds the socket behind a request.
#pragma once

#include <QHash>
#include <QHostAddress>
#include <QHttpServer>
#include <QHttpServerRequest>
#include <QHttpServerResponder>
#include <QHttpServerResponse>
#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>
#include <utility>
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
#include <QHttpHeaders>
#endif

namespace macaw::compat {

using Headers = QList<std::pair<QByteArray, QByteArray>>;
using Sockets = QHash<std::pair<QHostAddress, quint16>, QPointer<QTcpSocket>>;

inline QTcpSocket* socket_of([[maybe_unused]] const Sockets& sockets,
                             [[maybe_unused]] const QHttpServerRequest& request,
                             [[maybe_unused]] QHttpServerResponder& responder) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
  return sockets.value({request.remoteAddress(), request.remotePort()});
#else
  return responder.socket();
#endif
}

inline void send(int status, const QByteArray& type, const QByteArray& body, const Headers& headers,
                 QHttpServerResponder& responder) {
  QHttpServerResponse response(type, body, static_cast<QHttpServerResponse::StatusCode>(status));
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
  QHttpHeaders all = response.headers();
  for (const auto& [name, value] : headers) all.append(name, value);
  response.setHeaders(std::move(all));
#else
  for (const auto& [name, value] : headers) response.addHeader(name, value);
#endif
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
  responder.sendResponse(response);
#else
  response.write(std::move(responder));
#endif
}

// All requests go to one handler, as no route is ever registered.
template <class Handler>
void set_handler(QHttpServer& server, [[maybe_unused]] QObject* context, Handler handler) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
  server.setMissingHandler(context, [handler](const QHttpServerRequest& request, QHttpServerResponder& responder) {
    handler(request, responder);
  });
#else
  server.setMissingHandler(
      [handler](const QHttpServerRequest& request, QHttpServerResponder&& responder) { handler(request, responder); });
#endif
}

inline void bind(QHttpServer& http, QTcpServer* tcp) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 10, 0)
  auto configuration = http.configuration();
  configuration.setKeepAliveTimeout(std::chrono::hours(24));  // sockets have an idle timer of our own
  http.setConfiguration(configuration);
#endif
  http.bind(tcp);
}

}  // namespace macaw::compat
