// SPDX-License-Identifier: MIT
// The schema of protocol version 1, written once for both encodings: which keys a report, its rows and an answer have.
// A row of a wrong type, or without what identifies it, is refused and counted; the rest of the datagram stands.
// One object, one thread, one datagram.
#pragma once

#include "sdk/src/wire/values.hpp"

namespace macaw::wire {

template <class Reader>
class Schema : private Values<Reader> {
 public:
  using Values<Reader>::Values;

  Decoded read_report() {
    Envelope envelope;
    Item top = in_.take();
    entries(top, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("v"): return envelope.needs(envelope.version, get(item, version_));
        case key_code("job"): return envelope.needs(envelope.job, get(item, report_.job));
        case key_code("seq"): return envelope.needs(envelope.seq, get(item, report_.seq));
        case key_code("up"): return envelope.takes(get(item, report_.up));
        case key_code("t"): return envelope.takes(get(item, report_.t));
        case key_code("next"): return envelope.takes(get(item, report_.next));
        case key_code("hello"): return row(item, report_.hello);
        case key_code("usage"): return row(item, report_.usage);
        case key_code("finish"): return row(item, report_.finish);
        case key_code("bars"): return rows(item, report_.bars);
        case key_code("stages"): return rows(item, report_.stages);
        case key_code("metrics"): return rows(item, report_.metrics);
        case key_code("logs"): return rows(item, report_.logs);
        default: return unknown(item);
      }
    });
    return verdict(envelope, report_.seq);
  }

  Decoded read_answer(Answer& answer) {
    Envelope envelope;
    Item top = in_.take();
    entries(top, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("v"): return envelope.needs(envelope.version, get(item, version_));
        case key_code("job"): return envelope.needs(envelope.job, get(item, answer.job));
        case key_code("ack"): return envelope.needs(envelope.seq, get(item, answer.ack));
        case key_code("want"): return read_want(item, answer);
        default: return unknown(item);
      }
    });
    return verdict(envelope, answer.ack);
  }

 private:
  using Base = Values<Reader>;
  using Base::entries, Base::get, Base::unknown, Base::otherwise, Base::in_, Base::report_;

  // The keys that the whole datagram stands or falls with.
  struct Envelope {
    bool version = false, job = false, seq = false, wrong = false;
    void takes(Got got) { wrong |= got == Got::wrong; }
    void needs(bool& present, Got got) {
      present = got == Got::value;
      takes(got);
    }
  };

  // Another version may give every other key another meaning, so it is told apart first.
  Decoded verdict(const Envelope& envelope, std::uint64_t seq) {
    const Decoded end = in_.end();
    if (end != Decoded::ok) return end;
    if (envelope.version && version_ != protocol_version) return Decoded::wrong_version;
    if (envelope.wrong) return Decoded::wrong_type;
    if (!envelope.version || !envelope.job || !envelope.seq) return Decoded::missing_key;
    return seq == 0 ? Decoded::wrong_type : Decoded::ok;
  }

  // --- rows ---

  template <class Row>
  bool read_row(Item& item, Row& out) {
    if (item.kind != Kind::map) return skip(in_, item), false;
    row_wrong_ = false;
    const bool identified = read(item, out);
    return identified && !row_wrong_;
  }

  template <class Row>
  void row(Item& item, std::optional<Row>& out) {
    if (item.kind == Kind::null || read_row(item, out.emplace())) return;
    out.reset();
    ++report_.refused_rows;
  }

  template <class Row>
  void rows(Item& list, std::vector<Row>& out) {
    if (list.kind == Kind::null) return;
    if (list.kind != Kind::array) {
      ++report_.refused_rows;
      return skip(in_, list);
    }
    while (in_.more(list)) {
      Item item = in_.take();
      const std::size_t names = report_.names.size();
      if (read_row(item, out.emplace_back())) continue;
      out.pop_back();
      report_.names.resize(names);
      ++report_.refused_rows;
    }
  }

  // A field of a row; true when it has a value.
  template <class Field>
  bool field(Item& item, Field& out) {
    const Got got = get(item, out);
    row_wrong_ |= got == Got::wrong;
    return got == Got::value;
  }

  bool read(Item& map, Hello& hello) {
    bool named = false;
    entries(map, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("name"): named = field(item, hello.name); break;
        case key_code("host"): field(item, hello.host); break;
        case key_code("pid"): field(item, hello.pid); break;
        case key_code("user"): field(item, hello.user); break;
        case key_code("argv"): field(item, hello.argv); break;
        case key_code("cwd"): field(item, hello.cwd); break;
        case key_code("lang"): field(item, hello.lang); break;
        case key_code("sdk"): field(item, hello.sdk); break;
        case key_code("start"): field(item, hello.start); break;
        case key_code("parent"): field(item, hello.parent); break;
        case key_code("git"): part(item, hello.git); break;
        case key_code("env"): field(item, hello.env); break;
        case key_code("tags"): field(item, hello.tags); break;
        default: unknown(item);
      }
    });
    return named;
  }

  bool read(Item& map, Usage& usage) {
    entries(map, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("rss"): field(item, usage.rss); break;
        case key_code("peak"): field(item, usage.peak); break;
        case key_code("cpu"): field(item, usage.cpu); break;
        case key_code("threads"): field(item, usage.threads); break;
        case key_code("children"): field(item, usage.children); break;
        case key_code("tree_rss"): field(item, usage.tree_rss); break;
        case key_code("gpu"): field(item, usage.gpu); break;
        case key_code("gpu_mem"): field(item, usage.gpu_mem); break;
        case key_code("self_cpu"): field(item, usage.self_cpu); break;
        case key_code("sent"): field(item, usage.sent); break;
        case key_code("unsent"): field(item, usage.unsent); break;
        default: unknown(item);
      }
    });
    return true;
  }

  bool read(Item& map, Bar& bar) {
    bool identified = false;
    entries(map, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("id"): identified = field(item, bar.id); break;
        case key_code("parent"): field(item, bar.parent); break;
        case key_code("stage"): field(item, bar.stage); break;
        case key_code("desc"): field(item, bar.desc); break;
        case key_code("n"): field(item, bar.n); break;
        case key_code("total"): field(item, bar.total); break;
        case key_code("initial"): field(item, bar.initial); break;
        case key_code("unit"): field(item, bar.unit); break;
        case key_code("elapsed"): field(item, bar.elapsed); break;
        case key_code("rate"): field(item, bar.rate); break;
        case key_code("eta"): field(item, bar.eta); break;
        case key_code("state"): field(item, bar.state); break;
        case key_code("repeats"): field(item, bar.repeats); break;
        default: unknown(item);
      }
    });
    return identified;
  }

  bool read(Item& map, Stage& stage) {
    entries(map, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("path"): field(item, stage.path); break;
        case key_code("kind"): field(item, stage.kind); break;
        case key_code("n"): field(item, stage.n); break;
        case key_code("sum"): field(item, stage.sum); break;
        case key_code("min"): field(item, stage.min); break;
        case key_code("max"): field(item, stage.max); break;
        case key_code("m2"): field(item, stage.m2); break;
        case key_code("last"): field(item, stage.last); break;
        case key_code("open"): field(item, stage.open); break;
        case key_code("since"): field(item, stage.since); break;
        case key_code("errors"): field(item, stage.errors); break;
        case key_code("note"): field(item, stage.note); break;
        default: unknown(item);
      }
    });
    return stage.path.size != 0;
  }

  bool read(Item& map, Metric& metric) {
    bool numbered = false, named = false, valued = false;
    entries(map, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("no"): numbered = field(item, metric.no); break;
        case key_code("name"): named = field(item, metric.name); break;
        case key_code("step"): field(item, metric.step); break;
        case key_code("up"): field(item, metric.up); break;
        case key_code("value"): valued = field(item, metric.value); break;
        default: unknown(item);
      }
    });
    return numbered && named && valued;
  }

  bool read(Item& map, Log& log) {
    bool numbered = false, worded = false;
    entries(map, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("no"): numbered = field(item, log.no); break;
        case key_code("up"): field(item, log.up); break;
        case key_code("level"): field(item, log.level); break;
        case key_code("text"): worded = field(item, log.text); break;
        case key_code("stage"): field(item, log.stage); break;
        case key_code("part"): read_part(item, log); break;
        case key_code("cut"): field(item, log.cut); break;
        default: unknown(item);
      }
    });
    return numbered && worded;
  }

  // [k, of] with 1 <= k <= of
  void read_part(Item& item, Log& log) {
    std::uint32_t numbers[2] = {};
    const Got got = get_pair(item, numbers);
    row_wrong_ |= got == Got::wrong || (got == Got::value && (numbers[0] == 0 || numbers[0] > numbers[1]));
    if (got != Got::value) return;
    log.part = numbers[0];
    log.parts = numbers[1];
  }

  bool read(Item& map, Finish& finish) {
    entries(map, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("elapsed"): field(item, finish.elapsed); break;
        case key_code("code"): field(item, finish.code); break;
        case key_code("signal"): field(item, finish.signal); break;
        case key_code("error"): part(item, finish.error); break;
        case key_code("state"): field(item, finish.state); break;
        default: unknown(item);
      }
    });
    return true;
  }

  // --- maps inside rows ---

  template <class Part>
  void part(Item& item, std::optional<Part>& out) {
    if (item.kind == Kind::map) return read_part(item, out.emplace());
    row_wrong_ |= otherwise(item) == Got::wrong;
  }

  void read_part(Item& map, Git& git) {
    entries(map, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("commit"): field(item, git.commit); break;
        case key_code("branch"): field(item, git.branch); break;
        case key_code("dirty"): field(item, git.dirty); break;
        default: unknown(item);
      }
    });
  }

  void read_part(Item& map, Error& error) {
    entries(map, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("type"): field(item, error.type); break;
        case key_code("message"): field(item, error.message); break;
        case key_code("trace"): field(item, error.trace); break;
        default: unknown(item);
      }
    });
  }

  // --- what an answer asks for; whatever is no range is passed over ---

  void read_want(Item& want, Answer& answer) {
    if (want.kind != Kind::map) return skip(in_, want);
    entries(want, [&](std::uint64_t key, Item& item) {
      switch (key) {
        case key_code("logs"): return read_ranges(item, answer.want_logs);
        case key_code("metrics"): return read_ranges(item, answer.want_metrics);
        case key_code("reports"): return read_ranges(item, answer.want_reports);
        default: return unknown(item);
      }
    });
  }

  void read_ranges(Item& list, std::vector<Range>& out) {
    if (list.kind != Kind::array) return skip(in_, list);
    while (in_.more(list)) {
      Item item = in_.take();
      std::uint64_t ends[2] = {};
      const bool given = get_pair(item, ends) == Got::value;
      if (given && ends[0] <= ends[1] && out.size() < max_ranges) out.push_back({ends[0], ends[1]});
    }
  }

  template <class Whole>
  Got get_pair(Item& list, Whole (&out)[2]) {
    if (list.kind != Kind::array) return otherwise(list);
    std::size_t count = 0;
    bool good = true;
    for (; in_.more(list); ++count) {
      Item item = in_.take();
      Whole number = 0;
      good &= get(item, number) == Got::value;
      if (count < 2) out[count] = number;
    }
    return good && count == 2 ? Got::value : Got::wrong;
  }

  std::uint64_t version_ = 0;
  bool row_wrong_ = false;
};

}  // namespace macaw::wire
