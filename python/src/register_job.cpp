// SPDX-License-Identifier: MIT
// The cold half of the module, bound by pybind11: starting and ending the job, and what has been recorded so far.
// Calls that may wait leave the GIL.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdlib>

#include "macaw/version.hpp"
#include "python/src/job.hpp"
#include "python/src/register.hpp"
#include "python/src/text.hpp"
#include "python/src/types.hpp"
#include "sdk/src/console/format.hpp"
#include "sdk/src/process/session.hpp"
#include "sdk/src/record/thread_record.hpp"

namespace macaw::python {
namespace py = pybind11;
namespace {

using Text = std::optional<std::string>;

// Of any object: a Path, a number, text that is no UTF-8.
Text text(py::handle object) {
  if (object.is_none()) return std::nullopt;
  return std::string(Utf8(object.ptr()).view());
}

std::vector<std::pair<std::string, std::string>> texts_by_name(py::handle mapping) {
  std::vector<std::pair<std::string, std::string>> texts;
  if (mapping.is_none()) return texts;
  const auto items = py::reinterpret_steal<py::list>(PyMapping_Items(mapping.ptr()));
  if (!items) {
    PyErr_Clear();
    warn_once("init(): tags is no mapping of names to values, and left out");
    return texts;
  }
  for (const py::handle item : items) {
    if (!PyTuple_Check(item.ptr()) || PyTuple_GET_SIZE(item.ptr()) != 2) continue;
    const Utf8 name(PyTuple_GET_ITEM(item.ptr(), 0)), value(PyTuple_GET_ITEM(item.ptr(), 1));
    texts.emplace_back(name.view(), value.view());
  }
  return texts;
}

bool init(py::handle name, py::handle url, py::handle key, py::handle console, py::handle tags) {
  report::Wishes wishes;
  wishes.name = text(name);
  wishes.url = text(url);
  wishes.key = text(key);
  wishes.console = text(console);
  wishes.tags = texts_by_name(tags);
  return start_job(std::move(wishes));
}

void finish(wire::FinishState state, int code, int signal) {
  mode = Mode::off;
  if (signal) return process::finish_by_signal(signal);
  process::finish(state, code);
}

py::dict stage_row(const console::Stage& stage) {
  using namespace py::literals;
  return py::dict("path"_a = py::tuple(py::cast(stage.path)), "kind"_a = stage.is_call ? "call" : "stage",
                  "depth"_a = stage.depth, "parallel"_a = stage.is_parallel, "count"_a = stage.count,
                  "total"_a = stage.spent(), "self"_a = stage.self, "avg"_a = stage.avg(), "min"_a = stage.min,
                  "max"_a = stage.max, "std"_a = stage.std_dev, "last"_a = stage.last, "errors"_a = stage.errors,
                  "note"_a = stage.note);
}

py::tuple summary() {
  console::Snapshot snapshot;
  {
    const py::gil_scoped_release unlocked;
    snapshot = process::snapshot();
  }
  py::list rows;
  for (const console::Stage& stage : snapshot.stages) rows.append(stage_row(stage));
  return py::make_tuple(rows, console::stage_summary(snapshot));
}

}  // namespace

void register_job(py::module_& module) {
  using namespace py::literals;
  module.attr("__version__") = MACAW_VERSION;
  module.def("init", &init, "name"_a, "url"_a, "key"_a, "console"_a, "tags"_a);
  module.def("is_recording", [] { return mode == Mode::on; });
  module.def("is_disabled", &process::is_disabled);
  // What the core has put into the environment of programs that this one starts; os.environ is Python's own copy.
  module.def("left_to_children", [] {
    py::dict variables;
    for (const char* name : {"MACAW_JOB", "MACAW_URL", "MACAW_KEY"})
      if (const char* value = std::getenv(name)) variables[name] = value;
    return variables;
  });
  module.def("job_id", &process::job_id);
  module.def("summary", &summary);
  module.def("set_error", &process::set_error, "type"_a, "message"_a, "trace"_a,
             py::call_guard<py::gil_scoped_release>());
  module.def(
      "finish", [] { finish(wire::FinishState::finished, 0, 0); }, py::call_guard<py::gil_scoped_release>());
  module.def(
      "finish_by_signal", [](int signal) { finish(wire::FinishState::interrupted, 0, signal); }, "signal"_a,
      py::call_guard<py::gil_scoped_release>());
  // Of this thread: bars that an exception left open are closed, and what comes next nests in nothing.
  module.def(
      "start_clean",
      [](bool interrupted) {
        record::ThreadRecord& thread = record::ThreadRecord::mine();
        const auto state = interrupted ? record::BarState::interrupted : record::BarState::failed;
        for (record::Bar* bar = thread.bars(); bar; bar = record::ThreadRecord::next_bar(bar))
          if (bar->state() == record::BarState::running) bar->close(state);
        thread.stand(thread.root(), nullptr);
      },
      "interrupted"_a);
  // What os._exit() is about to end this process with. Nothing where nothing was reported.
  module.def(
      "exits",
      [](int code) {
        if (mode == Mode::on) finish(wire::FinishState::finished, code, 0);
      },
      "code"_a, py::call_guard<py::gil_scoped_release>());
  module.def("interpreter_ends", [] { interpreter_is_ending = true; });
  module.def("console_is_live", &process::console_is_live);
  module.def("print_above", &process::print_above, "text"_a, py::call_guard<py::gil_scoped_release>());
}

}  // namespace macaw::python
