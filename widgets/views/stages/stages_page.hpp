// SPDX-License-Identifier: GPL-3.0-or-later
// The stages table with its tool row: find, sum of what was measured, export. Sorted by total at first; sorts again at
// most once a second and not while the pointer is over it. Ctrl+C copies the selected rows for a spreadsheet.
#pragma once

#include <QTimer>

#include "widgets/models/stage_tree_model.hpp"
#include "widgets/views/job_view.hpp"

class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTreeView;

namespace macaw::widgets {

class StagesPage : public JobPage {
  Q_OBJECT

 public:
  explicit StagesPage(QWidget* parent = nullptr);
  void show_job(const JobView& view) override;
  void focus_find();
  StageTreeModel& model() { return m_model; }
  QTreeView& tree() { return *m_tree; }

 signals:
  void export_wanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit_columns();
  void sort_again();
  void copy_rows();

  StageTreeModel m_model;
  QSortFilterProxyModel* m_proxy;
  QTreeView* m_tree;
  QLineEdit* m_find;
  QLabel* m_sum;
  QLabel* m_nothing;
  QPushButton* m_export;
  model::JobId m_job{};
  QTimer m_sort;
};

}  // namespace macaw::widgets
