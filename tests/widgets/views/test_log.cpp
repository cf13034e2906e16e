// SPDX-License-Identifier: GPL-3.0-or-later
// The log view's rows: appended, gaps in place, levels hidden; and that it follows until the person scrolls.
#include <QLocale>
#include <QScrollBar>
#include <QtTest>

#include "tests/support/qt_messages.hpp"
#include "widgets/views/log/log_view.hpp"

using namespace macaw;
using namespace macaw::widgets;
using model::Log;
using model::LogLevel;
using model::LogLine;

namespace {

std::shared_ptr<const Log> log_of(const std::vector<LogLine>& lines, const Log* before = nullptr) {
  auto log = std::make_shared<Log>();
  for (std::size_t i = 0; i < lines.size(); i += Log::chunk_lines) {
    const auto end = std::min(lines.size(), i + Log::chunk_lines);
    const std::size_t chunk = i / Log::chunk_lines;
    const bool full = end - i == Log::chunk_lines;
    if (before && full && chunk < before->chunks.size() && before->chunks[chunk]->size() == Log::chunk_lines)
      log->chunks.push_back(before->chunks[chunk]);  // full chunks never change and are shared
    else
      log->chunks.push_back(std::make_shared<const std::vector<LogLine>>(
          lines.begin() + static_cast<std::ptrdiff_t>(i), lines.begin() + static_cast<std::ptrdiff_t>(end)));
  }
  log->lines = lines.size();
  return log;
}

LogLine line(std::uint64_t no, const std::string& text, LogLevel level = LogLevel::info) {
  return {no, static_cast<double>(no), level, text, {}, 0};
}

QStringList printed(const LogRows& rows) {
  QStringList lines;
  for (std::size_t i = 0; i < rows.size(); ++i)
    lines << (rows[i].kind == LogRows::Row::Kind::gap    ? QStringLiteral("~ %1 lost").arg(rows[i].lost)
              : rows[i].kind == LogRows::Row::Kind::more ? QStringLiteral("  ") + rows.text(rows[i])
                                                         : rows.text(rows[i]));
  return lines;
}

}  // namespace

class TestLog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { m_messages.allow("XDG_RUNTIME_DIR"); }
  void cleanup() { QCOMPARE(m_messages.take_unexpected(), QByteArrayList()); }

  void rows_gaps_and_levels() {
    LogRows rows;
    rows.update(log_of(
        {line(1, "a"), line(2, "boom\n  at x\n", LogLevel::error), line(6, "b"), line(7, "detail", LogLevel::debug)}));
    QCOMPARE(printed(rows), QStringList({"a", "boom", "    at x", "~ 3 lost", "b"}));
    QCOMPARE(rows.around(rows[3]), std::pair(2.0, 6.0));
    QCOMPARE(rows.counts()[static_cast<std::size_t>(LogLevel::debug)], std::size_t{1});
    rows.show_level(LogLevel::debug, true);
    rows.show_level(LogLevel::error, false);
    QCOMPARE(printed(rows), QStringList({"a", "~ 3 lost", "b", "detail"}));
  }

  void appends_or_starts_anew() {
    std::vector<LogLine> lines;
    for (std::uint64_t no = 1; no <= 600; ++no) lines.push_back(line(no, "line " + std::to_string(no)));
    LogRows rows;
    auto log = log_of(lines);
    QVERIFY(rows.update(log));
    QVERIFY(!rows.update(log));
    lines.push_back(line(601, "new"));
    log = log_of(lines, log.get());
    QVERIFY(!rows.update(log));
    QCOMPARE(rows.size(), std::size_t{601});
    // A lost line arrives late: what was there has moved.
    lines.erase(lines.begin() + 299);
    const auto with_gap = log_of(lines);
    QVERIFY(rows.update(with_gap));
    QCOMPARE(rows.size(), std::size_t{601});
    QVERIFY(rows[299].kind == LogRows::Row::Kind::gap);
    QVERIFY(rows.update(nullptr));
    QCOMPARE(rows.size(), std::size_t{0});
  }

  void follows_until_scrolled() {
    LogView view;
    view.resize(600, 200);
    view.show();
    std::vector<LogLine> lines;
    for (std::uint64_t no = 1; no <= 100; ++no) lines.push_back(line(no, no % 10 ? "text" : "needle"));
    view.show_log(log_of(lines), 1e9, true);
    QCOMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
    view.verticalScrollBar()->setValue(10);
    QVERIFY(!view.follows());
    lines.push_back(line(101, "more"));
    view.show_log(log_of(lines), 1e9, false);
    QCOMPARE(view.verticalScrollBar()->value(), 10);
    QCOMPARE(view.unseen(), std::size_t{1});
    view.set_follow(true);
    QCOMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
    view.set_search(QStringLiteral("NEEDLE"));
    QCOMPARE(view.hit_count(), std::size_t{10});
    QVERIFY(!view.follows());
    view.go_to_hit(1);
    QCOMPARE(view.current_hit(), std::size_t{0});  // around the end to the first
    view.grab();
  }

 private:
  test::QtMessages m_messages;
};

QTEST_MAIN(TestLog)
#include "test_log.moc"
