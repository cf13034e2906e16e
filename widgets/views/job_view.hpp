// SPDX-License-Identifier: GPL-3.0-or-later
// What a page is given to show: one job, those that run under it, and the moment.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/models/moment.hpp"

namespace macaw::widgets {

struct JobView {
  model::JobPtr job;
  std::vector<model::JobPtr> children;
  Moment now;
};

// A tab of the job pane. show_job() is called ten times a second at most, and only while the page is visible.
class JobPage : public QWidget {
 public:
  using QWidget::QWidget;
  virtual void show_job(const JobView& view) = 0;
};

}  // namespace macaw::widgets
