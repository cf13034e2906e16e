// SPDX-License-Identifier: GPL-3.0-or-later
// The left side of the window: search, chips that count the states, the list. The person's choice is job_chosen();
// the first job that ever appears is chosen for them.
#pragma once

#include <QTreeView>
#include <QWidget>
#include <optional>

#include "widgets/models/job_list_model.hpp"

class QLabel;
class QLineEdit;

namespace macaw::widgets {

class StateChips;

class JobTree : public QTreeView {
  Q_OBJECT

 public:
  explicit JobTree(JobListModel& model, QWidget* parent = nullptr);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  bool fold(const QModelIndex& index, bool folded);
  JobListModel& m_model;
};

class JobList : public QWidget {
  Q_OBJECT

 public:
  explicit JobList(JobStore& store, QWidget* parent = nullptr);

  void choose(const model::JobId& id);
  std::optional<model::JobId> chosen() const { return m_chosen; }
  JobListModel& model() { return m_model; }
  QTreeView& tree() { return *m_tree; }
  void focus_search();

 signals:
  void job_chosen();

 private:
  void on_current_changed(const QModelIndex& current);
  void on_rows_changed();

  JobListModel m_model;
  QLineEdit* m_search;
  StateChips* m_chips;
  JobTree* m_tree;
  QLabel* m_message;
  std::optional<model::JobId> m_chosen;
  QTimer m_seen;
};

}  // namespace macaw::widgets
