// SPDX-License-Identifier: GPL-3.0-or-later
// How numbers look on screen: one pure function a kind, the same rules as the page. Unknown is an en dash, never 0 or
// blank; separators are those of QLocale(); nothing breaks before a unit. Times in seconds, wall time as Unix seconds.
// Any thread.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <utility>

#include "collector/model/job.hpp"

namespace macaw::format {

inline const QString unknown = QStringLiteral("–");

// A number and its unit, apart, so that tables can put the unit into a gutter of its own.
struct Quantity {
  QString number, unit;
  QString text() const;
};

// Measured times, in tables: three significant digits and one unit.
Quantity measured(double seconds);
// "2 h 04 min", "6 min 12 s": headers and sentences.
QString duration(double seconds);
// "2h 04m", "6m 12s": lists and ages.
QString compact(double seconds);
// The same without seconds from two minutes on, where they would only flicker: "4 min", "14m".
QString roughly(double seconds);
QString roughly_compact(double seconds);
// The age of an open stage: compact, or measured below a second.
QString age(double seconds);

using Range = std::optional<std::pair<double, double>>;
// What is left: "2 h 19 min ± 9", "about 3 h", "–".
QString left(std::optional<double> eta, const Range& range = {});
QString left_compact(std::optional<double> eta);
// "Ends about 17:02, likely 16:53 to 17:11", with weekday or date when it is not today.
QString ends(double now_unix, std::optional<double> eta, const Range& range = {});

// "14:43", "Yesterday 22:10", "28 Nov 09:40".
QString clock(double unix_time, double now_unix);
QString clock_seconds(double unix_time);
QString clock_millis(double unix_time);

// "key=value".
QString tag(const std::string& key, const std::string& value);

double to_double(const model::Number& number);
// Whole below a million, then "3.41 M".
QString count(const model::Number& number);
QString exact(const model::Number& number);
QString exact(std::uint64_t number);

// The fraction done, or nothing when there is no total to measure against; 0 of 0 is done.
std::optional<double> fraction(const model::Bar& bar);
// "61.8 %", floored, so that 100 % means done.
QString percent(double fraction);
// Part of a whole in a table: "21.4 %", "<0.1 %", "100 %".
QString share(double fraction);

Quantity rate(double per_second, const QString& unit = {});
Quantity bytes(double value);
// "41.6 of 128 GB": both in the unit of the limit.
QString bytes_of(double value, double limit);

QString metric(const model::Value& value);
QString step(const model::Number& step);
bool is_finite(const model::Value& value);
// The value as a point of a curve; NaN for texts.
double as_curve(const model::Value& value);

// "3 log lines", "1 job".
QString things(std::uint64_t n, const QString& one, const QString& many);

}  // namespace macaw::format
