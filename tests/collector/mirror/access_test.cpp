// SPDX-License-Identifier: GPL-3.0-or-later
// Who may ask: the rules as a table.
#include "collector/mirror/access.hpp"

#include <doctest/doctest.h>

using macaw::Access;
using macaw::AccessFacts;

namespace {

const macaw::AccessRules rules("right-token", {"node7", "192.168.1.5"});

AccessFacts own(QByteArray host = "localhost:6229") {
  AccessFacts facts;
  facts.host = std::move(host);
  facts.same_user = true;
  return facts;
}

}  // namespace

TEST_CASE("only names of this mirror are answered, whoever asks") {
  for (const char* host : {"localhost", "LOCALHOST:6229", "127.0.0.1:6229", "[::1]:6229", "[::1]", "localhost:8000",
                           "node7:6229", "192.168.1.5:6229"}) {
    CAPTURE(host);
    CHECK(rules.judge(own(host)) == Access::granted);
  }
  for (const char* host :
       {"", "evil.example", "evil.example:6229", "localhost.evil.example", "127.0.0.1.evil.example:6229",
        "localhost:", "localhost:x", "[::1", "[::1]x", "[::2]:6229", "user@localhost", "localhost:6229:1"}) {
    CAPTURE(host);
    CHECK(rules.judge(own(host)) == Access::foreign);
  }
  AccessFacts counters = own("evil.example");
  counters.counters_only = true;
  CHECK(rules.judge(counters) == Access::foreign);
}

TEST_CASE("an origin must be the very host that is asked") {
  AccessFacts facts = own();
  facts.origin = "http://localhost:6229";
  CHECK(rules.judge(facts) == Access::granted);
  for (const char* origin :
       {"http://localhost:3000", "http://evil.example", "https://localhost:6229", "null", "http://127.0.0.1:6229"}) {
    CAPTURE(origin);
    facts.origin = origin;
    CHECK(rules.judge(facts) == Access::foreign);
  }
}

TEST_CASE("a token is needed by all but the own user, and a wrong one never passes") {
  AccessFacts other = own();
  other.same_user = false;
  CHECK(rules.judge(other) == Access::no_token);
  other.cookie = "right-token";
  CHECK(rules.judge(other) == Access::granted);
  other.cookie = "stale";
  CHECK(rules.judge(other) == Access::no_token);
  other.bearer = "right-token";
  CHECK(rules.judge(other) == Access::granted);
  for (const bool same_user : {false, true}) {
    AccessFacts facts = own();
    facts.same_user = same_user;
    facts.query_token = "right-token";
    CHECK(rules.judge(facts) == Access::granted_set_cookie);
    facts.query_token = "wrong";
    CHECK(rules.judge(facts) == Access::wrong_token);
    facts.query_token.reset();
    facts.bearer = "right-toke";
    CHECK(rules.judge(facts) == Access::wrong_token);
  }
  AccessFacts stale = own();
  stale.cookie = "stale";
  CHECK(rules.judge(stale) == Access::granted);
}

TEST_CASE("the counters are for everybody on a right host") {
  AccessFacts facts = own();
  facts.same_user = false;
  facts.counters_only = true;
  CHECK(rules.judge(facts) == Access::granted);
}
