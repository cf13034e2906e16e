// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the rows of the stages table: guides and names, quantities with their unit in a gutter, share bars, trends.
#pragma once

#include <QHeaderView>
#include <QStyledItemDelegate>

namespace macaw::widgets {

class StageDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  static constexpr int row_height = 26, indent = 16;

  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {60, row_height}; }
};

// Column heads over the numbers they name; the sorted one in a heavier weight with its direction.
class StageHeader : public QHeaderView {
  Q_OBJECT

 public:
  explicit StageHeader(QWidget* parent = nullptr);

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int column) const override;
};

}  // namespace macaw::widgets
