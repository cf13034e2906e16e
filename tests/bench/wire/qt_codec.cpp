// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/wire/qt_codec.hpp"

#include <QBuffer>
#include <QCborStreamReader>
#include <QCborStreamWriter>
#include <QFloat16>

#include "sdk/src/wire/words.hpp"

using namespace macaw::wire;

namespace {

class Writer {
 public:
  explicit Writer(QByteArray& bytes) : cbor_(&bytes) {}

  void report(const Report& report) {
    cbor_.startMap(static_cast<quint64>(5 + report.next.has_value() + !report.bars.empty() + !report.stages.empty() +
                                        !report.metrics.empty()));
    entry("v", protocol_version);
    key("job");
    cbor_.appendByteString(reinterpret_cast<const char*>(report.job.data()), qsizetype(report.job.size()));
    entry("seq", report.seq);
    entry("up", report.up);
    entry("t", report.t);
    optional("next", report.next);
    rows("bars", report, report.bars);
    rows("stages", report, report.stages);
    rows("metrics", report, report.metrics);
    cbor_.endMap();
  }

 private:
  template <class Row>
  void rows(const char* name, const Report& report, const std::vector<Row>& list) {
    if (list.empty()) return;
    key(name);
    cbor_.startArray(list.size());
    for (const Row& one : list) row(report, one);
    cbor_.endArray();
  }

  void row(const Report& report, const Bar& bar) {
    cbor_.startMap(static_cast<quint64>(3 + bar.parent.has_value() + (bar.stage.size != 0) + bar.total.has_value() +
                                        bar.rate.has_value() + bar.eta.has_value() + !bar.desc.empty()) -
                   (bar.elapsed == 0));
    entry("id", bar.id);
    optional("parent", bar.parent);
    if (bar.stage.size != 0) path("stage", report, bar.stage);
    entry("n", bar.n);
    optional("total", bar.total);
    if (bar.elapsed != 0) entry("elapsed", bar.elapsed);
    optional("rate", bar.rate);
    optional("eta", bar.eta);
    if (!bar.desc.empty()) entry("desc", bar.desc);
    cbor_.endMap();
  }

  void row(const Report& report, const Stage& stage) {
    const bool call = stage.kind != StageKind::stage;
    cbor_.startMap(static_cast<quint64>(7 + call + !stage.note.empty()));
    path("path", report, stage.path);
    if (call) entry("kind", word(stage.kind));
    entry("n", stage.n);
    entry("sum", stage.sum);
    entry("min", stage.min);
    entry("max", stage.max);
    entry("m2", stage.m2);
    entry("last", stage.last);
    if (!stage.note.empty()) entry("note", stage.note);
    cbor_.endMap();
  }

  void row(const Report&, const Metric& metric) {
    cbor_.startMap(static_cast<quint64>(4 + metric.step.has_value()));
    entry("no", metric.no);
    entry("name", metric.name);
    optional("step", metric.step);
    entry("up", metric.up);
    key("value");
    std::visit([this](auto value) { put(value); }, metric.value);
    cbor_.endMap();
  }

  void path(const char* name, const Report& report, const Path& path) {
    key(name);
    cbor_.startArray(path.size);
    for (std::uint32_t i = 0; i < path.size; ++i) put(report.names[path.first + i]);
    cbor_.endArray();
  }

  void key(const char* name) { cbor_.append(QLatin1String(name)); }
  void put(std::uint64_t v) { cbor_.append(static_cast<quint64>(v)); }
  void put(std::int64_t v) { cbor_.append(static_cast<qint64>(v)); }
  void put(bool v) { cbor_.append(v); }
  void put(Text v) { cbor_.appendTextString(v.data(), static_cast<qsizetype>(v.size())); }
  void put(const Number& v) {
    std::visit([this](auto value) { put(value); }, v);
  }
  // Shortest, as ours.
  void put(double v) {
    const auto narrow = static_cast<float>(v);
    if (static_cast<double>(narrow) != v) return cbor_.append(v);
    const qfloat16 half(narrow);
    static_cast<float>(half) == narrow ? cbor_.append(half) : cbor_.append(narrow);
  }

  template <class T>
  void entry(const char* name, const T& value) {
    key(name);
    put(value);
  }
  template <class T>
  void optional(const char* name, const std::optional<T>& value) {
    if (value) entry(name, *value);
  }

  QCborStreamWriter cbor_;
};

class Reader {
 public:
  Reader(const QByteArray& bytes, Report& report, std::deque<QByteArray>& texts)
      : cbor_(bytes), report_(report), texts_(texts) {}

  bool report() {
    entries([this](const QByteArray& key) {
      if (key == "v") return number(version_);
      if (key == "job") return job(report_.job);
      if (key == "seq") return number(report_.seq);
      if (key == "up") return number(report_.up);
      if (key == "t") return number(report_.t);
      if (key == "next") return number(report_.next.emplace());
      if (key == "bars") return rows(report_.bars);
      if (key == "stages") return rows(report_.stages);
      if (key == "metrics") return rows(report_.metrics);
      cbor_.next();
    });
    return cbor_.lastError() == QCborError::NoError && version_ == protocol_version;
  }

