// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/stage_tree_model.hpp"

#include <QStringList>
#include <algorithm>

#include "widgets/format/format.hpp"

namespace macaw::widgets {

StageTreeModel::~StageTreeModel() = default;

void StageTreeModel::show_job(const model::JobPtr& job) {
  if (!job || job->id != m_job || job->stages.size() < m_nodes.size()) {
    beginResetModel();
    m_nodes.clear();
    m_top.clear();
    m_job = job ? job->id : model::JobId{};
    endResetModel();
  }
  if (!job) return;
  m_measured = 0;
  m_largest_count = 0;
  for (const auto& s : job->stages) {
    if (s->path.size() == 1) m_measured += s->spent();
    m_largest_count = std::max(m_largest_count, s->count);
  }
  for (const auto& s : job->stages) update_node(s);
}

void StageTreeModel::update_node(const std::shared_ptr<const model::Stage>& s) {
  if (s->path.empty()) return;
  if (const auto found = m_nodes.find(s->path); found != m_nodes.end()) {
    Node* node = found->second.get();
    if (node->stage == s) return;
    node->stage = s;
    emit dataChanged(index_of(node), index_of(node, columns - 1));
    return;
  }
  Node* parent = nullptr;
  if (s->path.size() > 1) {
    const auto above = m_nodes.find(model::Path(s->path.begin(), s->path.end() - 1));
    if (above != m_nodes.end()) parent = above->second.get();
  }
  std::vector<Node*>& siblings = parent ? parent->children : m_top;
  const auto row = static_cast<int>(siblings.size());
  auto node = std::make_unique<Node>(Node{s, parent, row, {}});
  beginInsertRows(parent ? index_of(parent) : QModelIndex(), row, row);
  siblings.push_back(node.get());
  m_nodes.emplace(s->path, std::move(node));
  endInsertRows();
}

StageTreeModel::Node* StageTreeModel::node_at(const QModelIndex& index) const {
  return index.isValid() ? static_cast<Node*>(index.internalPointer()) : nullptr;
}

QModelIndex StageTreeModel::index_of(const Node* node, int column) const {
  return node ? createIndex(node->row, column, node) : QModelIndex();
}

const model::Stage* StageTreeModel::stage_at(const QModelIndex& index) const {
  const Node* node = node_at(index);
  return node ? node->stage.get() : nullptr;
}

double StageTreeModel::share_of(const model::Stage& s) const { return m_measured > 0 ? s.spent() / m_measured : 0; }
double StageTreeModel::self_share_of(const model::Stage& s) const { return m_measured > 0 ? s.self / m_measured : 0; }

QModelIndex StageTreeModel::index(int row, int column, const QModelIndex& parent) const {
  const Node* above = node_at(parent);
  const auto& siblings = above ? above->children : m_top;
  if (row < 0 || static_cast<std::size_t>(row) >= siblings.size() || column < 0 || column >= columns) return {};
  return createIndex(row, column, siblings[static_cast<std::size_t>(row)]);
}

QModelIndex StageTreeModel::parent(const QModelIndex& child) const {
  const Node* node = node_at(child);
  return node ? index_of(node->parent) : QModelIndex();
}

int StageTreeModel::rowCount(const QModelIndex& parent) const {
  if (parent.column() > 0) return 0;
  const Node* node = node_at(parent);
  return static_cast<int>(node ? node->children.size() : m_top.size());
}

QVariant StageTreeModel::data(const QModelIndex& index, int role) const {
  const model::Stage* s = stage_at(index);
  if (!s) return {};
  const auto spent = [s](double seconds) {
    return s->count || s->open ? format::measured(seconds).text() : format::unknown;
  };
  const auto time = [s](double seconds) { return s->count ? format::measured(seconds).text() : format::unknown; };
  if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) {
    switch (index.column()) {
      case stage: {
        const QString name = QString::fromStdString(s->path.back());
        return role == Qt::AccessibleTextRole && s->open ? name + QStringLiteral(", open") : name;
      }
      case count: return format::exact(s->count);
      case total: return spent(s->spent());
      case self: return spent(s->self);
      case avg: return time(s->avg());
      case min: return time(s->min);
      case max: return time(s->max);
      case deviation: return s->count > 1 ? format::measured(s->std_dev()).text() : format::unknown;
      case last: return time(s->last);
      case share: return format::share(share_of(*s));
      default: return {};
    }
  }
  if (role == sort_role) {
    switch (index.column()) {
      case stage: return QString::fromStdString(s->path.back()).toLower();
      case count: return static_cast<qulonglong>(s->count);
      case total:
      case share: return s->spent();
      case self: return s->self;
      case avg:
      case trend: return s->avg();
      case min: return s->min;
      case max: return s->max;
      case deviation: return s->std_dev();
      case last: return s->last;
      default: return {};
    }
  }
  if (role == Qt::ToolTipRole && index.column() == stage) {
    QStringList path;
    for (const std::string& part : s->path) path << QString::fromStdString(part);
    QString tip = path.join(QStringLiteral(" › "));
    if (!s->note.empty()) tip += QLatin1Char('\n') + QString::fromStdString(s->note);
    if (s->errors)
      tip += QLatin1Char('\n') +
             QStringLiteral("%1 ended by an exception").arg(format::things(s->errors, tr("call"), tr("calls")));
    return tip;
  }
  return {};
}

QVariant StageTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const char* const names[columns] = {"Stage", "Count", "Total", "Self",  "Avg",  "Min",
                                             "Max",   "±",     "Last",  "Share", "Trend"};
  if (orientation != Qt::Horizontal || section < 0 || section >= columns) return {};
  if (role == Qt::DisplayRole) return QString::fromUtf8(names[section]);
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section == stage || section >= share ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == deviation) return tr("Standard deviation of the calls");
  if (role == Qt::ToolTipRole && section == total) return tr("Of all calls, and of those that are open so far");
  if (role == Qt::ToolTipRole && section == self) return tr("Total without the stages inside");
  return {};
}

}  // namespace macaw::widgets
