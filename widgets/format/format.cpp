// SPDX-License-Identifier: GPL-3.0-or-later
// The rounding rules, written once.
#include "widgets/format/format.hpp"

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

namespace macaw::format {

namespace {

constexpr QChar no_break_space(0x00A0);
constexpr double minute = 60, hour = 3600, day = 86400;

QString spaced(const QString& a, const QString& b) { return b.isEmpty() ? a : a + no_break_space + b; }

QString decimals(double value, int places) { return QLocale().toString(value == 0 ? 0.0 : value, 'f', places); }

int places_for(double value, int significant) {
  if (value == 0) return significant - 1;
  return std::max(0, significant - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
}

// Rounded to that many significant digits, so that the unit can be chosen after the rounding.
double rounded(double value, int significant) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, significant - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
  return std::round(value * scale) / scale;
}

// As places_for, but trailing zeros say nothing here: 1.85, not 1.850.
int fewest_places(double value, int significant) {
  int places = places_for(value, significant);
  const auto shows_all = [value, shown = rounded(value, significant)](int p) {
    const double scale = std::pow(10.0, p);
    return std::abs(std::round(shown * scale) / scale - shown) < std::abs(value) * 1e-9;
  };
  while (places > 0 && shows_all(places - 1)) --places;
  return places;
}

QString three_digits(double value) { return decimals(value, places_for(value, 3)); }

struct Unit {
  const char* name;
  double size;   // of one, in the base unit
  double below;  // used while the rounded number is under this
};

template <std::size_t n>
Quantity in_units(double value, const std::array<Unit, n>& units) {
  for (const Unit& unit : units) {
    const double number = rounded(value / unit.size, 3);
    if (number < unit.below || &unit == &units.back()) return {three_digits(number), QString::fromUtf8(unit.name)};
  }
  return {};
}

// A duration cut into its two largest units.
struct TwoUnits {
  long long high = 0, low = 0;
  const char *high_name = "", *low_name = "";
  double low_size = 1;
};

TwoUnits two_units(double seconds) {
  const auto s = static_cast<long long>(std::floor(seconds));
  if (s < 60) return {0, s, "", "s", 1};
  if (s < 3600) return {s / 60, s % 60, "min", "s", 1};
  if (s < 86400) return {s / 3600, s % 3600 / 60, "h", "min", minute};
  return {s / 86400, s % 86400 / 3600, "d", "h", hour};
}

QString two_digits(long long n) { return QStringLiteral("%1").arg(n, 2, 10, QLatin1Char('0')); }

// Estimates claim no more than they know: whole minutes from ten minutes, five-minute steps from ten hours.
bool is_whole_minutes(double estimate) { return estimate >= 10 * minute && estimate < hour; }

double rounded_estimate(double seconds) {
  if (seconds >= 10 * hour) return std::round(seconds / (5 * minute)) * 5 * minute;
  if (seconds >= 10 * minute) return std::round(seconds / minute) * minute;
  return std::round(seconds);
}

bool is_known(std::optional<double> value) { return value && std::isfinite(*value) && *value >= 0; }

QDateTime local(double unix_time) {
  return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(std::floor(unix_time * 1000)));
}

QString hours_minutes(const QDateTime& time) { return time.toString(QStringLiteral("HH:mm")); }

}  // namespace

QString Quantity::text() const { return spaced(number, unit); }

Quantity measured(double seconds) {
  static constexpr std::array<Unit, 7> units{{{"ns", 1e-9, 1000},
                                              {"µs", 1e-6, 1000},
                                              {"ms", 1e-3, 1000},
                                              {"s", 1, 100},
                                              {"min", minute, 100},
                                              {"h", hour, 100},
                                              {"d", day, 0}}};
  if (!std::isfinite(seconds) || seconds < 0) return {unknown, {}};
  if (seconds == 0) return {QStringLiteral("0"), QStringLiteral("s")};
  return in_units(seconds, units);
}

QString duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return unknown;
  const TwoUnits t = two_units(seconds);
  if (t.high == 0) return spaced(QString::number(t.low), QString::fromLatin1(t.low_name));
  const bool padded = t.low_size < hour;
  return spaced(spaced(QString::number(t.high), QString::fromLatin1(t.high_name)),
                spaced(padded ? two_digits(t.low) : QString::number(t.low), QString::fromLatin1(t.low_name)));
}

QString compact(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return unknown;
  const TwoUnits t = two_units(seconds);
  const QString low(QLatin1Char(*t.low_name));
  if (t.high == 0) return QString::number(t.low) + low;
  return spaced(QString::number(t.high) + QLatin1Char(*t.high_name), two_digits(t.low) + low);
}

QString roughly(double seconds) {
  if (!std::isfinite(seconds) || seconds < 2 * minute || seconds >= hour) return duration(seconds);
  return spaced(QString::number(static_cast<int>(seconds / minute)), QStringLiteral("min"));
}

