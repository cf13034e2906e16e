// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/options.hpp"

namespace macaw {

void add_collector_options(QCommandLineParser& parser) {
  parser.addOptions({
      {"port", "Listen on port <N>, UDP and TCP; 0 picks a free one.", "N", "6229"},
      {"bind", "Take reports on address <ADDR>.", "ADDR", "::"},
      {"http-bind", "Serve the browser mirror on address <ADDR> instead of loopback.", "ADDR"},
      {"key-file", "Open sealed reports with the key in <F> instead of the one in the data folder.", "F"},
      {"rate-limit", "Take at most <N> datagrams a second from one address.", "N", "0"},
      {"accept-unsealed", "Take unsealed reports from anywhere, not from this user on this machine only."},
      {"data", "Keep history, token and other files in folder <DIR> instead of the XDG data folder.", "DIR"},
      {"no-history", "Keep jobs in memory only."},
      {"keep-days", "Forget jobs that were last heard of <N> days ago.", "N", "365"},
      {"keep-gb", "Forget the oldest jobs when history grows beyond <N> gigabytes.", "N", "4"},
      {"record", "Write every report that is taken, with its arrival time, to <FILE>.", "FILE"},
      {"replay", "Show the reports in <FILE>, made by --record.", "FILE"},
      {"speed", "Replay <X> times as fast; 0 is as fast as possible.", "X", "1"},
      {"print-config", "Print one JSON line (port, addresses, token, folder) once both sockets listen."},
  });
}

Options collector_options(const QCommandLineParser& parser, QString& error) {
  Options options;
  bool ok = false;
  options.port = parser.value("port").toUShort(&ok);
  if (!ok) error = QStringLiteral("--port takes a number from 0 to 65535, not \"%1\"").arg(parser.value("port"));
  options.replay_speed = parser.value("speed").toDouble(&ok);
  if (!ok || !(options.replay_speed >= 0))
    error = QStringLiteral("--speed takes a number from 0 upwards, not \"%1\"").arg(parser.value("speed"));
  for (const auto& [name, value] : {std::pair{"keep-days", &options.keep_days}, {"keep-gb", &options.keep_gb}}) {
    *value = parser.value(name).toDouble(&ok);
    if (!ok || !(*value > 0))
      error = QStringLiteral("--%1 takes a number above 0, not \"%2\"").arg(name, parser.value(name));
  }
  options.rate_limit = parser.value("rate-limit").toDouble(&ok);
  if (!ok || !(options.rate_limit >= 0))
    error = QStringLiteral("--rate-limit takes a number from 0 upwards, not \"%1\"").arg(parser.value("rate-limit"));
  options.bind = parser.value("bind");
  options.http_bind = parser.value("http-bind");
  options.key_file = parser.value("key-file");
  options.accept_unsealed = parser.isSet("accept-unsealed");
  options.data_dir = parser.value("data");
  options.history = !parser.isSet("no-history");
  options.record_file = parser.value("record");
  options.replay_file = parser.value("replay");
  return options;
}

bool wants_config(const QCommandLineParser& parser) { return parser.isSet("print-config"); }

}  // namespace macaw
