// SPDX-License-Identifier: GPL-3.0-or-later
// The first tab: time line, bars, what happens now, newest metrics and log; for a job that went wrong the reason first.
// Two columns; under 760 px of width the aside moves below.
#pragma once

#include <vector>

#include "widgets/views/job_view.hpp"

class QBoxLayout;
class QLabel;
class QScrollArea;

namespace macaw::widgets {

class Section;

class OverviewPage : public JobPage {
  Q_OBJECT

 public:
  explicit OverviewPage(QWidget* parent = nullptr);
  void show_job(const JobView& view) override;

 signals:
  void show_log();
  void show_metrics();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange_columns();

  QScrollArea* m_scroll;
  QBoxLayout* m_columns;
  QWidget* m_aside;
  QLabel* m_nothing;
  std::vector<Section*> m_sections;
};

}  // namespace macaw::widgets
