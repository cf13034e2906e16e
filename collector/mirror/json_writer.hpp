// SPDX-License-Identifier: GPL-3.0-or-later
// Strict JSON onto the end of a string. Numbers that JSON or a browser would spoil become text: NaN and infinities in
// words, integers above 2^53 in digits. No state but where commas go.
//
//   JsonWriter json(out);
//   json.begin_object(); json.key("n"); json.value(3); json.end_object();
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "collector/model/stages_csv.hpp"

namespace macaw {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : m_out(out) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  void key(std::string_view name) {
    separate();
    text(name);
    m_out += ':';
    m_first = true;  // the value needs no comma
  }

  void value(std::nullptr_t) {
    separate();
    m_out += "null";
  }
  void value(bool flag) {
    separate();
    m_out += flag ? "true" : "false";
  }
  void value(double number) {
    separate();
    if (!std::isfinite(number)) m_out += '"';
    model::append_number(m_out, number);
    if (!std::isfinite(number)) m_out += '"';
  }
  void value(std::int64_t number) { integer(std::to_string(number), number > -max_exact && number < max_exact); }
  void value(std::uint64_t number) { integer(std::to_string(number), number < static_cast<std::uint64_t>(max_exact)); }
  void value(std::string_view string) {
    separate();
    text(string);
  }
  void value(const std::string& string) { value(std::string_view(string)); }
  void value(const char* string) { value(std::string_view(string)); }
  template <class T>
  void value(const std::optional<T>& maybe) {
    maybe ? value(*maybe) : value(nullptr);
  }
  template <class... T>
  void value(const std::variant<T...>& one_of) {
    std::visit([this](const auto& v) { value(v); }, one_of);
  }

  template <class T>
  void pair(std::string_view name, const T& v) {
    key(name);
    value(v);
  }
  // Left out where unknown.
  template <class T>
  void pair_if(std::string_view name, const std::optional<T>& v) {
    if (v) pair(name, *v);
  }

 private:
  static constexpr std::int64_t max_exact = (std::int64_t{1} << 53) + 1;

  void separate() {
    if (!m_first) m_out += ',';
    m_first = false;
  }
  void open(char bracket) {
    separate();
    m_out += bracket;
    m_first = true;
  }
  void close(char bracket) {
    m_out += bracket;
    m_first = false;
  }
  void integer(const std::string& digits, bool exact) {
    separate();
    if (!exact) m_out += '"';
    m_out += digits;
    if (!exact) m_out += '"';
  }
  void text(std::string_view string) {
    static constexpr char digits[] = "0123456789abcdef";
    m_out += '"';
    for (const char c : string) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\')
        (m_out += '\\') += c;
      else if (c == '\n')
        m_out += "\\n";
      else if (c == '\t')
        m_out += "\\t";
      else if (byte < 0x20 || byte == 0x7f)
        ((m_out += "\\u00") += digits[byte >> 4]) += digits[byte & 15];
      else
        m_out += c;
    }
    m_out += '"';
  }

  std::string& m_out;
  bool m_first = true;
};

}  // namespace macaw
