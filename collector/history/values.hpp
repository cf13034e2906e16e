// SPDX-License-Identifier: GPL-3.0-or-later
// Values of the model as values of SQL, both ways. Pure.
#pragma once

#include <QVariant>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collector/model/job.hpp"

namespace macaw::history {

QVariant to_sql(const std::string& text);
QVariant to_sql(const model::JobId& id);
QVariant to_sql(const model::Number& number);
QVariant to_sql(const model::Value& value);
QVariant to_sql(const std::vector<std::string>& texts);            // a JSON array
QVariant to_sql(const std::map<std::string, std::string>& texts);  // a JSON object
QVariant to_sql(std::uint64_t number);
inline QVariant to_sql(double number) { return number; }
inline QVariant to_sql(std::int64_t number) { return static_cast<qlonglong>(number); }
template <class T>
QVariant to_sql(const std::optional<T>& value) {
  return value ? to_sql(*value) : QVariant();
}
// A JSON array, shortest digits.
template <class T>
QVariant numbers_to_sql(const std::vector<T>& numbers);

std::string text_from(const QVariant& value);
std::optional<model::JobId> id_from(const QVariant& value);
std::optional<model::Number> number_from(const QVariant& value);
model::Value value_from(const QVariant& value);
std::vector<std::string> texts_from(const QVariant& value);
std::map<std::string, std::string> map_from(const QVariant& value);
std::vector<double> numbers_from(const QVariant& value);
std::optional<double> real_from(const QVariant& value);
std::optional<std::int64_t> whole_from(const QVariant& value);
std::uint64_t count_from(const QVariant& value);

// The value of an enum with that name; `fallback` when none has it.
template <class Enum>
Enum named(const QVariant& value, const char* (*name)(Enum), Enum last, Enum fallback) {
  const std::string wanted = text_from(value);
  for (int i = 0; i <= static_cast<int>(last); ++i)
    if (wanted == name(static_cast<Enum>(i))) return static_cast<Enum>(i);
  return fallback;
}

}  // namespace macaw::history
