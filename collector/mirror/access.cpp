// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/mirror/access.hpp"

namespace macaw {

// The port may differ: through a tunnel the browser knows the mirror under another one.
bool AccessRules::is_ours(QByteArray host) const {
  host = host.toLower();
  const bool bracketed = host.startsWith('[');
  const qsizetype end = bracketed ? host.indexOf(']') + 1 : host.indexOf(':');
  const QByteArray name = end > 0 ? host.left(end) : host;
  const QByteArray rest = end > 0 ? host.mid(end) : QByteArray();
  if (!rest.isEmpty()) {
    bool is_number = false;
    rest.mid(1).toUShort(&is_number);
    if (!rest.startsWith(':') || !is_number) return false;
  }
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]" || m_names.contains(name);
}

// Takes as long for a token that is nearly right as for one that is all wrong.
bool AccessRules::is_token(const QByteArray& token) const {
  if (token.size() != m_token.size()) return false;
  unsigned difference = 0;
  for (qsizetype i = 0; i < token.size(); ++i) difference |= static_cast<unsigned char>(token[i] ^ m_token[i]);
  return difference == 0;
}

Access AccessRules::judge(const AccessFacts& facts) const {
  if (!is_ours(facts.host)) return Access::foreign;
  if (!facts.origin.isNull() && facts.origin.toLower() != "http://" + facts.host.toLower()) return Access::foreign;
  if (facts.counters_only) return Access::granted;
  if (facts.query_token) return is_token(*facts.query_token) ? Access::granted_set_cookie : Access::wrong_token;
  if (facts.bearer) return is_token(*facts.bearer) ? Access::granted : Access::wrong_token;
  // A stale cookie, of a collector before this one, is no attempt at anything: it only does not help.
  if (facts.same_user || (facts.cookie && is_token(*facts.cookie))) return Access::granted;
  return Access::no_token;
}

}  // namespace macaw
