// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/mirror/mirror.hpp"

#include <QHostInfo>
#include <QNetworkInterface>

#include "collector/clock.hpp"
#include "collector/mirror/exports.hpp"
#include "collector/mirror/job_json.hpp"
#include "collector/model/stages_csv.hpp"

namespace macaw {

namespace {

constexpr char json_type[] = "application/json";
constexpr char csv_type[] = "text/csv; charset=utf-8";

const compat::Headers& security_headers() {
  static const compat::Headers headers{
      {"Content-Security-Policy",
       "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
  };
  return headers;
}

QByteArray lines_of(const compat::Headers& headers) {
  QByteArray text;
  for (const auto& [name, value] : headers) text += name + ": " + value + "\r\n";
  return text;
}

QByteArray bytes_of(const std::string& text) { return QByteArray::fromStdString(text); }

std::string query_text(const QUrlQuery& query, const char* key) {
  const QByteArray encoded = query.queryItemValue(QLatin1String(key), QUrl::FullyEncoded).toUtf8();
  return QByteArray::fromPercentEncoding(QByteArray(encoded).replace('+', ' ')).toStdString();
}

std::optional<quint64> query_number(const QUrlQuery& query, const char* key) {
  bool ok = false;
  const quint64 number = query.queryItemValue(QLatin1String(key)).toULongLong(&ok);
  return ok ? std::optional(number) : std::nullopt;
}

LogQuery log_query(const QUrlQuery& query) {
  LogQuery wanted;
  const std::string level = query_text(query, "level");
  for (int i = 0; i <= static_cast<int>(model::LogLevel::critical); ++i)
    if (level == model::log_level_name(static_cast<model::LogLevel>(i))) wanted.level = static_cast<model::LogLevel>(i);
  wanted.search = query_text(query, "search");
  wanted.after = query_number(query, "after").value_or(wanted.after);
  wanted.before = query_number(query, "before").value_or(wanted.before);
  wanted.limit = std::min<std::size_t>(query_number(query, "limit").value_or(wanted.limit), 10'000);
  return wanted;
}

// Letters and digits of a name that may stand in a header.
QByteArray file_name(const model::Job& job, const char* suffix) {
  QByteArray name;
  for (const char c : job.identity->name)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_' ? c : '_';
  return "attachment; filename=\"" + name.left(80) + suffix + '"';
}

}  // namespace

Mirror::Mirror(const JobList& jobs, Settings settings, QObject* parent)
    : QObject(parent),
      m_jobs(jobs),
      m_settings(std::move(settings)),
      m_access(m_settings.token, {}),
      m_events(m_settings.first_event, this),
      m_http(std::make_unique<QHttpServer>()) {
  compat::set_handler(*m_http, this, [this](const QHttpServerRequest& request, QHttpServerResponder& responder) {
    handle(request, responder);
  });
}

QString Mirror::listen(const QString& bind, quint16 port) {
  QList<QHostAddress> addresses{QHostAddress(QHostAddress::LocalHost), QHostAddress(QHostAddress::LocalHostIPv6)};
  QByteArrayList names;
  if (!bind.isEmpty()) {
    addresses = {QHostAddress(bind)};
    if (addresses.first().isNull()) return QStringLiteral("\"%1\" is no address").arg(bind);
    const auto name_of = [](const QHostAddress& address) {
      const QString text = address.toString();
      return (address.protocol() == QAbstractSocket::IPv6Protocol ? '[' + text + ']' : text).toLower().toUtf8();
    };
    names << name_of(addresses.first());
    if (!addresses.first().isLoopback()) names << QHostInfo::localHostName().toLower().toUtf8();
    if (addresses.first() == QHostAddress::Any || addresses.first() == QHostAddress::AnyIPv4 ||
        addresses.first() == QHostAddress::AnyIPv6)
      for (const QHostAddress& own : QNetworkInterface::allAddresses()) names << name_of(own);
  }
  std::vector<Listener*> listeners;
  for (const QHostAddress& address : addresses) {
    auto listener = std::make_unique<Listener>(m_sockets, nullptr);
    if (listener->listen(address, port)) {
      listeners.push_back(listener.release());
    } else if (listeners.empty() || listener->serverError() == QAbstractSocket::AddressInUseError) {
      QString error = listener->errorString();
      for (Listener* opened : listeners) delete opened;
      return error;
    }  // else there is no IPv6 on this machine, and IPv4 is enough
  }
  m_listeners = std::move(listeners);
  for (Listener* listener : m_listeners) compat::bind(*m_http, listener);
  m_access = AccessRules(m_settings.token, names);
  return {};
}

QString Mirror::address() const {
  const Listener& first = *m_listeners.front();
  const bool any = first.serverAddress() == QHostAddress::Any || first.serverAddress() == QHostAddress::AnyIPv4 ||
                   first.serverAddress() == QHostAddress::AnyIPv6;
  const QHostAddress shown = any ? QHostAddress(QHostAddress::LocalHost) : first.serverAddress();
  const QString text = shown.toString();
  return (shown.protocol() == QAbstractSocket::IPv6Protocol ? '[' + text + ']' : text) + ':' +
         QString::number(first.serverPort());
}

// Cookies of one host are shared by all its ports, so each mirror has a name of its own.
QByteArray Mirror::cookie_name() const { return "macaw_" + QByteArray::number(m_listeners.front()->serverPort()); }

void Mirror::handle(const QHttpServerRequest& request, QHttpServerResponder& responder) {
  QTcpSocket* socket = compat::socket_of(m_sockets, request, responder);
  if (!socket) return;
  const bool is_head = request.method() == QHttpServerRequest::Method::Head;
  if (request.method() == QHttpServerRequest::Method::Get && request.url().path() == QStringLiteral("/events") &&
      access_of(request, *socket) == Access::granted) {
    bool ok = false;
    const QByteArray header = request.value("Last-Event-ID");
    quint64 id = header.toULongLong(&ok);
    std::optional<quint64> after = ok ? std::optional(id) : query_number(request.query(), "after");
    Listener::keep_open(*socket);
    return m_events.attach(*socket, lines_of(security_headers()), after);
  }
  Reply reply = answer(request, *socket);
  reply.headers += security_headers();
  if (!is_head) return compat::send(reply.status, reply.type, reply.body, reply.headers, responder);
  // QHttpServer would send the body too.
  socket->write("HTTP/1.1 " + QByteArray::number(reply.status) + " \r\nContent-Type: " + reply.type +
                "\r\nContent-Length: " + QByteArray::number(reply.body.size()) + "\r\n" + lines_of(reply.headers) +
                "\r\n");
}

Access Mirror::access_of(const QHttpServerRequest& request, const QTcpSocket& socket) const {
  AccessFacts facts;
  facts.host = request.value("Host");
  if (const QByteArray origin = request.value("Origin"); !origin.isEmpty()) facts.origin = origin;
  const QUrlQuery query = request.query();
  if (query.hasQueryItem(QStringLiteral("token")))
    facts.query_token = query.queryItemValue(QStringLiteral("token")).toUtf8();
  if (const QByteArray header = request.value("Authorization"); !header.isEmpty())
    facts.bearer = header.startsWith("Bearer ") ? header.mid(7).trimmed() : header;
  for (const QByteArray& part : request.value("Cookie").split(';')) {
    const QByteArray cookie = part.trimmed();
    if (cookie.startsWith(cookie_name() + '=')) facts.cookie = cookie.mid(cookie_name().size() + 1);
  }
  facts.same_user = Listener::is_same_user(socket);
  facts.counters_only = request.url().path() == QStringLiteral("/healthz");
  return m_access.judge(facts);
}

Mirror::Reply Mirror::answer(const QHttpServerRequest& request, const QTcpSocket& socket) {
  switch (access_of(request, socket)) {
    case Access::foreign: return problem(403, "Forbidden", "This host name or origin is not the mirror's own.");
    case Access::wrong_token: return problem(401, "Unauthorized", "The token is wrong.");
    case Access::no_token:
      return problem(401, "Unauthorized", "A token is needed: open the address that the collector shows, once.");
    case Access::granted_set_cookie: return redirect_with_cookie(request);
    case Access::granted: break;
  }
  const QByteArray path = request.url().path(QUrl::FullyDecoded).toUtf8();
  const auto method = request.method();
  if (path == "/ingest" && method == QHttpServerRequest::Method::Post) return ingest(request.body());
  if (path == "/ingest") return not_allowed("POST");
  if (method != QHttpServerRequest::Method::Get && method != QHttpServerRequest::Method::Head)
    return not_allowed("GET, HEAD");
  return get(request, path);
}

Mirror::Reply Mirror::ingest(const QByteArray& body) {
  const std::optional<QByteArray> answers = m_settings.ingest(body);
  if (!answers)
    return problem(400, "Bad Request", "There was no report in it: a CBOR sequence, or a JSON object a line.");
  return {200, "application/cbor-seq", *answers, {{"Cache-Control", "no-store"}}};
}

Mirror::Reply Mirror::not_allowed(const QByteArray& methods) {
  Reply reply = problem(405, "Method Not Allowed", "This address takes " + methods + '.');
  reply.headers.emplaceBack("Allow", methods);
  return reply;
}

Mirror::Reply Mirror::get(const QHttpServerRequest& request, const QByteArray& path) {
  if (const Asset* found = m_assets.find(path)) return asset(*found, request);
  const compat::Headers fresh{{"Cache-Control", "no-store"}};
  if (path == "/healthz") return {200, json_type, bytes_of(health_json(m_settings.health())), fresh};
  if (path == "/events") return {200, "text/event-stream", {}, fresh};  // HEAD
  if (path == "/metrics")
    return {200, "text/plain; version=0.0.4; charset=utf-8",
            bytes_of(prometheus_text(m_settings.health(), m_jobs.all(), monotonic_now())), fresh};
  if (path == "/api/jobs") {
    std::string out;
    JsonWriter json(out);
    json.begin_object();
    json.pair("now", iso_time(unix_now()));
    json.key("jobs");
    json.begin_array();
    for (const auto& job : m_jobs.all()) {
      json.begin_object();
      write_job(json, *job, monotonic_now());
      json.end_object();
    }
    json.end_array();
    json.end_object();
    return {200, json_type, bytes_of(out), fresh};
  }
  const QByteArray prefix = "/api/jobs/";
  if (path.startsWith(prefix)) {
    const QByteArray rest = path.mid(prefix.size());
    const qsizetype slash = rest.indexOf('/');
    const auto id = model::parse_job_id(rest.left(slash < 0 ? rest.size() : slash).toStdString());
    const model::JobPtr job = id ? m_jobs.find(*id) : nullptr;
    if (!job) return problem(404, "Not Found", "There is no such job.");
    Reply reply = job_part(*job, slash < 0 ? QByteArray() : rest.mid(slash + 1), request.query());
    reply.headers += fresh;
    return reply;
  }
  return problem(404, "Not Found", "There is nothing at this address.");
}

Mirror::Reply Mirror::job_part(const model::Job& job, const QByteArray& part, const QUrlQuery& query) const {
  const double now = monotonic_now();
  std::string out;
  JsonWriter json(out);
  if (part.isEmpty()) {
    json.begin_object();
    write_job(json, job, now);
    json.end_object();
    return {200, json_type, bytes_of(out), {}};
  }
  if (part == "stages.json") {
    write_stages(json, job, now);
    return {200, json_type, bytes_of(out), {}};
  }
  if (part == "stages.csv")
    return {200, csv_type, bytes_of(model::stages_csv(job)), {{"Content-Disposition", file_name(job, "-stages.csv")}}};
  if (part == "metrics.csv")
    return {200, csv_type, bytes_of(metrics_csv(job)), {{"Content-Disposition", file_name(job, "-metrics.csv")}}};
  if (part == "metrics.json")
    return {200,
            json_type,
            bytes_of(metrics_json(job, query_text(query, "name"), query_number(query, "points").value_or(0))),
            {}};
  if (part == "log") return {200, json_type, bytes_of(log_json(job, log_query(query))), {}};
  return problem(404, "Not Found", "A job has no such part.");
}

Mirror::Reply Mirror::asset(const Asset& asset, const QHttpServerRequest& request) const {
  Reply reply{200, asset.type, asset.body, {{"ETag", asset.etag}, {"Vary", "Accept-Encoding"}}};
  reply.headers.emplaceBack("Cache-Control", asset.for_ever ? "public, max-age=31536000, immutable" : "no-cache");
  if (request.value("If-None-Match") == asset.etag) {
    reply.status = 304;
    reply.body.clear();
  } else if (!asset.gzip.isEmpty() && request.value("Accept-Encoding").contains("gzip")) {
    reply.body = asset.gzip;
    reply.headers.emplaceBack("Content-Encoding", "gzip");
  }
  return reply;
}

// Takes the token out of the address, where histories and screenshots would keep it.
Mirror::Reply Mirror::redirect_with_cookie(const QHttpServerRequest& request) const {
  QUrlQuery query = request.query();
  query.removeAllQueryItems(QStringLiteral("token"));
  QByteArray to = request.url().path(QUrl::FullyEncoded).toUtf8();
  while (to.startsWith("//")) to.remove(0, 1);  // an address of this mirror, not another host's
  if (!query.isEmpty()) to += '?' + query.toString(QUrl::FullyEncoded).toUtf8();
  return {303,
          "text/plain",
          {},
          {{"Location", to},
           {"Cache-Control", "no-store"},
           {"Set-Cookie",
            cookie_name() + '=' + m_settings.token + "; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"}}};
}

Mirror::Reply Mirror::problem(int status, const QByteArray& title, const QByteArray& detail) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.pair("type", "about:blank");
  json.pair("title", title.toStdString());
  json.pair("status", std::int64_t{status});
  json.pair("detail", detail.toStdString());
  json.end_object();
  Reply reply{status, "application/problem+json", bytes_of(out), {{"Cache-Control", "no-store"}}};
  if (status == 401) reply.headers.emplaceBack("WWW-Authenticate", "Bearer");
  return reply;
}

}  // namespace macaw
