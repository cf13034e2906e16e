// SPDX-License-Identifier: GPL-3.0-or-later
// The command line that macaw-collector and macaw-desktop share.
#pragma once

#include <QCommandLineParser>

#include "collector/collector.hpp"

namespace macaw {

void add_collector_options(QCommandLineParser& parser);

// What the parser found. `error` gets one line when a value makes no sense.
Options collector_options(const QCommandLineParser& parser, QString& error);

bool wants_config(const QCommandLineParser& parser);  // --print-config

}  // namespace macaw
