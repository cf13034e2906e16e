// SPDX-License-Identifier: GPL-3.0-or-later
// macaw-desktop's command line: the collector's options, and those of the window.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

#include "collector/collector.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::app {

struct DesktopOptions {
  Options collector;
  bool print_config = false;
  std::optional<widgets::Appearance> appearance;
  QString screenshot;  // a file: render the window once its data is in, and exit
  QSize size{1280, 800};
  QString select, tab;
};

// Exits the program for --help and --version. `error` gets one line when the command line makes no sense.
DesktopOptions parse_options(const QStringList& arguments, QString& error);

}  // namespace macaw::app
