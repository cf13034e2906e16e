// SPDX-License-Identifier: GPL-3.0-or-later
// Times encoding and decoding of one report of five rows against Qt's CBOR streams, which write the same bytes and fill
// the same struct. All four take turns in random order in many short samples, so that a machine that slows down for a
// while slows all of them; the medians give the ratios. Prints one JSON object.
#include <QByteArray>
#include <QCborStreamReader>
#include <QCborStreamWriter>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "sdk/src/wire/decode.hpp"
#include "sdk/src/wire/encode.hpp"
#include "tests/bench/wire/qt_codec.hpp"

namespace {

using namespace macaw::wire;
using Clock = std::chrono::steady_clock;

constexpr int samples = 401;
constexpr int runs_a_sample = 400;

struct Contender {
  const char* name;
  std::function<void()> run;
  std::vector<double> ns;

  void sample() {
    const auto begin = Clock::now();
    for (int i = 0; i < runs_a_sample; ++i) run();
    const std::chrono::duration<double, std::nano> took = Clock::now() - begin;
    ns.push_back(took.count() / runs_a_sample);
  }
  double median() {
    std::nth_element(ns.begin(), ns.begin() + samples / 2, ns.end());
    return ns[samples / 2];
  }
};

// What the sender's side holds before it encodes: a bar, three stages and a metric.
struct Rows {
  Text paths[3][2] = {{"generate_data", {}}, {"fourier_transform", {}}, {"fourier_transform", "numpy.fft.fft"}};
  std::size_t depths[3] = {1, 1, 2};
  Header header;
  Bar bar;
  Stage stages[3];
  Metric metric;

  Rows() {
    header.job = {0xa3, 0xf2, 0xc1, 0xd0};
    header.up = 61.53;
    header.t = 1764590461.53;
    header.next = 1.0;
    bar.id = 1;
    bar.n = std::int64_t{41};
    bar.total = std::int64_t{200};
    bar.elapsed = 61.25;
    bar.rate = 0.669;
    bar.eta = 237.5;
    bar.desc = "doing nothing";
    for (Stage& stage : stages) {
      stage.n = 41;
      stage.sum = 1.7213;
      stage.min = 0.0381;
      stage.max = 0.0893;
      stage.m2 = 0.00251;
      stage.last = 0.0431;
    }
    stages[2].kind = StageKind::call;
    stages[2].note = "shape=(65536,) dtype=complex128";
    metric.no = 41;
    metric.name = "mean";
    metric.step = std::int64_t{41};
    metric.up = 61.5;
    metric.value = 2.31;
  }
};

void keep(const void* data) { asm volatile("" : : "r"(data) : "memory"); }

void print(const char* name, Contender& ours, Contender& reference, const char* separator) {
  const double a = ours.median(), b = reference.median();
  std::printf("\"%s\": {\"ratio\": %.4f, \"ours\": %.1f, \"reference\": %.1f, \"unit\": \"ns\"}%s", name, a / b, a, b,
              separator);
}

}  // namespace

int main() {
  const Rows rows;
  Text datagram;  // where a sender would send it from
  const auto take = [](void* context, const char* data, std::size_t size, std::uint64_t) {
    *static_cast<Text*>(context) = Text(data, size);
  };
  Packer packer(default_mtu, take, &datagram);
  const auto encode_ours = [&] {
    packer.begin(rows.header, 300);
    packer.add_bar(rows.bar, nullptr, 0);
    for (int i = 0; i < 3; ++i) packer.add_stage(rows.stages[i], rows.paths[i], rows.depths[i]);
    packer.add_metric(rows.metric);
    packer.finish();
    keep(datagram.data());
  };
  encode_ours();
  const std::string bytes(datagram);
  const QByteArray qt_bytes = QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));

  Report expected, report, qt_report;
  decode(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), expected);
  QByteArray qt_datagram;
  qt_datagram.reserve(2048);
  qt_encode(expected, qt_datagram);
  std::deque<QByteArray> texts;

  std::string ours_again, qt_again;
  encode(expected, ours_again);
  if (!qt_decode(qt_bytes, qt_report, texts)) return std::fputs("Qt does not read our bytes\n", stderr), 1;
  encode(qt_report, qt_again);
  if (ours_again != bytes || qt_again != bytes || qt_datagram != qt_bytes) {
    return std::fputs("the two codecs differ\n", stderr), 1;
  }

  Contender contenders[] = {
      {"encode", encode_ours, {}},
      {"encode Qt", [&] { qt_encode(expected, qt_datagram), keep(qt_datagram.constData()); }, {}},
      {"decode",
       [&] {
         decode(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), report);
         keep(&report);
       },
       {}},
      {"decode Qt", [&] { qt_decode(qt_bytes, qt_report, texts), keep(&qt_report); }, {}},
  };
  std::vector<int> order(std::size(contenders));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(std::random_device{}());
  for (int i = 0; i < samples; ++i) {
    std::shuffle(order.begin(), order.end(), random);
    for (const int which : order) contenders[which].sample();
  }
  std::printf("{");
  print("encode", contenders[0], contenders[1], ", ");
  print("decode", contenders[2], contenders[3], "}\n");
}
