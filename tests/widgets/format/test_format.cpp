// SPDX-License-Identifier: GPL-3.0-or-later
// How numbers look: the table that window and page share, and what no table can say.
#include <QDateTime>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QtTest>
#include <cmath>
#include <limits>

#include "widgets/format/format.hpp"

using namespace macaw;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinite = std::numeric_limits<double>::infinity();

// The table's inputs: numbers, null, the words for what JSON cannot say, integers as text.
struct Inputs {
  QJsonArray values;

  std::optional<double> maybe(int i) const {
    const QJsonValue value = values[i];
    if (value == QLatin1String("nan")) return not_a_number;
    if (value == QLatin1String("inf")) return infinite;
    if (value == QLatin1String("-inf")) return -infinite;
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
  }
  double number(int i) const { return maybe(i).value_or(not_a_number); }
  double time(int i) const {
    return static_cast<double>(QDateTime::fromString(values[i].toString(), Qt::ISODateWithMs).toMSecsSinceEpoch()) /
           1000;
  }
  format::Range range(int i) const {
    const QJsonArray pair = values[i].toArray();
    return pair.isEmpty() ? format::Range() : format::Range({pair[0].toDouble(), pair[1].toDouble()});
  }
  model::Number exact(int i) const {
    bool whole = false;
    const qint64 n = values[i].toString().toLongLong(&whole);
    if (whole) return n;
    const double value = number(i);
    if (value == std::floor(value) && std::abs(value) < 1e15 && !std::signbit(value)) return static_cast<qint64>(value);
    return value;
  }
  model::Value value(int i) const {
    if (values[i].isBool()) return values[i].toBool();
    if (values[i].isString() && !maybe(i)) return values[i].toString().toStdString();
    const model::Number n = exact(i);
    return std::visit([](auto v) { return model::Value(v); }, n);
  }
  QString text(int i) const { return values[i].toString(); }
};

QString formatted(const QString& kind, const Inputs& in) {
  using namespace format;
  if (kind == "measured") return measured(in.number(0)).text();
  if (kind == "duration") return duration(in.number(0));
  if (kind == "compact") return compact(in.number(0));
  if (kind == "age") return age(in.number(0));
  if (kind == "left") return left(in.maybe(0), in.range(1));
  if (kind == "left_compact") return left_compact(in.maybe(0));
  if (kind == "ends") return ends(in.time(0), in.maybe(1), in.range(2));
  if (kind == "clock") return clock(in.time(0), in.time(1));
  if (kind == "clock_seconds") return clock_seconds(in.time(0));
  if (kind == "clock_millis") return clock_millis(in.time(0));
  if (kind == "count") return count(in.exact(0));
  if (kind == "exact") return exact(in.exact(0));
  if (kind == "percent") return percent(in.number(0));
  if (kind == "share") return share(in.number(0));
  if (kind == "rate") return rate(in.number(0), in.text(1)).text();
  if (kind == "bytes") return bytes(in.number(0)).text();
  if (kind == "bytes_of") return bytes_of(in.number(0), in.number(1));
  if (kind == "metric") return in.values[0].isNull() ? unknown : metric(in.value(0));
  if (kind == "things") return things(static_cast<std::uint64_t>(in.number(0)), in.text(1), in.text(2));
  return QStringLiteral("no such kind");
}

// Unbreakable spaces are right on screen and tiresome in a table.
QString plain(QString text) { return text.replace(QChar(0x00A0), QLatin1Char(' ')); }

}  // namespace

class TestFormat : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    qputenv("TZ", "UTC");
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  }

  void shared_table_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QJsonArray>("inputs");
    QTest::addColumn<QString>("wanted");
    QFile file(qEnvironmentVariable("MACAW_SOURCE_DIR") + QStringLiteral("/tests/vectors/numbers/numbers.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray rows = QJsonDocument::fromJson(file.readAll()).array();
    QVERIFY(rows.size() > 80);
    for (int i = 0; i < rows.size(); ++i) {
      const QJsonArray row = rows[i].toArray();
      QTest::addRow("%d %s", i, qPrintable(row[0].toString()))
          << row[0].toString() << row[1].toArray() << row[2].toString();
    }
  }
  void shared_table() {
    QFETCH(QString, kind);
    QFETCH(QJsonArray, inputs);
    QFETCH(QString, wanted);
    QCOMPARE(plain(formatted(kind, {inputs})), wanted);
  }

  void long_ages_leave_the_seconds_out() {
    QCOMPARE(plain(format::roughly(48)), QStringLiteral("48 s"));
    QCOMPARE(plain(format::roughly(247)), QStringLiteral("4 min"));
    QCOMPARE(plain(format::roughly(7440)), QStringLiteral("2 h 04 min"));
    QCOMPARE(plain(format::roughly_compact(845)), QStringLiteral("14m"));
    QCOMPARE(plain(format::left_compact(1320)), QStringLiteral("22m"));
    QCOMPARE(plain(format::measured(123456.0 * 86400).text()), QStringLiteral("123,000 d"));
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

  void one_short_of_a_huge_total_is_not_done() {
    model::Bar bar;
    bar.n = std::int64_t{9'007'199'254'740'993};
    bar.total = std::int64_t{9'007'199'254'740'994};
    QCOMPARE(plain(format::percent(format::fraction(bar).value())), QStringLiteral("99.9 %"));
    bar.n = *bar.total;
    QCOMPARE(plain(format::percent(format::fraction(bar).value())), QStringLiteral("100 %"));
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