QString roughly_compact(double seconds) {
  if (!std::isfinite(seconds) || seconds < 2 * minute || seconds >= hour) return compact(seconds);
  return QString::number(static_cast<int>(seconds / minute)) + QLatin1Char('m');
}

QString age(double seconds) { return seconds < 1 ? measured(seconds).text() : compact(seconds); }

QString left(std::optional<double> eta, const Range& range) {
  if (!is_known(eta)) return unknown;
  const double seconds = rounded_estimate(*eta);
  QString words = is_whole_minutes(seconds) ? roughly(seconds) : duration(seconds);
  if (!range || seconds <= 0) return words;
  const double half = (range->second - range->first) / 2;
  const TwoUnits t = two_units(seconds);
  if (half > seconds / 2) {
    const double unit = t.high ? (seconds >= day ? day : seconds >= hour ? hour : minute) : 1;
    const char* name = t.high ? t.high_name : t.low_name;
    return QStringLiteral("about ") + spaced(QString::number(std::llround(seconds / unit)), QString::fromLatin1(name));
  }
  const auto margin = std::llround(half / (is_whole_minutes(seconds) ? minute : t.low_size));
  if (half < seconds * 0.05 || margin < 1) return words;
  return words + QStringLiteral("\u00A0±\u00A0") + QString::number(margin);
}

QString left_compact(std::optional<double> eta) {
  if (!is_known(eta)) return unknown;
  const double seconds = rounded_estimate(*eta);
  return is_whole_minutes(seconds) ? roughly_compact(seconds) : compact(seconds);
}

QString ends(double now_unix, std::optional<double> eta, const Range& range) {
  if (!is_known(eta)) return QStringLiteral("No end known");
  const QDateTime now = local(now_unix), end = local(now_unix + *eta);
  const qint64 days = now.date().daysTo(end.date());
  if (days > 6) return QStringLiteral("Ends about ") + QLocale().toString(end.date(), QStringLiteral("d MMM"));
  const QString prefix = days ? QLocale().toString(end.date(), QStringLiteral("ddd")) + QLatin1Char(' ') : QString();
  QString text = QStringLiteral("Ends ") + prefix + QStringLiteral("about ") + hours_minutes(end);
  if (range && range->second - range->first >= 5 * minute && days == 0)
    text += QStringLiteral(", likely %1 to %2")
                .arg(hours_minutes(local(now_unix + range->first)), hours_minutes(local(now_unix + range->second)));
  return text;
}

QString clock(double unix_time, double now_unix) {
  const QDateTime time = local(unix_time);
  const qint64 days = time.date().daysTo(local(now_unix).date());
  if (days == 0) return hours_minutes(time);
  if (days == 1) return QStringLiteral("Yesterday ") + hours_minutes(time);
  return QLocale().toString(time.date(), QStringLiteral("d MMM")) + QLatin1Char(' ') + hours_minutes(time);
}

QString clock_seconds(double unix_time) { return local(unix_time).toString(QStringLiteral("HH:mm:ss")); }
QString clock_millis(double unix_time) { return local(unix_time).toString(QStringLiteral("HH:mm:ss.zzz")); }

QString tag(const std::string& key, const std::string& value) {
  return QString::fromStdString(key) + QLatin1Char('=') + QString::fromStdString(value);
}

double to_double(const model::Number& number) {
  return std::visit([](auto n) { return static_cast<double>(n); }, number);
}

QString exact(std::uint64_t number) { return QLocale().toString(static_cast<qulonglong>(number)); }

QString exact(const model::Number& number) {
  if (const auto* whole = std::get_if<std::int64_t>(&number)) return QLocale().toString(static_cast<qlonglong>(*whole));
  const double value = std::get<double>(number);
  if (!std::isfinite(value)) return unknown;
  if (value == std::floor(value)) return decimals(value, 0);
  return decimals(value, fewest_places(value, 6));
}

QString count(const model::Number& number) {
  static constexpr std::array<Unit, 3> units{{{"M", 1e6, 1000}, {"G", 1e9, 1000}, {"T", 1e12, 0}}};
  const double value = to_double(number);
  if (!std::isfinite(value)) return unknown;
  if (std::abs(value) < 1e6) return exact(number);
  const Quantity q = in_units(std::abs(value), units);
  return (value < 0 ? QLocale().negativeSign() : QString()) + q.text();
}

std::optional<double> fraction(const model::Bar& bar) {
  if (!bar.total) return std::nullopt;
  const double n = to_double(bar.n), total = to_double(*bar.total);
  if (!std::isfinite(n) || !std::isfinite(total)) return std::nullopt;
  if (total <= 0) return 1.0;
  // Large counts that differ may be equal as doubles: short of the total is never all of it.
  const auto *exact_n = std::get_if<std::int64_t>(&bar.n), *exact_total = std::get_if<std::int64_t>(&*bar.total);
  if (exact_n && exact_total && *exact_n < *exact_total) return std::clamp(n / total, 0.0, std::nextafter(1.0, 0.0));
  return std::max(0.0, n / total);
}

