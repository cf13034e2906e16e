// SPDX-License-Identifier: GPL-3.0-or-later
// The table of how numbers look.
#include <QLocale>
#include <QtTest>
#include <cmath>
#include <limits>

#include "widgets/format/format.hpp"

using namespace macaw;

namespace {
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
constexpr double minute = 60, hour = 3600, day = 86400;
// 1 December 2026, 14:43:00 UTC, a Tuesday.
constexpr double tuesday = 1796136180;

// Unbreakable spaces are right on screen and tiresome in a table.
QString plain(QString text) { return text.replace(QChar(0x00A0), QLatin1Char(' ')); }
}  // namespace

#define ROW(actual, wanted) QTest::addRow("%s line %d", #actual, __LINE__) << plain(actual) << QString::fromUtf8(wanted)

class TestFormat : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    qputenv("TZ", "UTC");
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  }

  void table_data() {
    QTest::addColumn<QString>("actual");
    QTest::addColumn<QString>("wanted");
    using namespace format;
    using model::Number;

    ROW(measured(842e-9).text(), "842 ns");
    ROW(measured(11.2e-6).text(), "11.2 µs");
    ROW(measured(0.156).text(), "156 ms");
    ROW(measured(0.9994).text(), "999 ms");
    ROW(measured(0.9996).text(), "1.00 s");
    ROW(measured(1).text(), "1.00 s");
    ROW(measured(82.1).text(), "82.1 s");
    ROW(measured(99.96).text(), "1.67 min");
    ROW(measured(3.62 * minute).text(), "3.62 min");
    ROW(measured(77 * minute).text(), "77.0 min");
    ROW(measured(2.52 * hour).text(), "2.52 h");
    ROW(measured(4.71 * day).text(), "4.71 d");
    ROW(measured(123456 * day).text(), "123,000 d");
    ROW(measured(0).text(), "0 s");
    ROW(measured(-0.0).text(), "0 s");
    ROW(measured(not_a_number).text(), "–");
    ROW(measured(infinite).text(), "–");
    ROW(measured(-1).text(), "–");

    ROW(duration(0), "0 s");
    ROW(duration(48.9), "48 s");
    ROW(duration(6 * minute + 12), "6 min 12 s");
    ROW(duration(6 * minute + 5), "6 min 05 s");
    ROW(duration(2 * hour + 4 * minute), "2 h 04 min");
    ROW(duration(27 * hour), "1 d 3 h");
    ROW(duration(-3), "–");
    ROW(compact(48), "48s");
    ROW(compact(6 * minute + 12), "6m 12s");
    ROW(compact(2 * hour + 32 * minute), "2h 32m");
    ROW(compact(27 * hour), "1d 03h");
    ROW(age(0.141), "141 ms");
    ROW(age(127), "2m 07s");

    ROW(left(8340.0, Range({7800, 8880})), "2 h 19 min ± 9");
    ROW(left(8340.0, Range({8300, 8400})), "2 h 19 min");
    ROW(left(10900.0, Range({2000, 20000})), "about 3 h");
    ROW(left(68.0), "1 min 08 s");
    ROW(left(641.0), "11 min 00 s");
    ROW(left(11 * hour + 7 * minute), "11 h 05 min");
    ROW(left(std::nullopt), "–");
    ROW(left(-5.0), "–");
    ROW(left(infinite), "–");
    ROW(left_compact(68.0), "1m 08s");
    ROW(left_compact(0.2), "0s");

    ROW(ends(tuesday, 2 * hour + 19 * minute, Range({7800, 8880})), "Ends about 17:02, likely 16:53 to 17:11");
    ROW(ends(tuesday, 2 * hour + 19 * minute, Range({8300, 8400})), "Ends about 17:02");
    ROW(ends(tuesday, 37.5 * hour), "Ends Thu about 04:13");
    ROW(ends(tuesday, 20 * day), "Ends about 21 Dec");
    ROW(ends(tuesday, std::nullopt), "No end known");
    ROW(clock(tuesday - 60, tuesday), "14:42");
    ROW(clock(tuesday - 16.55 * hour, tuesday), "Yesterday 22:10");
    ROW(clock(tuesday - 3 * day - 5 * hour - 3 * minute, tuesday), "28 Nov 09:40");
    ROW(clock_millis(tuesday + 11.480), "14:43:11.480");

    ROW(count(Number{std::int64_t{812}}), "812");
    ROW(count(Number{std::int64_t{52062}}), "52,062");
    ROW(count(Number{std::int64_t{3'410'000}}), "3.41 M");
    ROW(count(Number{std::int64_t{999'999}}), "999,999");
    ROW(count(Number{std::int64_t{999'999'999}}), "1.00 G");
    ROW(count(Number{not_a_number}), "–");
    ROW(exact(Number{std::int64_t{9'007'199'254'740'994}}), "9,007,199,254,740,994");
    ROW(exact(Number{2.5}), "2.5");

    ROW(percent(0.618), "61.8 %");
    ROW(percent(0.999), "99.9 %");
    ROW(percent(0.99999), "99.9 %");
    ROW(percent(1), "100 %");
    ROW(percent(0), "0 %");
    ROW(percent(0.0001), "<0.1 %");
    ROW(percent(1.3), "130.0 %");
    ROW(percent(not_a_number), "–");
    ROW(share(0.214), "21.4 %");
    ROW(share(0.9999), "100 %");
    ROW(share(0.0001), "<0.1 %");
    ROW(share(0), "0 %");

    ROW(rate(6.42).text(), "6.42 /s");
    ROW(rate(16.5 / hour).text(), "16.5 /h");
    ROW(rate(0.0302).text(), "1.81 /min");
    ROW(rate(0.0001).text(), "0.360 /h");
    ROW(rate(214e6, QStringLiteral("B")).text(), "214 MB/s");
    ROW(rate(18.1, QStringLiteral("rows")).text(), "18.1 rows/s");
    ROW(rate(0).text(), "0 /s");
    ROW(rate(not_a_number).text(), "–");

    ROW(bytes(912).text(), "912 B");
    ROW(bytes(999.7).text(), "1.00 kB");
    ROW(bytes(1.31e9).text(), "1.31 GB");
    ROW(bytes_of(41.6e9, 128e9), "41.6 of 128 GB");

    ROW(metric(0.31419), "0.3142");
    ROW(metric(3.1e-4), "3.1e-4");
    ROW(metric(1.7e38), "1.7e+38");
    ROW(metric(std::int64_t{16'777'216}), "16,777,216");
    ROW(metric(1.85), "1.85");
    ROW(metric(411.0), "411");
    ROW(metric(-0.0), "0");
    ROW(metric(-0.5), "-0.5");
    ROW(metric(true), "yes");
    ROW(metric(false), "no");
    ROW(metric(std::string("bad")), "bad");
    ROW(metric(not_a_number), "NaN");
    ROW(metric(infinite), "inf");
    ROW(metric(-infinite), "-inf");

    ROW(things(1, QStringLiteral("log line"), QStringLiteral("log lines")), "1 log line");
    ROW(things(3, QStringLiteral("log line"), QStringLiteral("log lines")), "3 log lines");
  }
  void table() {
    QFETCH(QString, actual);
    QFETCH(QString, wanted);
    QCOMPARE(actual, wanted);
  }

  void fraction_of_nothing_is_done() {
    model::Bar bar;
    QVERIFY(!format::fraction(bar));
    bar.total = std::int64_t{0};
    QCOMPARE(format::fraction(bar).value(), 1.0);
    bar.total = not_a_number;
    QVERIFY(!format::fraction(bar));
    bar.total = std::int64_t{100};
    bar.n = std::int64_t{-5};
    QCOMPARE(format::fraction(bar).value(), 0.0);
  }

  void separators_follow_the_locale() {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    QCOMPARE(format::exact(model::Number{std::int64_t{52062}}), QStringLiteral("52.062"));
    QCOMPARE(plain(format::measured(82.1).text()), QStringLiteral("82,1 s"));
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  }
};

QTEST_GUILESS_MAIN(TestFormat)
#include "test_format.moc"
