// SPDX-License-Identifier: GPL-3.0-or-later
// The HTTP side: serves the page, the jobs as JSON and CSV, and the event stream (API.md), to whom access.hpp allows.
// One handler takes every request, so that no route escapes the rules. Main thread.
#pragma once

#include <QHttpServer>
#include <QObject>
#include <QUrlQuery>
#include <functional>
#include <memory>

#include "collector/collector.hpp"
#include "collector/mirror/access.hpp"
#include "collector/mirror/assets.hpp"
#include "collector/mirror/event_stream.hpp"
#include "collector/mirror/job_list.hpp"
#include "collector/mirror/listener.hpp"
#include "collector/mirror/qt_compat.hpp"

namespace macaw {

class Mirror : public QObject {
  Q_OBJECT

 public:
  struct Settings {
    QByteArray token;
    quint64 first_event = 0;
    std::function<Health()> health;
    // Takes reports; the answers, or nothing when there was no report.
    std::function<std::optional<QByteArray>(const QByteArray& body)> ingest;
  };
  Mirror(const JobList& jobs, Settings settings, QObject* parent);

  // Empty `bind`: both loopback addresses. Returns an empty string, or what is wrong.
  QString listen(const QString& bind, quint16 port);
  QString address() const;  // of the first listener, as in a URL

  void apply(const model::ChangeSet& changes) { m_events.apply(changes); }
  const EventStream& events() const { return m_events; }

 private:
  struct Reply {
    int status = 200;
    QByteArray type, body;
    compat::Headers headers;
  };
  void handle(const QHttpServerRequest& request, QHttpServerResponder& responder);
  Access access_of(const QHttpServerRequest& request, const QTcpSocket& socket) const;
  Reply answer(const QHttpServerRequest& request, const QTcpSocket& socket);
  Reply ingest(const QByteArray& body);
  static Reply not_allowed(const QByteArray& methods);
  Reply get(const QHttpServerRequest& request, const QByteArray& path);
  Reply job_part(const model::Job& job, const QByteArray& part, const QUrlQuery& query) const;
  Reply asset(const Asset& asset, const QHttpServerRequest& request) const;
  Reply redirect_with_cookie(const QHttpServerRequest& request) const;
  QByteArray cookie_name() const;
  static Reply problem(int status, const QByteArray& title, const QByteArray& detail);

  const JobList& m_jobs;
  Settings m_settings;
  AccessRules m_access;
  Assets m_assets;
  EventStream m_events;
  compat::Sockets m_sockets;
  std::vector<Listener*> m_listeners;
  std::unique_ptr<QHttpServer> m_http;  // goes first: it owns the listeners
};

}  // namespace macaw
