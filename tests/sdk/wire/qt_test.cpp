// SPDX-License-Identifier: GPL-3.0-or-later
// Qt's CBOR as an independent peer: it reads our bytes with the same meaning, and we read its own, also the unbounded
// kind that we never write ourselves.
#include <QCborArray>
#include <QCborMap>
#include <QCborStreamWriter>
#include <QCborValue>
#include <QFile>
#include <QJsonDocument>
#include <QTest>

#include <deque>

#include "tests/bench/wire/qt_codec.hpp"
#include "tests/sdk/wire/support.hpp"

using namespace macaw::wire;

namespace {

QByteArray vector(const char* name) {
  return QByteArray::fromStdString(from_hex(read_file(vectors() / (std::string(name) + ".hex"))));
}

std::string_view view(const QByteArray& bytes) { return {bytes.constData(), static_cast<std::size_t>(bytes.size())}; }

// Writes a value again with unbounded maps and arrays.
void write_unbounded(QCborStreamWriter& out, const QCborValue& value) {
  if (value.isMap()) {
    out.startMap();
    for (const auto& [key, item] : value.toMap()) {
      write_unbounded(out, key);
      write_unbounded(out, item);
    }
    out.endMap();
  } else if (value.isArray()) {
    out.startArray();
    for (const QCborValue& item : value.toArray()) write_unbounded(out, item);
    out.endArray();
  } else {
    value.toCbor(out);
  }
}

}  // namespace

class WireQtTest : public QObject {
  Q_OBJECT
 private slots:
  void reads_what_qt_writes_again_data();
  void reads_what_qt_writes_again();
  void qt_reads_the_values();
  void stream_codec_agrees();
};

void WireQtTest::reads_what_qt_writes_again_data() {
  QTest::addColumn<QByteArray>("bytes");
  // Not "bars": a QCborValue makes a float of its id of 2^64-1.
  for (const char* name : {"hello", "usage", "stages", "metrics", "logs", "finish-error", "mixed", "many-rows"}) {
    QTest::newRow(name) << vector(name);
  }
}

void WireQtTest::reads_what_qt_writes_again() {
  QFETCH(QByteArray, bytes);
  QCborParserError error;
  const QCborValue value = QCborValue::fromCbor(bytes, &error);
  QCOMPARE(error.error, QCborError::NoError);

  Report report;
  const QByteArray bounded = value.toCbor(QCborValue::NoTransformation);
  QCOMPARE(decode(view(bounded), report), Decoded::ok);
  QCOMPARE(QByteArray::fromStdString(encoded(report)), bytes);

  QByteArray unbounded;
  QCborStreamWriter out(&unbounded);
  write_unbounded(out, value);
  QVERIFY(unbounded.startsWith('\xbf'));
  QCOMPARE(decode(view(unbounded), report), Decoded::ok);
  QCOMPARE(QByteArray::fromStdString(encoded(report)), bytes);
}

void WireQtTest::qt_reads_the_values() {
  Report report;
  report.job = {1, 2, 3};
  report.seq = 1234567890123;
  Bar& bar = report.bars.emplace_back();
  bar.n = std::int64_t{-5};
  bar.total = Number(2.5);
  report.names = {"ä", "b"};
  bar.stage = {0, 2};
  report.metrics.emplace_back().value = true;
  const QCborMap map = QCborValue::fromCbor(QByteArray::fromStdString(encoded(report))).toMap();
  QCOMPARE(map[QLatin1String("v")].toInteger(), 1);
  QCOMPARE(map[QLatin1String("job")].toByteArray().size(), 16);
  QCOMPARE(map[QLatin1String("seq")].toInteger(), 1234567890123);
  const QCborMap row = map[QLatin1String("bars")].toArray()[0].toMap();
  QCOMPARE(row[QLatin1String("n")].toInteger(), -5);
  QVERIFY(row[QLatin1String("total")].isDouble());
  QCOMPARE(row[QLatin1String("total")].toDouble(), 2.5);
  QCOMPARE(row[QLatin1String("stage")].toArray()[0].toString(), QStringLiteral("ä"));
  QCOMPARE(map[QLatin1String("metrics")].toArray()[0].toMap()[QLatin1String("value")].toBool(), true);
}

void WireQtTest::stream_codec_agrees() {
  for (const char* name : {"stages", "metrics"}) {
    const QByteArray bytes = vector(name);
    Report report, again;
    std::deque<QByteArray> texts;
    QVERIFY(qt_decode(bytes, again, texts));
    QCOMPARE(decode(view(bytes), report), Decoded::ok);
    if (report.stages.empty()) QCOMPARE(encoded(again), encoded(report));
    QCOMPARE(again.stages.size(), report.stages.size());
    QCOMPARE(again.names, report.names);
  }
}

QTEST_APPLESS_MAIN(WireQtTest)
#include "qt_test.moc"
