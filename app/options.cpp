// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.hpp"

#include <QRegularExpression>

#include "collector/options.hpp"

namespace macaw::app {

namespace {

std::optional<widgets::Appearance> appearance_named(const QString& name) {
  if (name == QLatin1String("light")) return widgets::Appearance::light;
  if (name == QLatin1String("dark")) return widgets::Appearance::dark;
  if (name == QLatin1String("system")) return widgets::Appearance::system;
  return std::nullopt;
}

}  // namespace

DesktopOptions parse_options(const QStringList& arguments, QString& error) {
  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("Shows running jobs: their progress, stages, metrics and log."));
  parser.addHelpOption();
  parser.addVersionOption();
  add_collector_options(parser);
  parser.addOptions({
      {"screenshot", "Render the window into <FILE> once its data is in, and exit.", "FILE"},
      {"size", "The window's size for --screenshot.", "WxH", "1280x800"},
      {"select", "Show the job with this id or name.", "JOB"},
      {"tab", "Show this tab: overview, stages, metrics, log, about.", "NAME"},
      {"theme", "Colours: light, dark, or as the system has them.", "light|dark|system"},
  });
  DesktopOptions options;
  if (!parser.parse(arguments)) {
    error = parser.errorText();
    return options;
  }
  if (parser.isSet("help")) parser.showHelp();
  if (parser.isSet("version")) parser.showVersion();
  options.collector = collector_options(parser, error);
  options.collector.make_key = true;  // so that there is a line to paste on other machines
  options.print_config = wants_config(parser);
  options.screenshot = parser.value("screenshot");
  options.select = parser.value("select");
  options.tab = parser.value("tab");
  // A picture of a replay is wanted at its end, at once.
  if (!options.screenshot.isEmpty() && !parser.isSet("speed")) options.collector.replay_speed = 0;
  static const QRegularExpression size(QStringLiteral("^(\\d{3,4})x(\\d{3,4})$"));
  if (const auto match = size.match(parser.value("size")); match.hasMatch())
    options.size = {match.captured(1).toInt(), match.captured(2).toInt()};
  else
    error = QStringLiteral("--size takes WIDTHxHEIGHT in pixels, not \"%1\"").arg(parser.value("size"));
  if (parser.isSet("theme")) {
    options.appearance = appearance_named(parser.value("theme"));
    if (!options.appearance)
      error = QStringLiteral("--theme takes light, dark or system, not \"%1\"").arg(parser.value("theme"));
  }
  return options;
}

}  // namespace macaw::app
