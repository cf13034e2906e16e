// SPDX-License-Identifier: GPL-3.0-or-later
// Who may ask what: pure rules over the few facts of a request, so that they can be read and tested in one place.
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <optional>

namespace macaw {

struct AccessFacts {
  QByteArray host, origin;                // headers; an absent one is null
  std::optional<QByteArray> query_token;  // ?token=
  std::optional<QByteArray> bearer;       // Authorization: Bearer
  std::optional<QByteArray> cookie;       // our cookie
  bool same_user = false;                 // over loopback, by the user of this collector
  bool counters_only = false;             // /healthz
};

enum class Access {
  granted,
  granted_set_cookie,  // the token came in the address: put it into a cookie and redirect
  foreign,             // 403: a name that is not ours; some other site's page, or DNS rebinding
  wrong_token,         // 401
  no_token,            // 401
};

class AccessRules {
 public:
  // `names`: host names and addresses that this mirror answers to, beside the loopback's own.
  AccessRules(QByteArray token, QByteArrayList names) : m_token(std::move(token)), m_names(std::move(names)) {}

  Access judge(const AccessFacts& facts) const;

 private:
  bool is_ours(QByteArray host) const;
  bool is_token(const QByteArray& token) const;

  QByteArray m_token;
  QByteArrayList m_names;
};

}  // namespace macaw
