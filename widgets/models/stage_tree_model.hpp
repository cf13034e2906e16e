// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of one job as a tree with its measured columns. show_job() of the same job changes rows in place, so that
// selection and expansion stay; of another job it starts anew. Main thread.
#pragma once

#include <QAbstractItemModel>
#include <map>
#include <memory>
#include <vector>

#include "collector/model/job.hpp"

namespace macaw::widgets {

class StageTreeModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { stage, count, total, self, avg, min, max, deviation, last, share, trend, columns };
  enum Role { sort_role = Qt::UserRole };

  using QAbstractItemModel::QAbstractItemModel;
  ~StageTreeModel() override;

  void show_job(const model::JobPtr& job);

  const model::Stage* stage_at(const QModelIndex& index) const;
  // Parts of all that was measured at the top level.
  double share_of(const model::Stage& stage) const;
  double self_share_of(const model::Stage& stage) const;
  double measured() const { return m_measured; }
  std::uint64_t largest_count() const { return m_largest_count; }
  std::size_t stage_count() const { return m_nodes.size(); }

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& = {}) const override { return columns; }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Node {
    std::shared_ptr<const model::Stage> stage;
    Node* parent = nullptr;
    int row = 0;
    std::vector<Node*> children;
  };
  Node* node_at(const QModelIndex& index) const;
  QModelIndex index_of(const Node* node, int column = 0) const;
  void update_node(const std::shared_ptr<const model::Stage>& stage);

  model::JobId m_job{};
  std::map<model::Path, std::unique_ptr<Node>> m_nodes;
  std::vector<Node*> m_top;
  double m_measured = 0;
  std::uint64_t m_largest_count = 0;
};

}  // namespace macaw::widgets
