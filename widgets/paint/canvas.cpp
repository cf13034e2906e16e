// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/canvas.hpp"

#include "widgets/paint/paint.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::widgets {

namespace {
QFont link_font() { return type::ui(type::small, QFont::Medium); }
}  // namespace

LinkButton::LinkButton(const QString& text, QWidget* parent) : QAbstractButton(parent) {
  setText(text);
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize LinkButton::sizeHint() const { return {static_cast<int>(paint::number_width(link_font(), text())) + 2, 20}; }

void LinkButton::paintEvent(QPaintEvent*) {
  const Theme& t = Theme::current();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QColor color = underMouse() ? t.accent_hover : t.accent;
  const qreal width = paint::number(p, rect(), text(), link_font(), color, Qt::AlignLeft);
  if (hasFocus()) paint::hairline(p, 0, width, height() - 3, color);
}

}  // namespace macaw::widgets
