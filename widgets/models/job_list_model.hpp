// SPDX-License-Identifier: GPL-3.0-or-later
// The job list as a flat Qt model over arrange(): section rows, jobs, children. Rows change in place at each flush of
// the store; they change their order at most once a second, and never while hold_order(true) is set (the pointer is
// over the list). Main thread.
#pragma once

#include <QAbstractListModel>
#include <array>

#include "widgets/models/job_arrangement.hpp"
#include "widgets/models/job_store.hpp"

namespace macaw::widgets {

class JobListModel : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role { is_section_role = Qt::UserRole, job_id_role };

  explicit JobListModel(JobStore& store, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

  const JobRow& row(const QModelIndex& index) const { return m_rows[static_cast<std::size_t>(index.row())]; }
  QModelIndex index_of(const model::JobId& id) const;
  Moment now() const { return m_store.now(); }

  void set_filter(JobFilter filter);
  const JobFilter& filter() const { return m_filter; }
  void set_folded(const model::JobId& id, bool folded);
  void mark_seen(const model::JobId& id);
  void hold_order(bool hold);

  // How many jobs there are in each state, for the chips.
  std::array<std::size_t, 7> state_counts() const;
  std::size_t job_count() const { return m_store.jobs().size(); }

 signals:
  void counts_changed();

 private:
  void on_flushed(const std::set<model::JobId>& changed, bool added_or_gone);
  void on_ticked();
  void rearrange();
  void take(std::vector<JobRow> rows);

  JobStore& m_store;
  JobFilter m_filter;
  ListMarks m_marks;
  std::vector<JobRow> m_rows;
  bool m_held = false;
  bool m_order_dirty = false;
};

}  // namespace macaw::widgets
