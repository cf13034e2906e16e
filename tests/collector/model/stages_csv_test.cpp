// SPDX-License-Identifier: GPL-3.0-or-later
// The CSV that spreadsheets, R and pandas read: exact, quoted, never a formula.
#include <doctest/doctest.h>

#include <clocale>
#include <limits>

#include "collector/model/stages_csv.hpp"
#include "tests/support/feed.hpp"

using namespace macaw;

namespace {

std::string cell(std::string_view text) {
  std::string out;
  model::append_csv_text(out, text);
  return out;
}

std::string number(double value) {
  std::string out;
  model::append_number(out, value);
  return out;
}

}  // namespace

TEST_CASE("text that a spreadsheet would run is neutralised; the rest is quoted as RFC 4180 says") {
  CHECK(cell("plain") == "plain");
  CHECK(cell("") == "");
  CHECK(cell("=1+1") == "'=1+1");
  CHECK(cell("+x") == "'+x");
  CHECK(cell("-x") == "'-x");
  CHECK(cell("@x") == "'@x");
  CHECK(cell("\tx") == "'\tx");
  CHECK(cell("\rx") == "\"'\rx\"");
  CHECK(cell("a,b\"c\nd") == "\"a,b\"\"c\nd\"");
  CHECK(cell("=\"x\"") == "\"'=\"\"x\"\"\"");
}

TEST_CASE("numbers are bare, shortest and exact, in every locale") {
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  CHECK(number(-0.5) == "-0.5");
  CHECK(number(0.1) == "0.1");
  CHECK(number(1.0 / 3) == "0.3333333333333333");
  CHECK(number(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(number(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(number(std::numeric_limits<double>::quiet_NaN()) == "nan");
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("a stage that is open has its time so far as its total, none in its averages") {
  test::Feed feed;
  feed.report(9, 1, R"("stages":[{"path":["fit"],"n":1,"sum":2,"min":2,"max":2,"open":1,"since":4}])");
  feed.tick(9);
  const std::string csv = model::stages_csv(feed.job());
  CHECK(csv.substr(csv.find('\n') + 1) == "fit,fit,0,stage,1,6,6,2,2,2,0,0,\r\n");
}

TEST_CASE("one row a stage, parents first, names with slashes told apart from nesting") {
  test::Feed feed;
  feed.report(1, 1, R"("stages":[
      {"path":["fit"],"n":2,"sum":0.75,"min":0.25,"max":0.5,"m2":0.03125,"errors":1,"note":"a, b"},
      {"path":["fit","a/b~c"],"kind":"call","n":1,"sum":0.5,"min":0.5,"max":0.5}])");
  feed.tick(1);
  CHECK(model::stages_csv(feed.job()) ==
        "path,name,depth,kind,count,total_s,self_s,avg_s,min_s,max_s,std_s,errors,note\r\n"
        "fit,fit,0,stage,2,0.75,0.25,0.375,0.25,0.5,0.1767766952966369,1,\"a, b\"\r\n"
        "fit/a~1b~0c,a/b~c,1,call,1,0.5,0.5,0.5,0.5,0.5,0,0,\r\n");
}
