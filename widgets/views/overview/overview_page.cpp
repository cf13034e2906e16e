// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/overview/overview_page.hpp"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/views/overview/sections.hpp"

namespace macaw::widgets {

namespace {

constexpr int one_column_under = 760, aside_at_most = 320, column_gap = 32;

QVBoxLayout* column_in(QWidget* parent) {
  auto* column = new QVBoxLayout(parent);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  return column;
}

}  // namespace

OverviewPage::OverviewPage(QWidget* parent) : JobPage(parent), m_scroll(new QScrollArea(this)) {
  auto* content = new QWidget(m_scroll);
  content->setBackgroundRole(QPalette::Base);
  content->setAutoFillBackground(true);
  auto* left = new QWidget(content);
  m_aside = new QWidget(content);
  auto* reason = new ReasonBox(content);
  auto* log = new LogTailSection(left);
  auto* metrics = new MetricsSection(m_aside);
  m_sections = {reason,
                new TimeLine(content),
                new TracebackSection(left),
                new ProgressSection(left),
                new NowSection(left),
                new WorkersSection(left),
                log,
                metrics,
                new UsageSection(m_aside)};
  connect(reason, &ReasonBox::show_log, this, &OverviewPage::show_log);
  connect(log, &LogTailSection::show_log, this, &OverviewPage::show_log);
  connect(metrics, &MetricsSection::show_metrics, this, &OverviewPage::show_metrics);
  m_nothing = new QLabel(
      tr("Nothing measured yet. Bars, stages, metrics and log lines appear here as the job sends them."), content);
  m_nothing->setForegroundRole(QPalette::PlaceholderText);
  m_nothing->setWordWrap(true);

  auto* left_column = column_in(left);
  auto* aside_column = column_in(m_aside);
  auto* page = column_in(content);
  page->setContentsMargins(20, 14, 20, 12);
  for (Section* section : m_sections) {
    QVBoxLayout* column = section->parentWidget() == left      ? left_column
                          : section->parentWidget() == m_aside ? aside_column
                                                               : page;
    column->addWidget(section);
  }
  left_column->addStretch();
  aside_column->addStretch();
  page->addWidget(m_nothing);
  m_columns = new QBoxLayout(QBoxLayout::LeftToRight);
  m_columns->setSpacing(column_gap);
  m_columns->addWidget(left, 1);
  m_columns->addWidget(m_aside);
  page->addLayout(m_columns, 1);

  m_scroll->setWidget(content);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setFocusPolicy(Qt::StrongFocus);
  m_scroll->setAccessibleName(tr("Overview"));
  column_in(this)->addWidget(m_scroll);
}

void OverviewPage::show_job(const JobView& view) {
  for (Section* section : m_sections) section->show_job(view);
  const model::Job& job = *view.job;
  m_nothing->setVisible(job.bars.empty() && job.stages.empty() && job.metrics.empty() &&
                        (!job.log || job.log->lines == 0) && !job.error);
}

void OverviewPage::resizeEvent(QResizeEvent* event) {
  JobPage::resizeEvent(event);
  arrange_columns();
}

void OverviewPage::arrange_columns() {
  const bool stacked = width() < one_column_under;
  m_columns->setDirection(stacked ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  m_columns->setSpacing(stacked ? 0 : column_gap);
  if (stacked) {
    m_aside->setMinimumWidth(0);
    m_aside->setMaximumWidth(QWIDGETSIZE_MAX);
  } else {
    m_aside->setFixedWidth(std::min(aside_at_most, (width() - 40) / 3));
  }
}

}  // namespace macaw::widgets
