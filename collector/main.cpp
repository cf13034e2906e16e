// SPDX-License-Identifier: GPL-3.0-or-later
// macaw-collector: the collector and its mirror without a window.
#include <QCoreApplication>
#include <cstdio>

#include "collector/collector.hpp"
#include "collector/data_folder.hpp"
#include "collector/key_file.hpp"
#include "collector/options.hpp"
#include "collector/signals.hpp"

namespace {

// The key alone on stdout, so that scripts can take it.
QString print_new_key(const macaw::Options& options) {
  macaw::DataFolder data;
  QString error = data.open(options.data_dir);
  if (!error.isEmpty()) return error;
  const QString path = options.key_file.isEmpty() ? data.key_path() : options.key_file;
  const std::string key = macaw::new_key();
  error = macaw::write_key(path, key);
  if (!error.isEmpty()) return error;
  std::printf("%s\n", key.c_str());
  std::fprintf(stderr,
               "macaw-collector: the key is kept in %s; jobs elsewhere take it as MACAW_KEY, or in "
               "MACAW_URL=udp://KEY@host:6229\n",
               qPrintable(path));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  QCoreApplication app(argc, argv);
  QCoreApplication::setApplicationName(QStringLiteral("macaw-collector"));
  QCoreApplication::setApplicationVersion(QStringLiteral(MACAW_VERSION));
  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("Receives the reports of running jobs and shows them in a browser."));
  parser.addHelpOption();
  parser.addVersionOption();
  macaw::add_collector_options(parser);
  parser.addOption({"new-key", "Make a key for sealed reports, print it once, and exit."});

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

  if (parser.isSet("new-key")) {
    error = print_new_key(options);
    return error.isEmpty() ? 0 : fail(error);
  }

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
