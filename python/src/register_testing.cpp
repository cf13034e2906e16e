// SPDX-License-Identifier: MIT
// What macaw.testing reads: the record of this process while no job runs, so that nothing is sent or printed. The
// tables live as long as the process, since the record's nodes remember their rows; that is why no job starts in a
// process that has collected. Threads: with the GIL held, but a full ring may be emptied by any thread.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <thread>
#include <vector>

#include "python/src/job.hpp"
#include "python/src/register.hpp"
#include "sdk/src/process/session.hpp"
#include "sdk/src/report/tables.hpp"
#include "sdk/src/wire/words.hpp"

namespace macaw::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

class Collected {
 public:
  static Collected& instance() {
    static auto* collected = new Collected;  // outlives the threads that may still record
    return *collected;
  }

  void start() {
    if (open_++) return;
    record::ThreadRecord::on_pressure = [] { instance().make_room(); };
    mode = Mode::on;
  }

  void stop() {
    if (--open_) return;
    mode = Mode::off;
    record::ThreadRecord::on_pressure = nullptr;
  }

  py::dict rows() {
    while (busy_.exchange(true)) std::this_thread::yield();
    const Freed freed{busy_};
    take();
    py::list stages, bars, logs, points;
    for (const std::int32_t row : stages_.tree_order()) stages.append(stage(row));
    for (const report::BarRow& row : bars_.rows) bars.append(bar(row));
    for (const report::LogEntry& line : logs_)
      logs.append(py::dict("level"_a = word(line.level), "text"_a = line.text));
    for (const report::MetricEntry& point : points_)
      points.append(py::dict("name"_a = point.name, "value"_a = point.value, "step"_a = point.step));
    return py::dict("stages"_a = stages, "bars"_a = bars, "log"_a = logs, "points"_a = points);
  }

 private:
  struct Freed {
    std::atomic<bool>& busy;
    ~Freed() { busy = false; }
  };

  // Called by whoever fills a ring, which may be this thread while it makes Python values (a finalizer that logs).
  void make_room() noexcept {
    if (busy_.exchange(true)) return;
    const Freed freed{busy_};
    take();
  }

  void take() noexcept {
    try {
      record::ThreadRecord* first = record::ThreadRecord::first();
      events_.take(first);
      stages_.merge(first);
      bars_.merge(first, record::seconds_per_tick());
      events_.number(start_, record::seconds_per_tick());
      keep_new(events_.logs, logs_);
      keep_new(events_.points, points_);
    } catch (...) {
      // Out of memory: a test that is about to fail by itself.
    }
  }

  // The tables keep only the newest lines and points, and number all of them.
  template <class Entries, class Entry>
  static void keep_new(const Entries& from, std::vector<Entry>& to) {
    auto at = from.end();
    while (at != from.begin() && (to.empty() || (at - 1)->no > to.back().no)) --at;
    to.insert(to.end(), at, from.end());
  }

  template <class Enum>
  static py::str word(Enum value) {
    const wire::Text text = wire::word(value);
    return py::str(text.data(), text.size());
  }

  py::tuple path(std::int32_t row) {
    py::list names;
    for (const wire::Text name : stages_.path(row)) names.append(py::str(name.data(), name.size()));
    return py::tuple(names);
  }

  py::dict stage(std::int32_t index) {
    const report::StageRow& row = stages_.rows[static_cast<std::size_t>(index)];
    return py::dict("path"_a = path(index), "kind"_a = word(row.kind), "count"_a = row.stats.n,
                    "total"_a = static_cast<double>(row.stats.sum) * record::seconds_per_tick(),
                    "errors"_a = row.stats.errors, "open"_a = row.stats.open, "note"_a = row.note);
  }

  py::dict bar(const report::BarRow& row) {
    return py::dict("id"_a = row.bar->id(), "parent"_a = row.parent, "stage"_a = path(row.stage),
                    "desc"_a = row.words.desc, "unit"_a = row.words.unit, "n"_a = row.n, "total"_a = row.total,
                    "initial"_a = row.initial, "state"_a = word(row.state), "repeats"_a = row.repeats);
  }

  std::atomic<bool> busy_{false};
  int open_ = 0;
  const std::uint64_t start_ = record::ticks();
  report::StageTable stages_;
  report::BarTable bars_;
  report::EventTable events_;
  std::vector<report::LogEntry> logs_;
  std::vector<report::MetricEntry> points_;
};

}  // namespace

void register_testing(py::module_& module) {
  module.def("collect", [] {
    if (process::is_running())
      throw std::runtime_error("a job runs in this process already: set MACAW_DISABLE=1 for programs under test");
    Collected::instance().start();
  });
  module.def("stop_collecting", [] { Collected::instance().stop(); });
  module.def("collected", [] { return Collected::instance().rows(); });
}

}  // namespace macaw::python
