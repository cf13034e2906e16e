// SPDX-License-Identifier: MIT
// macaw.track: an iterator that counts what passes, and a bar moved by hand. The hot path is one add and one indirect
// call. How a loop ended is known by three signs: the source ran out, it raised, or the iterator was dropped: with an
// exception under way (it left the loop by it) or without (break, return).
// A step counts once the loop comes back for the next item, so an item whose work failed or was broken off does not.
// Threads: with the GIL held.
#include <algorithm>

#include "python/src/job.hpp"
#include "python/src/stage_names.hpp"
#include "python/src/standing.hpp"
#include "python/src/types.hpp"
#include "python/src/values.hpp"

namespace macaw::python {
namespace {

using record::Bar;
using record::BarState;
using record::ThreadRecord;
using wire::Number;

struct Track {
  PyObject_HEAD PyObject* source;  // iterator; null: by hand
  iternextfunc next;               // the source's
  Bar* bar;                        // never null
  std::int64_t step;               // 0 before the first item
  ThreadRecord* thread;            // where the bar is; null: it is `own`, seen by nobody else
  Bar* own;
};

Track* as_track(PyObject* object) { return reinterpret_cast<Track*>(object); }

PyObject* no_more(PyObject*) { return nullptr; }

double amount(const Number& number) { return Bar::as_double(number); }

// Ends the bar. Its slot may serve another loop from now on, so what can still be asked for moves to a bar of our own.
void end(Track* self, BarState state) noexcept {
  self->next = no_more;
  self->step = 0;
  if (!self->thread) return;
  try {
    const record::BarWords words = self->bar->words();
    auto* kept = new Bar(self->bar->id(), nullptr, nullptr, nullptr, words.desc, words.unit);
    kept->open(self->bar->total(), self->bar->initial(), false);
    kept->set_n(self->bar->n());
    self->own = kept;
  } catch (...) {
    return;  // out of memory: the bar stays open
  }
  const Standing standing(ThreadRecord::mine());
  self->thread->close_bar(self->bar, state);
  standing.moved();
  self->thread = nullptr;
  self->bar = self->own;
}

bool is_short(const Bar& bar) {
  const auto total = bar.total();
  return total && amount(bar.n()) < amount(*total);
}

BarState state_after(PyObject* exception) {
  if (PyErr_GivenExceptionMatches(exception, PyExc_GeneratorExit)) return BarState::left;
  return PyErr_GivenExceptionMatches(exception, PyExc_KeyboardInterrupt) ? BarState::interrupted : BarState::failed;
}

BarState state_when_dropped(const Track* self) {
  if (PyObject* exception = PyErr_Occurred()) return state_after(exception);
  return self->source || is_short(*self->bar) ? BarState::left : BarState::done;
}

PyObject* track_next(PyObject* object) {
  Track* self = as_track(object);
  self->bar->add(self->step);
  self->step = 1;
  PyObject* item = self->next(self->source);
  if (__builtin_expect(item != nullptr, 1)) return item;
  PyObject* exception = PyErr_Occurred();
  const bool failed = exception && !PyErr_GivenExceptionMatches(exception, PyExc_StopIteration);
  end(self, failed ? state_after(exception) : BarState::done);
  return nullptr;
}

int track_clear(PyObject* object) {
  Py_CLEAR(as_track(object)->source);
  return 0;
}

int track_traverse(PyObject* object, visitproc visit, void* arg) {
  Py_VISIT(as_track(object)->source);
  return 0;
}

void track_dealloc(PyObject* object) {
  PyObject_GC_UnTrack(object);
  Track* self = as_track(object);
  if (self->thread && !interpreter_is_ending) end(self, state_when_dropped(self));
  track_clear(object);
  delete self->own;
  Py_TYPE(object)->tp_free(object);
}

// The length that the source knows of itself; never found out by consuming it.
std::optional<Number> length_of(PyObject* source) {
  const auto* sequence = Py_TYPE(source)->tp_as_sequence;
  const auto* mapping = Py_TYPE(source)->tp_as_mapping;
  if (!(sequence && sequence->sq_length) && !(mapping && mapping->mp_length)) return std::nullopt;
  const Py_ssize_t length = PyObject_Size(source);
  if (length >= 0) return std::int64_t{length};
  drop_error();
  return std::nullopt;
}

std::optional<Number> total_of(PyObject* total, PyObject* source) {
  if (!total || total == Py_None) return source ? length_of(source) : std::nullopt;
  const auto number = to_number(total);
  return number && amount(*number) >= 0 ? number : std::nullopt;
}

struct Wish {
  PyObject *source, *total, *desc, *unit, *initial;
};

extern PyTypeObject type;  // below

std::optional<Utf8>& read_text(std::optional<Utf8>& out, PyObject* object) {
  if (object && object != Py_None) out.emplace(object);
  return out;
}

std::string_view view(const std::optional<Utf8>& text) { return text ? text->view() : std::string_view(); }

PyObject* make(const Wish& wish) {
  PyObject* source = wish.source && wish.source != Py_None ? wish.source : nullptr;
  const auto total = total_of(wish.total, source);
  PyObject* iterator = source ? PyObject_GetIter(source) : nullptr;
  if ((source && !iterator) || PyErr_Occurred()) {
    Py_XDECREF(iterator);
    return nullptr;
  }
  auto* self = PyObject_GC_New(Track, &type);
  if (!self) {
    Py_XDECREF(iterator);
    return nullptr;
  }
  self->source = iterator;
  self->next = iterator ? Py_TYPE(iterator)->tp_iternext : no_more;
  self->step = 0;
  self->thread = nullptr;
  self->own = self->bar = nullptr;
  const auto initial = wish.initial ? to_number(wish.initial) : std::nullopt;
  std::optional<Utf8> desc, unit;
  read_text(desc, wish.desc);
  read_text(unit, wish.unit);
  if (is_recording()) {
    ThreadRecord& thread = ThreadRecord::mine();
    const Standing standing(thread);
    self->bar = thread.open_bar(view(desc), view(unit), total, initial, desc ? pinned_hint(wish.desc) : nullptr);
    if (self->bar) self->thread = &thread;
    standing.moved();
  }
  if (!self->bar) {
    try {
      self->own = self->bar = new Bar(0, nullptr, nullptr, nullptr, view(desc), view(unit));
      self->own->open(total, initial, false);
    } catch (...) {
      Py_DECREF(self);
      return PyErr_NoMemory();
    }
  }
  PyObject_GC_Track(reinterpret_cast<PyObject*>(self));
  return reinterpret_cast<PyObject*>(self);
}

bool is_async(PyObject* source) {
  const auto* t = Py_TYPE(source);
  return !t->tp_iter && t->tp_as_async && t->tp_as_async->am_aiter;
}

// track(iterable=None, total=None, desc=None, unit=None, initial=None)
PyObject* track(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  static const char* const names[] = {"iterable", "total", "desc", "unit", "initial"};
  PyObject* values[5] = {};
  if (count > 5) return PyErr_Format(PyExc_TypeError, "track() takes at most 5 arguments (%zd given)", count);
  std::copy(args, args + count, values);
  for (Py_ssize_t k = 0; keywords && k < PyTuple_GET_SIZE(keywords); ++k) {
    PyObject* keyword = PyTuple_GET_ITEM(keywords, k);
    std::size_t i = 0;
    while (i < 5 && PyUnicode_CompareWithASCIIString(keyword, names[i]) != 0) ++i;
    if (i == 5) return PyErr_Format(PyExc_TypeError, "track() got an unexpected keyword argument '%U'", keyword);
    if (values[i]) return PyErr_Format(PyExc_TypeError, "track() got multiple values for argument '%U'", keyword);
    values[i] = args[count + k];
  }
  if (!values[0] || !is_async(values[0])) return make({values[0], values[1], values[2], values[3], values[4]});
  PyObject* bar = make({nullptr, values[1], values[2], values[3], values[4]});
  PyObject* counted = bar ? call_helper("_decorate", "count_async", values[0], bar, nullptr, nullptr) : nullptr;
  Py_XDECREF(bar);
  return counted;
}

// --- by hand ---

PyObject* track_update(PyObject* object, PyObject* const* args, Py_ssize_t count) {
  Bar& bar = *as_track(object)->bar;
  const Number steps = count > 0 ? to_number(args[0]).value_or(std::int64_t{0}) : Number(std::int64_t{1});
  const auto* whole = std::get_if<std::int64_t>(&steps);
  if (whole && !bar.is_real()) {
    bar.add(*whole);
  } else {
    bar.add_real(amount(steps));
  }
  Py_RETURN_NONE;
}

PyObject* track_close(PyObject* object, PyObject*) {
  Track* self = as_track(object);
  end(self, is_short(*self->bar) ? BarState::left : BarState::done);
  Py_RETURN_NONE;
}

PyObject* track_enter(PyObject* self, PyObject*) {
  Py_INCREF(self);
  return self;
}

PyObject* track_exit(PyObject* object, PyObject* const* args, Py_ssize_t count) {
  if (count == 0 || args[0] == Py_None) return track_close(object, nullptr);
  end(as_track(object), state_after(args[0]));
  Py_RETURN_NONE;
}

PyObject* get_n(PyObject* object, void*) { return from_number(as_track(object)->bar->n()); }

int set_n(PyObject* object, PyObject* value, void*) {
  if (const auto number = value ? to_number(value) : std::nullopt) as_track(object)->bar->set_n(*number);
  return 0;
}

PyObject* optional_number(const std::optional<Number>& number) {
  if (number) return from_number(*number);
  Py_RETURN_NONE;
}

PyObject* get_total(PyObject* object, void*) { return optional_number(as_track(object)->bar->total()); }

int set_total(PyObject* object, PyObject* value, void*) {
  as_track(object)->bar->set_total(total_of(value, nullptr));
  return 0;
}

PyObject* get_initial(PyObject* object, void*) { return optional_number(as_track(object)->bar->initial()); }

PyObject* text_object(const std::string& text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}

PyObject* get_desc(PyObject* object, void*) { return text_object(as_track(object)->bar->words().desc); }

int set_desc(PyObject* object, PyObject* value, void*) {
  std::optional<Utf8> text;
  read_text(text, value);
  as_track(object)->bar->set_desc(view(text));
  return 0;
}

PyObject* get_unit(PyObject* object, void*) { return text_object(as_track(object)->bar->words().unit); }

PyMethodDef methods[] = {
    {"update", fastcall(track_update), METH_FASTCALL, "update(n=1): n more steps are done."},
    {"close", track_close, METH_NOARGS, "The bar is done, or left where it is short of its total."},
    {"__enter__", track_enter, METH_NOARGS, nullptr},
    {"__exit__", fastcall(track_exit), METH_FASTCALL, nullptr},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef properties[] = {{"n", get_n, set_n, "Steps done, those before the start included.", nullptr},
                            {"total", get_total, set_total, "Steps there are; None: unknown.", nullptr},
                            {"initial", get_initial, nullptr, "Steps done before the start.", nullptr},
                            {"desc", get_desc, set_desc, "What is shown beside the bar.", nullptr},
                            {"unit", get_unit, nullptr, "What a step is.", nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject type = [] {
  PyTypeObject t = {PyVarObject_HEAD_INIT(nullptr, 0)};
  t.tp_name = "macaw._core.Track";
  t.tp_basicsize = sizeof(Track);
  t.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
  t.tp_dealloc = track_dealloc;
  t.tp_traverse = track_traverse;
  t.tp_clear = track_clear;
  t.tp_free = PyObject_GC_Del;
  t.tp_iter = PyObject_SelfIter;
  t.tp_iternext = track_next;
  t.tp_methods = methods;
  t.tp_getset = properties;
  return t;
}();

PyMethodDef functions[] = {{"track", fastcall(track), METH_FASTCALL | METH_KEYWORDS,
                            "track(iterable=None, total=None, desc=None, unit=None, initial=None)\n--\n\n"
                            "Counts what passes through a loop, or what update() says."},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_track_type(PyObject* module) {
  return PyModule_AddType(module, &type) == 0 && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace macaw::python