QString percent(double fraction) {
  if (!std::isfinite(fraction)) return unknown;
  if (fraction <= 0) return QStringLiteral("0\u00A0%");
  if (fraction < 0.001 - 1e-12) return QStringLiteral("<") + decimals(0.1, 1) + QStringLiteral("\u00A0%");
  if (fraction >= 1 && fraction < 1.0005) return QStringLiteral("100\u00A0%");
  // The small nudge keeps 0.618 at 61.8, which as a binary fraction lies just below it; 100 means done and nothing
  // less.
  const double tenths = std::floor(fraction * 1000 + 1e-9);
  return decimals((fraction < 1 ? std::min(tenths, 999.0) : tenths) / 10, 1) + QStringLiteral("\u00A0%");
}

QString share(double fraction) {
  if (!std::isfinite(fraction)) return unknown;
  if (fraction <= 0) return QStringLiteral("0\u00A0%");
  if (fraction < 0.001) return QStringLiteral("<") + decimals(0.1, 1) + QStringLiteral("\u00A0%");
  if (fraction >= 0.9995) return QStringLiteral("100\u00A0%");
  return decimals(fraction * 100, 1) + QStringLiteral("\u00A0%");
}

Quantity bytes(double value) {
  static constexpr std::array<Unit, 5> units{
      {{"B", 1, 1000}, {"kB", 1e3, 1000}, {"MB", 1e6, 1000}, {"GB", 1e9, 1000}, {"TB", 1e12, 0}}};
  if (!std::isfinite(value) || value < 0) return {unknown, {}};
  if (value < 999.5) return {decimals(std::round(value), 0), QStringLiteral("B")};
  return in_units(value, units);
}

QString bytes_of(double value, double limit) {
  const Quantity whole = bytes(limit);
  const double unit = whole.unit == QLatin1String("TB")   ? 1e12
                      : whole.unit == QLatin1String("GB") ? 1e9
                      : whole.unit == QLatin1String("MB") ? 1e6
                      : whole.unit == QLatin1String("kB") ? 1e3
                                                          : 1;
  const auto plain = [unit](double v) {
    const double scaled = rounded(v / unit, 3);
    return scaled == std::floor(scaled) ? decimals(scaled, 0) : three_digits(scaled);
  };
  return spaced(plain(value) + QStringLiteral(" of ") + plain(limit), whole.unit);
}

Quantity rate(double per_second, const QString& unit) {
  if (!std::isfinite(per_second) || per_second < 0) return {unknown, {}};
  if (unit == QLatin1String("B")) {
    const Quantity q = bytes(per_second);
    return {q.number, q.unit + QStringLiteral("/s")};
  }
  if (per_second == 0) return {QStringLiteral("0"), unit + QStringLiteral("/s")};
  for (const auto& [size, name] : {std::pair{1.0, "/s"}, {minute, "/min"}, {hour, "/h"}}) {
    const double value = rounded(per_second * size, 3);
    if (value < 1 && size < hour) continue;
    if (value < 1e6) return {three_digits(value), unit + QString::fromLatin1(name)};
    return {count(model::Number{value}), unit + QString::fromLatin1(name)};
  }
  return {};
}

bool is_finite(const model::Value& value) {
  const auto* number = std::get_if<double>(&value);
  return !number || std::isfinite(*number);
}

double as_curve(const model::Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  return std::nan("");
}

QString metric(const model::Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? QStringLiteral("yes") : QStringLiteral("no");
  if (const auto* text = std::get_if<std::string>(&value)) return QString::fromStdString(*text).simplified();
  const double number = as_curve(value);
  if (std::isnan(number)) return QStringLiteral("NaN");
  if (std::isinf(number)) return number > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
  if (number == 0) return QStringLiteral("0");
  if (number == std::floor(number) && std::abs(number) < 1e9) return decimals(number, 0);
  const double four = rounded(number, 4);
  if (std::abs(four) < 0.001 || std::abs(four) >= 1e6) {
    QString text = QString::number(four, 'e', 3);
    const qsizetype e = text.indexOf(QLatin1Char('e'));
    QString mantissa = text.left(e);
    while (mantissa.endsWith(QLatin1Char('0'))) mantissa.chop(1);
    if (mantissa.endsWith(QLatin1Char('.'))) mantissa.chop(1);
    mantissa.replace(QLatin1Char('.'), QLocale().decimalPoint());
    const int power = text.mid(e + 1).toInt();
    return mantissa + QLatin1Char('e') + (power > 0 ? QStringLiteral("+") : QString()) + QString::number(power);
  }
  return decimals(four, fewest_places(four, 4));
}

QString step(const model::Number& step) { return QStringLiteral("step ") + exact(step); }

QString things(std::uint64_t n, const QString& one, const QString& many) {
  return exact(n) + QLatin1Char(' ') + (n == 1 ? one : many);
}

}  // namespace macaw::format
