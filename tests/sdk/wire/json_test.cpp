// SPDX-License-Identifier: MIT
// The JSON grammar, seen through a metric's value.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/sdk/wire/support.hpp"

namespace macaw::wire {
namespace {

struct Read {
  std::string bytes;
  Report report;
  Decoded decoded;
  explicit Read(std::string_view value)
      : bytes(json_report(R"("metrics":[{"no":1,"name":"m","value":)" + std::string(value) + "}]")),
        decoded(decode(bytes, report)) {}
  Value value() const {
    REQUIRE(decoded == Decoded::ok);
    REQUIRE(report.metrics.size() == 1);
    return report.metrics[0].value;
  }
};

TEST_CASE("numbers are integers until they have a point, an exponent, or too many digits") {
  CHECK(Read("0").value() == Value(std::int64_t{0}));
  CHECK(Read("-0").value() == Value(std::int64_t{0}));
  CHECK(Read("-17").value() == Value(std::int64_t{-17}));
  CHECK(Read("9223372036854775807").value() == Value(std::numeric_limits<std::int64_t>::max()));
  CHECK(Read("-9223372036854775808").value() == Value(std::numeric_limits<std::int64_t>::min()));
  CHECK(Read("9223372036854775808").value() == Value(9223372036854775808.0));
  CHECK(Read("123456789012345678901234567890").value() == Value(1.2345678901234568e29));
  CHECK(Read("-123456789012345678901234567890").value() == Value(-1.2345678901234568e29));
  CHECK(Read("1.0").value() == Value(1.0));
  CHECK(Read("1e2").value() == Value(100.0));
  CHECK(Read("1E+2").value() == Value(100.0));
  CHECK(Read("-25e-1").value() == Value(-2.5));
  CHECK(Read("0.1").value() == Value(0.1));
  CHECK(Read("1e999").value() == Value(HUGE_VAL));
  CHECK(Read("-1e999").value() == Value(-HUGE_VAL));
  CHECK(Read("1e-999").value() == Value(0.0));
  CHECK(Read("\"inf\"").value() == Value(HUGE_VAL));
  CHECK(Read("\"-inf\"").value() == Value(-HUGE_VAL));
  CHECK(std::isnan(std::get<double>(Read("\"nan\"").value())));
  CHECK(Read("\"NaN\"").value() == Value(Text("NaN")));
}

TEST_CASE("strings are unescaped") {
  CHECK(Read(R"("plain é")").value() == Value(Text("plain é")));
  CHECK(Read(R"("\"\\\/\b\f\n\r\t")").value() == Value(Text("\"\\/\b\f\n\r\t")));
  CHECK(Read(R"("\u0041\u00e9\u20AC\ud83e\udd9c")").value() == Value(Text("A\xC3\xA9\xE2\x82\xAC\xF0\x9F\xA6\x9C")));
  CHECK(Read(R"("\u0000")").value() == Value(Text("\0", 1)));
  CHECK(Read(R"("\ud83ex\udd9c")").value() == Value(Text("\xEF\xBF\xBDx\xEF\xBF\xBD")));
  CHECK(Read(R"("\udd9c\udd9c")").value() == Value(Text("\xEF\xBF\xBD\xEF\xBF\xBD")));
  CHECK(Read(R"("\ud83e\u0041")").value() == Value(Text("\xEF\xBF\xBD"
                                                        "A")));
  CHECK(Read("\"a\x97z\"").value() == Value(Text("a\xEF\xBF\xBDz")));
}

TEST_CASE("a key may be escaped") {
  Report report;
  const std::string bytes = R"({"\u0076":1,"job":"a3f2c1d0-5b7e-4c19-8f02-9d3e61b7a045","s\u0065q":5})";
  CHECK(decode(bytes, report) == Decoded::ok);
}

TEST_CASE("white space is allowed where the grammar allows it") {
  Report report;
  const std::string bytes =
      "{ \"v\" :\t1 ,\r\n\"job\" : \"a3f2c1d0-5b7e-4c19-8f02-9d3e61b7a045\",\"seq\":5, \"bars\" : [ ] , \"logs\":[ { "
      "\"no\" : 1 , "
      "\"text\" : \"\" } ] } \r\n";
  CHECK(decode(bytes, report) == Decoded::ok);
  CHECK(report.logs.size() == 1);
}

TEST_CASE("what is not JSON is malformed") {
  for (const char* value : {"",     "nan",   "NaN",     "Infinity", "+1",          "01",         "1.",     ".5",
                            "1e",   "1e+",   "-",       "--1",      "0x10",        "1_000",      "tru",    "True",
                            "nul",  "'x'",   "\"",      "\"\\\"",   "\"\\u12g4\"", "\"\\x\"",    "\"\n\"", "[1,]",
                            "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}",       "{\"a\":1,}", "{,}",    "[}",
                            "{]",   "1}",    "[1,,2]",  "/**/1",    "1 2"}) {
    CAPTURE(value);
    CHECK(Read(value).decoded == Decoded::malformed);
  }
}

}  // namespace
}  // namespace macaw::wire
