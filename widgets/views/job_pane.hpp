// SPDX-License-Identifier: GPL-3.0-or-later
// The right side of the window: header, tabs, pages of the selected job. Only the visible page is shown the job.
#pragma once

#include <vector>

#include "widgets/views/job_view.hpp"

class QStackedWidget;
class QTabBar;

namespace macaw::widgets {

class AboutPage;
class JobHeader;
class LogPage;
class MetricsPage;
class OverviewPage;
class StagesPage;

class JobPane : public QWidget {
  Q_OBJECT

 public:
  explicit JobPane(QWidget* parent = nullptr);

  void show_job(JobView view);
  // By index from 0, or by name or its beginning ("metrics", "about"); false when there is none.
  bool open_tab(int index);
  bool open_tab(const QString& name);
  QStringList tab_names() const;
  void focus_find();
  void focus_page();

  OverviewPage& overview() { return *m_overview; }
  StagesPage& stages() { return *m_stages; }
  LogPage& log() { return *m_log; }
  QTabBar& tabs() { return *m_tabs; }

 signals:
  void export_wanted();

 private:
  void refresh();

  JobView m_view;
  JobHeader* m_header;
  QTabBar* m_tabs;
  QStackedWidget* m_pages;
  OverviewPage* m_overview;
  StagesPage* m_stages;
  MetricsPage* m_metrics;
  LogPage* m_log;
  AboutPage* m_about;
};

}  // namespace macaw::widgets
