// SPDX-License-Identifier: GPL-3.0-or-later
// The few controls that every page uses, made the same way.
#pragma once

#include <QString>

class QLineEdit;
class QPushButton;
class QWidget;

namespace macaw::widgets {

QLineEdit* search_field(const QString& placeholder, QWidget* parent);
QPushButton* icon_button(const QString& icon_name, const QString& text, QWidget* parent);

// Re-colours the icons made above after a change of theme.
void recolor_icons(QWidget* window);

}  // namespace macaw::widgets
