// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application.hpp"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QHostInfo>
#include <QMessageBox>
#include <QNetworkProxyFactory>
#include <QSettings>
#include <QTimer>
#include <QUrlQuery>
#include <cstdio>

#include "app/main_window.hpp"
#include "app/options.hpp"
#include "app/screenshot.hpp"
#include "app/single_instance.hpp"
#include "collector/collector.hpp"
#include "collector/data_folder.hpp"
#include "collector/signals.hpp"
#include "widgets/models/job_store.hpp"
#include "widgets/views/job_pane.hpp"

namespace macaw::app {

namespace {

constexpr int cannot_start = 2, picture_not_as_wanted = 1;
constexpr int dialog_ms = 20'000;
constexpr double problem_shown_s = 30;

void say(const QString& message) { std::fprintf(stderr, "macaw-desktop: %s\n", qPrintable(message)); }

bool has_display() {
  return !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
         !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

// The dialog goes by itself, so that a start without anybody watching ends, too.
int refuse(const QString& message, bool with_dialog) {
  say(message);
  if (!with_dialog || QGuiApplication::platformName() == QLatin1String("offscreen")) return cannot_start;
  QMessageBox box(QMessageBox::Critical, QStringLiteral("Macaw"), message, QMessageBox::Close);
  QTimer::singleShot(dialog_ms, &box, &QMessageBox::reject);
  box.exec();
  return cannot_start;
}

// The receiver's counters as the status line tells them; rates are measured from one look to the next.
class StatusReader {
 public:
  explicit StatusReader(const Collector& collector) : m_collector(collector) {}

  widgets::ReceiverStatus read(const std::vector<model::JobPtr>& jobs) {
    const Health health = m_collector.health();
    const double now = m_collector.now();
    widgets::ReceiverStatus status;
    status.port = m_collector.port();
    status.received = health.received;
    if (m_last_time > 0 && now > m_last_time)
      status.per_second = static_cast<double>(health.received - m_last_received) / (now - m_last_time);
    m_last_time = now;
    m_last_received = health.received;
    status.reports_lost = health.lost;
    status.kernel_drops = health.kernel_drops;
    for (const auto& job : jobs) status.log_lines_lost += job->lost.logs;
    for (const auto& [reason, count] : health.refused) {
      status.refused += count;
      if (count) status.refused_why = QString::fromStdString(reason);
    }
    status.browsers = health.browsers;
    status.memory = health.memory;
    if (now - m_problem_time < problem_shown_s) status.problem = m_problem;
    return status;
  }

  void take_problem(const QString& problem) {
    m_problem = problem;
    m_problem_time = m_collector.now();
  }

 private:
  const Collector& m_collector;
  double m_last_time = 0;
  quint64 m_last_received = 0;
  QString m_problem;
  double m_problem_time = -problem_shown_s;
};

QUrl address_with_token(const Collector& collector) {
  QUrl url = collector.http_url();
  if (url.path().isEmpty()) url.setPath(QStringLiteral("/"));
  QUrlQuery query;
  query.addQueryItem(QStringLiteral("token"), collector.token());
  url.setQuery(query);
  return url;
}

// The line for a job elsewhere: it seals its reports with the key. Your own jobs on this machine need none.
Connection connection_of(const Collector& collector, const Options& options) {
  const QString name = QHostInfo::localHostName();
  return {
      QStringLiteral("export MACAW_URL=udp://%1@%2:%3")
          .arg(QString::fromStdString(collector.key()), name.isEmpty() ? QStringLiteral("localhost") : name)
          .arg(collector.port()),
      collector.port(),
      options.accept_unsealed
          ? QStringLiteral("Reports are accepted from everybody who can reach this machine.")
          : QStringLiteral("The line holds your key: who has it can report here. Jobs on this machine need no line.")};
}

}  // namespace

int run(int& argc, char** argv) {
  QCoreApplication::setApplicationName(QStringLiteral("macaw-desktop"));
  QCoreApplication::setApplicationVersion(QStringLiteral(MACAW_VERSION));
  QString error;
  DesktopOptions options;
  {
    const QCoreApplication without_display(argc, argv);  // --help and a wrong option need none
    options = parse_options(QCoreApplication::arguments(), error);
  }
  if (error.isEmpty() && !has_display()) {
    if (options.screenshot.isEmpty())
      error = QStringLiteral("there is no display: start macaw-collector instead, or take a --screenshot");
    else
      qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  if (!error.isEmpty()) {
    say(error);
    return cannot_start;
  }
  QApplication application(argc, argv);
  QGuiApplication::setApplicationDisplayName(QStringLiteral("Macaw"));
  QApplication::setStyle(QStringLiteral("Fusion"));
  QNetworkProxyFactory::setUseSystemConfiguration(false);

  const bool picture = !options.screenshot.isEmpty();
  if (picture) widgets::Theme::use_fixed_fonts();
  widgets::Theme::apply(options.appearance.value_or(widgets::Appearance::system));
  quit_on_signals();

  Collector collector(options.collector);
  SingleInstance instance(DataFolder::resolved(options.collector.data_dir));
  if (!picture && instance.raise_other()) return 0;
  error = collector.start();
  if (!error.isEmpty()) return refuse(error, !picture);
  if (!picture) instance.listen();
  if (options.print_config) {
    std::printf("%s\n", collector.config_json().constData());
    std::fflush(stdout);
  }

  widgets::JobStore store([&collector] {
    return widgets::Moment{collector.now(), static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000};
  });
  MainWindow window(store);
  store.reset(collector.jobs());
  QObject::connect(&collector, &Collector::changed, &store, [&store](const auto& changes) { store.apply(*changes); });
  QObject::connect(&instance, &SingleInstance::raise_wanted, &window, &MainWindow::raise_to_front);
  QObject::connect(&window, &MainWindow::share_wanted, &window,
                   [&] { QDesktopServices::openUrl(address_with_token(collector)); });
  QObject::connect(&window, &MainWindow::copy_address_wanted, &window,
                   [&] { QApplication::clipboard()->setText(address_with_token(collector).toString()); });
  StatusReader status(collector);
  const auto show_status = [&] { window.show_status(status.read(store.jobs())); };
  QObject::connect(&store, &widgets::JobStore::ticked, &window, show_status);
  QObject::connect(&collector, &Collector::problem, &window, [&](const QString& problem) {
    say(problem);
    status.take_problem(problem);
    show_status();
  });
  show_status();
  window.show_connection(connection_of(collector, options.collector));

  QSettings settings(QDir(collector.data_dir()).filePath(QStringLiteral("desktop.ini")), QSettings::IniFormat);
  window.resize(options.size);
  if (!picture) window.restore(settings);
  if (options.appearance) window.set_appearance(*options.appearance);
  window.pane().open_tab(options.tab);
  window.show();
  if (!options.select.isEmpty()) window.select(options.select);

  if (!picture) {
    const int code = QApplication::exec();
    window.save(settings);
    return code;
  }
  int code = 0;
  Screenshot screenshot(window, store, options);
  QObject::connect(&collector, &Collector::replay_finished, &screenshot, &Screenshot::replay_finished);
  QObject::connect(&screenshot, &Screenshot::done, &application, [&code](const QString& problem) {
    if (!problem.isEmpty()) say(problem);
    code = problem.isEmpty() ? 0 : picture_not_as_wanted;
    QApplication::exit(code);
  });
  const int left = QApplication::exec();
  return left != 0 ? left : code;
}

}  // namespace macaw::app
