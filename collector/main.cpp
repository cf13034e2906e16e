// SPDX-License-Identifier: GPL-3.0-or-later
// macaw-collector: the collector and its mirror without a window.
#include <QCoreApplication>
#include <cstdio>

#include "collector/collector.hpp"
#include "collector/options.hpp"
#include "collector/signals.hpp"

int main(int argc, char** argv) {
  QCoreApplication app(argc, argv);
  QCoreApplication::setApplicationName(QStringLiteral("macaw-collector"));
  QCoreApplication::setApplicationVersion(QStringLiteral(MACAW_VERSION));
  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("Receives the reports of running jobs and shows them in a browser."));
  parser.addHelpOption();
  parser.addVersionOption();
  macaw::add_collector_options(parser);

  const auto fail = [](const QString& message) {
    std::fprintf(stderr, "macaw-collector: %s\n", qPrintable(message));
    return 2;
  };
  if (!parser.parse(QCoreApplication::arguments())) return fail(parser.errorText());
  if (parser.isSet("help")) parser.showHelp();
  if (parser.isSet("version")) parser.showVersion();
  QString error;
  const macaw::Options options = macaw::collector_options(parser, error);
  if (!error.isEmpty()) return fail(error);

  macaw::quit_on_signals();
  macaw::Collector collector(options);
  error = collector.start();
  if (!error.isEmpty()) return fail(error);
  QObject::connect(&collector, &macaw::Collector::problem,
                   [](const QString& message) { std::fprintf(stderr, "macaw-collector: %s\n", qPrintable(message)); });
  if (macaw::wants_config(parser)) {
    std::printf("%s\n", collector.config_json().constData());
    std::fflush(stdout);
  } else {
    std::fprintf(stderr, "macaw-collector: reports on udp://%s, browser at %s/?token=%s\n",
                 qPrintable(collector.udp_address()), qPrintable(collector.http_url().toString()),
                 qPrintable(collector.token()));
  }
  return QCoreApplication::exec();
}
