// SPDX-License-Identifier: GPL-3.0-or-later
// Why a job does not simply run or is not simply finished, in sentences. Only facts that we hold. Pure.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "widgets/models/moment.hpp"

namespace macaw::widgets {

struct Reason {
  model::State state;
  QString title;   // the sentence
  QString what;    // what happened where
  QString before;  // what preceded it
};
std::optional<Reason> reason(const model::Job& job, const Moment& now);

// One call of a traceback, innermost last.
struct Frame {
  QString function, file, code;
  int line = 0;
  bool library = false;     // not the user's own code
  QString place() const;    // "mg/smooth.py:31"
  QString package() const;  // of a library frame: "scipy.linalg"
};
// Reads Python's traceback; anything else gives no frames and is shown as it is.
std::vector<Frame> frames(const QString& traceback);

QString signal_name(std::int64_t signal);

}  // namespace macaw::widgets
