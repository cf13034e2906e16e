// SPDX-License-Identifier: GPL-3.0-or-later
// A widget that is painted rather than composed: smooth edges on, colours taken anew at each paint.
#pragma once

#include <QAbstractButton>
#include <QPainter>
#include <QWidget>

namespace macaw::widgets {

class Canvas : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  virtual void paint(QPainter& p, const QRectF& r) = 0;

  void paintEvent(QPaintEvent*) final {
    QPainter p(this);
    p.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    paint(p, rect());
  }
};

// Words in the accent colour that lead somewhere.
class LinkButton : public QAbstractButton {
  Q_OBJECT

 public:
  explicit LinkButton(const QString& text, QWidget* parent = nullptr);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;
};

}  // namespace macaw::widgets
