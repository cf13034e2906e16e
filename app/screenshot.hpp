// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the real window into a file once its data is in: after a replay, or once the wanted job has something to
// show and had a moment to settle. Bounded by a time limit. Main thread.
#pragma once

#include <QObject>
#include <QTimer>

#include "app/options.hpp"
#include "widgets/models/job_store.hpp"

namespace macaw::app {

class MainWindow;

class Screenshot : public QObject {
  Q_OBJECT

 public:
  Screenshot(MainWindow& window, widgets::JobStore& store, DesktopOptions options, QObject* parent = nullptr);

 public slots:
  void replay_finished();

 signals:
  // Once. An empty message means that the picture was taken as wanted.
  void done(const QString& problem);

 private:
  void look();
  void take(const QString& problem);

  MainWindow& m_window;
  widgets::JobStore& m_store;
  DesktopOptions m_options;
  bool m_replaying, m_finished = false;
  QTimer m_limit, m_settle;
};

}  // namespace macaw::app
