// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/screenshot.hpp"

#include <QCoreApplication>
#include <utility>

#include "app/main_window.hpp"
#include "widgets/views/job_pane.hpp"

namespace macaw::app {

namespace {

constexpr int limit_ms = 30'000, settle_ms = 1200;  // the job list arranges itself once a second

bool has_data(const model::Job& job) {
  return !job.bars.empty() || !job.stages.empty() || !job.metrics.empty() || (job.log && job.log->lines > 0) ||
         job.error || model::is_terminal(job.state);
}

}  // namespace

Screenshot::Screenshot(MainWindow& window, widgets::JobStore& store, DesktopOptions options, QObject* parent)
    : QObject(parent),
      m_window(window),
      m_store(store),
      m_options(std::move(options)),
      m_replaying(!m_options.collector.replay_file.isEmpty()) {
  m_limit.setSingleShot(true);
  m_settle.setSingleShot(true);
  connect(&store, &widgets::JobStore::flushed, this, &Screenshot::look);
  connect(&m_settle, &QTimer::timeout, this, [this] { take({}); });
  connect(&m_limit, &QTimer::timeout, this, [this] {
    const QString wanted =
        m_options.select.isEmpty() ? QStringLiteral("No job") : QStringLiteral("No job \"%1\"").arg(m_options.select);
    take(m_replaying ? QStringLiteral("The replay did not end within %1 s").arg(limit_ms / 1000)
                     : QStringLiteral("%1 with anything to show arrived within %2 s").arg(wanted).arg(limit_ms / 1000));
  });
  m_limit.start(limit_ms);
  QTimer::singleShot(0, this, &Screenshot::look);
}

void Screenshot::replay_finished() {
  m_replaying = false;
  m_store.flush();
}

void Screenshot::look() {
  if (m_finished || m_replaying || m_settle.isActive()) return;
  if (!m_options.select.isEmpty() && !m_window.select(m_options.select)) return;
  const auto job = m_window.selected();
  if (!job || !has_data(*job)) return;
  m_settle.start(settle_ms);
}

void Screenshot::take(const QString& problem) {
  if (std::exchange(m_finished, true)) return;
  m_limit.stop();
  m_settle.stop();
  m_store.flush();
  m_window.pane().open_tab(m_options.tab);
  QCoreApplication::processEvents();
  if (!m_window.grab().save(m_options.screenshot)) {
    emit done(QStringLiteral("%1 could not be written").arg(m_options.screenshot));
    return;
  }
  emit done(problem);
}

}  // namespace macaw::app