 private:
  template <class Field>
  void entries(Field field) {
    if (!cbor_.isMap() || !cbor_.enterContainer()) return;
    while (cbor_.lastError() == QCborError::NoError && cbor_.hasNext()) field(string());
    cbor_.leaveContainer();
  }

  template <class Row>
  void rows(std::vector<Row>& list) {
    cbor_.enterContainer();
    while (cbor_.lastError() == QCborError::NoError && cbor_.hasNext()) row(list.emplace_back());
    cbor_.leaveContainer();
  }

  void row(Bar& bar) {
    entries([&](const QByteArray& key) {
      if (key == "id") return number(bar.id);
      if (key == "parent") return number(bar.parent.emplace());
      if (key == "stage") return path(bar.stage);
      if (key == "n") return value(bar.n);
      if (key == "total") return value(bar.total.emplace());
      if (key == "elapsed") return number(bar.elapsed);
      if (key == "rate") return number(bar.rate.emplace());
      if (key == "eta") return number(bar.eta.emplace());
      if (key == "desc") return text(bar.desc);
      cbor_.next();
    });
  }

  void row(Stage& stage) {
    entries([&](const QByteArray& key) {
      if (key == "path") return path(stage.path);
      if (key == "kind") return kind(stage.kind);
      if (key == "n") return number(stage.n);
      if (key == "sum") return number(stage.sum);
      if (key == "min") return number(stage.min);
      if (key == "max") return number(stage.max);
      if (key == "m2") return number(stage.m2);
      if (key == "last") return number(stage.last);
      if (key == "note") return text(stage.note);
      cbor_.next();
    });
  }

  void row(Metric& metric) {
    entries([&](const QByteArray& key) {
      if (key == "no") return number(metric.no);
      if (key == "name") return text(metric.name);
      if (key == "step") return value(metric.step.emplace());
      if (key == "up") return number(metric.up);
      if (key == "value") return value(metric.value);
      cbor_.next();
    });
  }

  QByteArray string() {
    QByteArray whole;
    if (cbor_.isString()) {
      for (auto chunk = cbor_.readString(); chunk.status != QCborStreamReader::EndOfString;
           chunk = cbor_.readString()) {
        if (chunk.status == QCborStreamReader::Error) return whole;
        whole += chunk.data.toUtf8();
      }
    } else {
      cbor_.next();
    }
    return whole;
  }

  void text(Text& out) {
    const QByteArray& kept = texts_.emplace_back(string());
    out = Text(kept.constData(), static_cast<std::size_t>(kept.size()));
  }

  void job(JobId& id) {
    if (!cbor_.isByteArray()) return void(cbor_.next());
    const auto chunk = cbor_.readByteArray();
    if (chunk.data.size() == qsizetype(id.size())) std::copy(chunk.data.begin(), chunk.data.end(), id.begin());
    cbor_.readByteArray();
  }

  void path(Path& path) {
    path.first = static_cast<std::uint32_t>(report_.names.size());
    cbor_.enterContainer();
    while (cbor_.lastError() == QCborError::NoError && cbor_.hasNext()) {
      text(report_.names.emplace_back());
      ++path.size;
    }
    cbor_.leaveContainer();
  }

  void kind(StageKind& kind) {
    Text name;
    text(name);
    parse_word(name, kind);
  }

  void number(std::uint64_t& out) {
    if (cbor_.isUnsignedInteger()) out = cbor_.toUnsignedInteger();
    cbor_.next();
  }

  double real() {
    if (cbor_.isDouble()) return cbor_.toDouble();
    if (cbor_.isFloat()) return static_cast<double>(cbor_.toFloat());
    if (cbor_.isFloat16()) return static_cast<double>(static_cast<float>(cbor_.toFloat16()));
    return 0;
  }

  void number(double& out) {
    out = cbor_.isInteger() ? static_cast<double>(cbor_.toInteger()) : real();
    cbor_.next();
  }

  template <class Variant>
  void value(Variant& out) {
    if constexpr (std::is_same_v<Variant, Value>) {
      if (cbor_.isString()) return text(out.template emplace<Text>());
      if (cbor_.isBool()) return out = cbor_.toBool(), void(cbor_.next());
    }
    if (cbor_.isInteger()) {
      out = static_cast<std::int64_t>(cbor_.toInteger());
    } else {
      out = real();
    }
    cbor_.next();
  }

  QCborStreamReader cbor_;
  Report& report_;
  std::deque<QByteArray>& texts_;
  std::uint64_t version_ = 0;
};

}  // namespace

void qt_encode(const Report& report, QByteArray& bytes) {
  bytes.resize(0);
  Writer(bytes).report(report);
}

bool qt_decode(const QByteArray& bytes, Report& report, std::deque<QByteArray>& texts) {
  report.clear();
  texts.clear();
  return Reader(bytes, report, texts).report();
}
