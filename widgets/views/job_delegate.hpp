// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the rows of the job list: sections, and jobs in two lines over a thread of progress.
#pragma once

#include <QStyledItemDelegate>

namespace macaw::widgets {

class JobDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  static constexpr int job_height = 48, section_height = 28, indent = 20;

  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace macaw::widgets
