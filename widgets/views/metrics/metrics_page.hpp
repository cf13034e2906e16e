// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of a job's metrics in a grid, two columns from 720 px. Only charts whose metric changed are drawn again,
// at most once a second.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "widgets/views/job_view.hpp"
#include "widgets/views/metrics/curve.hpp"

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;

namespace macaw::widgets {

class MetricChart;

class MetricsPage : public JobPage {
  Q_OBJECT

 public:
  explicit MetricsPage(QWidget* parent = nullptr);
  void show_job(const JobView& view) override;
  void focus_find();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QPushButton* segment(const QString& text, bool checked, QWidget* group);
  void draw_all();
  void place_charts();

  QLineEdit* m_find;
  QPushButton* m_by_time;
  QPushButton* m_logarithmic;
  QScrollArea* m_scroll;
  QGridLayout* m_grid;
  QLabel* m_nothing;
  QLabel* m_texts;
  model::JobPtr m_job;
  struct Shown {
    MetricChart* chart = nullptr;
    std::shared_ptr<const model::Metric> metric;
    double drawn_at = 0;
  };
  std::map<std::string, Shown> m_charts;
  std::vector<std::string> m_order;
};

}  // namespace macaw::widgets
