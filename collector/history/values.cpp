// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/history/values.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>
#include <limits>

namespace macaw::history {

namespace {

QString string(const std::string& text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QJsonDocument json(const QVariant& value) { return QJsonDocument::fromJson(value.toString().toUtf8()); }

template <class Json>
QVariant packed(const Json& json) {
  return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

bool is_whole(const QVariant& value) {
  return value.typeId() == QMetaType::LongLong || value.typeId() == QMetaType::Int;
}

}  // namespace

QVariant to_sql(const std::string& text) { return string(text); }

QVariant to_sql(const model::JobId& id) {
  return QByteArray(reinterpret_cast<const char*>(id.data()), static_cast<qsizetype>(id.size()));
}

QVariant to_sql(const model::Number& number) {
  return std::visit([](auto n) { return to_sql(n); }, number);
}

QVariant to_sql(const model::Value& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return QByteArray(1, *truth ? '\1' : '\0');
  return std::visit(
      [](const auto& v) -> QVariant {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, bool>)
          return {};
        else
          return to_sql(v);
      },
      value);
}

QVariant to_sql(const std::vector<std::string>& texts) {
  QJsonArray array;
  for (const std::string& text : texts) array.append(string(text));
  return packed(array);
}

QVariant to_sql(const std::map<std::string, std::string>& texts) {
  QJsonObject object;
  for (const auto& [key, text] : texts) object.insert(string(key), string(text));
  return packed(object);
}

QVariant to_sql(std::uint64_t number) { return static_cast<qlonglong>(number); }

template <class T>
QVariant numbers_to_sql(const std::vector<T>& numbers) {
  QJsonArray array;
  for (const T number : numbers) array.append(static_cast<double>(number));
  return packed(array);
}
template QVariant numbers_to_sql(const std::vector<float>&);
template QVariant numbers_to_sql(const std::vector<double>&);

std::string text_from(const QVariant& value) { return value.toString().toStdString(); }

std::optional<model::JobId> id_from(const QVariant& value) {
  const QByteArray bytes = value.toByteArray();
  model::JobId id{};
  if (bytes.size() != static_cast<qsizetype>(id.size())) return std::nullopt;
  std::copy(bytes.begin(), bytes.end(), id.begin());
  return id;
}

std::optional<model::Number> number_from(const QVariant& value) {
  if (value.isNull()) return std::nullopt;
  if (is_whole(value)) return model::Number(static_cast<std::int64_t>(value.toLongLong()));
  return model::Number(value.toDouble());
}

model::Value value_from(const QVariant& value) {
  if (value.isNull()) return std::numeric_limits<double>::quiet_NaN();
  if (is_whole(value)) return static_cast<std::int64_t>(value.toLongLong());
  if (value.typeId() == QMetaType::Double) return value.toDouble();
  if (value.typeId() == QMetaType::QByteArray) return value.toByteArray() != QByteArray(1, '\0');
  return text_from(value);
}

std::vector<std::string> texts_from(const QVariant& value) {
  std::vector<std::string> texts;
  const QJsonArray array = json(value).array();
  for (const auto& text : array) texts.push_back(text.toString().toStdString());
  return texts;
}

std::map<std::string, std::string> map_from(const QVariant& value) {
  std::map<std::string, std::string> texts;
  const QJsonObject object = json(value).object();
  for (auto it = object.begin(); it != object.end(); ++it)
    texts.emplace(it.key().toStdString(), it.value().toString().toStdString());
  return texts;
}

std::vector<double> numbers_from(const QVariant& value) {
  std::vector<double> numbers;
  const QJsonArray array = json(value).array();
  for (const auto& number : array) numbers.push_back(number.toDouble());
  return numbers;
}

std::optional<double> real_from(const QVariant& value) {
  return value.isNull() ? std::nullopt : std::optional(value.toDouble());
}

std::optional<std::int64_t> whole_from(const QVariant& value) {
  return value.isNull() ? std::nullopt : std::optional(static_cast<std::int64_t>(value.toLongLong()));
}

std::uint64_t count_from(const QVariant& value) { return static_cast<std::uint64_t>(value.toLongLong()); }

}  // namespace macaw::history
