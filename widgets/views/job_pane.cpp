// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/job_pane.hpp"

#include <QAbstractScrollArea>
#include <QFrame>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "widgets/theme/theme.hpp"
#include "widgets/views/about_page.hpp"
#include "widgets/views/job_header.hpp"
#include "widgets/views/log/log_page.hpp"
#include "widgets/views/metrics/metrics_page.hpp"
#include "widgets/views/overview/overview_page.hpp"
#include "widgets/views/stages/stages_page.hpp"

namespace macaw::widgets {

JobPane::JobPane(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("pane"));
  setAttribute(Qt::WA_StyledBackground);
  m_header = new JobHeader(this);
  m_tabs = new QTabBar(this);
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setAccessibleName(tr("Views of the job"));
  m_pages = new QStackedWidget(this);
  m_overview = new OverviewPage(m_pages);
  m_stages = new StagesPage(m_pages);
  m_metrics = new MetricsPage(m_pages);
  m_log = new LogPage(m_pages);
  m_about = new AboutPage(m_pages);
  const std::pair<QString, QWidget*> pages[] = {{tr("Overview"), m_overview},
                                                {tr("Stages"), m_stages},
                                                {tr("Metrics"), m_metrics},
                                                {tr("Log"), m_log},
                                                {tr("About this run"), m_about}};
  for (const auto& [name, page] : pages) {
    m_tabs->addTab(name);
    m_pages->addWidget(page);
  }
  auto* line = new QFrame(this);
  line->setFixedHeight(1);
  line->setAutoFillBackground(true);
  line->setBackgroundRole(QPalette::Mid);

  auto* tab_row = new QHBoxLayout;
  tab_row->setContentsMargins(18, 0, 20, 0);
  tab_row->addWidget(m_tabs);
  tab_row->addStretch();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_header);
  layout->addLayout(tab_row);
  layout->addWidget(line);
  layout->addWidget(m_pages, 1);

  connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
    m_pages->setCurrentIndex(index);
    refresh();
  });
  connect(m_overview, &OverviewPage::show_log, this, [this] { open_tab(3); });
  connect(m_overview, &OverviewPage::show_metrics, this, [this] { open_tab(2); });
  connect(m_stages, &StagesPage::export_wanted, this, &JobPane::export_wanted);
}

void JobPane::show_job(JobView view) {
  m_view = std::move(view);
  refresh();
}

void JobPane::refresh() {
  if (!m_view.job) return;
  m_header->show_job(m_view);
  static_cast<JobPage*>(m_pages->currentWidget())->show_job(m_view);
}

bool JobPane::open_tab(int index) {
  if (index < 0 || index >= m_tabs->count()) return false;
  m_tabs->setCurrentIndex(index);
  return true;
}

bool JobPane::open_tab(const QString& name) {
  for (int i = 0; i < m_tabs->count(); ++i)
    if (!name.isEmpty() && m_tabs->tabText(i).startsWith(name, Qt::CaseInsensitive)) return open_tab(i);
  return false;
}

QStringList JobPane::tab_names() const {
  QStringList names;
  for (int i = 0; i < m_tabs->count(); ++i) names << m_tabs->tabText(i);
  return names;
}

// The part of the visible page that the keys scroll or walk through.
void JobPane::focus_page() {
  if (auto* area = m_pages->currentWidget()->findChild<QAbstractScrollArea*>()) area->setFocus(Qt::ShortcutFocusReason);
}

void JobPane::focus_find() {
  if (m_pages->currentWidget() == m_metrics)
    m_metrics->focus_find();
  else if (m_pages->currentWidget() == m_log)
    m_log->focus_find();
  else {
    open_tab(1);
    m_stages->focus_find();
  }
}

}  // namespace macaw::widgets
