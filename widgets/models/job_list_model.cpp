// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/job_list_model.hpp"

#include <algorithm>

#include "widgets/models/job_line.hpp"

namespace macaw::widgets {

JobListModel::JobListModel(JobStore& store, QObject* parent) : QAbstractListModel(parent), m_store(store) {
  connect(&store, &JobStore::flushed, this, &JobListModel::on_flushed);
  connect(&store, &JobStore::ticked, this, &JobListModel::on_ticked);
  m_rows = arrange(store.jobs(), m_filter, m_marks);
}

int JobListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant JobListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const JobRow& r = row(index);
  switch (role) {
    case Qt::DisplayRole: return r.is_section ? section_title(r.section) : job_name(*r.job);
    case Qt::AccessibleTextRole:
      return r.is_section ? QStringLiteral("%1, %2").arg(section_title(r.section)).arg(r.count)
                          : job_line(*r.job, now(), r.children).sentence;
    case Qt::ToolTipRole: return r.is_section ? QVariant() : QVariant(job_name(*r.job));
    case is_section_role: return r.is_section;
    case job_id_role: return r.is_section ? QVariant() : QVariant(QString::fromStdString(model::to_string(r.job->id)));
    default: return {};
  }
}

Qt::ItemFlags JobListModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  return row(index).is_section ? Qt::ItemFlags(Qt::ItemIsEnabled) : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

QModelIndex JobListModel::index_of(const model::JobId& id) const {
  for (std::size_t i = 0; i < m_rows.size(); ++i)
    if (!m_rows[i].is_section && m_rows[i].job->id == id) return index(static_cast<int>(i));
  return {};
}

void JobListModel::set_filter(JobFilter filter) {
  m_filter = std::move(filter);
  rearrange();
}

void JobListModel::set_folded(const model::JobId& id, bool folded) {
  folded ? void(m_marks.folded.insert(id)) : void(m_marks.folded.erase(id));
  rearrange();
}

void JobListModel::mark_seen(const model::JobId& id) {
  if (m_marks.seen.insert(id).second) m_order_dirty = true;
}

void JobListModel::hold_order(bool hold) { m_held = hold; }

std::array<std::size_t, 7> JobListModel::state_counts() const {
  std::array<std::size_t, 7> counts{};
  for (const auto& job : m_store.jobs()) ++counts[static_cast<std::size_t>(job->state)];
  return counts;
}

void JobListModel::on_flushed(const std::set<model::JobId>& changed, bool added_or_gone) {
  if (added_or_gone) {
    for (const auto& id : changed)
      if (!m_store.job(id)) {
        m_marks.seen.erase(id);
        m_marks.folded.erase(id);
      }
    rearrange();
    emit counts_changed();
    return;
  }
  bool states_changed = false;
  int first = -1, last = -1;
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    JobRow& r = m_rows[i];
    if (r.is_section) continue;
    bool touched = changed.contains(r.job->id);
    if (touched) {
      auto fresh = m_store.job(r.job->id);
      if (fresh->state != r.job->state) {
        states_changed = true;
        // What was seen was the old state.
        m_marks.seen.erase(fresh->id);
      }
      r.job = std::move(fresh);
    }
    for (auto& child : r.children)
      if (changed.contains(child->id)) {
        child = m_store.job(child->id);
        touched = true;
      }
    if (!touched) continue;
    if (first < 0) first = static_cast<int>(i);
    last = static_cast<int>(i);
  }
  m_order_dirty = true;
  if (first >= 0) emit dataChanged(index(first), index(last));
  if (states_changed) emit counts_changed();
}

void JobListModel::on_ticked() {
  if (m_order_dirty && !m_held) rearrange();
  if (!m_rows.empty()) emit dataChanged(index(0), index(rowCount() - 1));  // elapsed times count on
}

void JobListModel::rearrange() {
  m_order_dirty = false;
  take(arrange(m_store.jobs(), m_filter, m_marks));
}

// Turns the old rows into the new ones with as little upset as Qt's model can say: removals, insertions, one move of
// all.
void JobListModel::take(std::vector<JobRow> rows) {
  const auto keys_of = [](const std::vector<JobRow>& in) {
    std::set<JobRow::Key> keys;
    for (const JobRow& r : in) keys.insert(r.key());
    return keys;
  };
  const auto same = [](const JobRow& a, const JobRow& b) { return a.key() == b.key(); };
  if (!std::equal(m_rows.begin(), m_rows.end(), rows.begin(), rows.end(), same)) {
    const auto old_keys = keys_of(m_rows), new_keys = keys_of(rows);
    for (std::size_t i = m_rows.size(); i-- > 0;) {
      if (new_keys.contains(m_rows[i].key())) continue;
      beginRemoveRows({}, static_cast<int>(i), static_cast<int>(i));
      m_rows.erase(m_rows.begin() + static_cast<std::ptrdiff_t>(i));
      endRemoveRows();
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (old_keys.contains(rows[i].key())) continue;
      const std::size_t at = std::min(i, m_rows.size());
      beginInsertRows({}, static_cast<int>(at), static_cast<int>(at));
      m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(at), rows[i]);
      endInsertRows();
    }
    if (!std::equal(m_rows.begin(), m_rows.end(), rows.begin(), rows.end(), same)) {
      emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
      const QModelIndexList before = persistentIndexList();
      QModelIndexList after;
      for (const QModelIndex& old : before) {
        const auto key = m_rows[static_cast<std::size_t>(old.row())].key();
        const auto found = std::find_if(rows.begin(), rows.end(), [&key](const JobRow& r) { return r.key() == key; });
        after << index(static_cast<int>(found - rows.begin()));
      }
      m_rows = std::move(rows);
      changePersistentIndexList(before, after);
      emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
      return;
    }
  }
  m_rows = std::move(rows);
  if (!m_rows.empty()) emit dataChanged(index(0), index(rowCount() - 1));
}

}  // namespace macaw::widgets
