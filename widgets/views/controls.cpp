// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/controls.hpp"

#include <QAction>
#include <QLineEdit>
#include <QPushButton>

#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::widgets {

namespace {
constexpr char icon_property[] = "macaw_icon";
}

QLineEdit* search_field(const QString& placeholder, QWidget* parent) {
  auto* field = new QLineEdit(parent);
  field->setPlaceholderText(placeholder);
  field->setAccessibleName(placeholder);
  field->setClearButtonEnabled(true);
  QAction* glass = field->addAction(icon(QStringLiteral("search"), Theme::current().text3), QLineEdit::LeadingPosition);
  glass->setProperty(icon_property, QStringLiteral("search"));
  return field;
}

QPushButton* icon_button(const QString& icon_name, const QString& text, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setIcon(icon(icon_name, Theme::current().text2));
  button->setIconSize({16, 16});
  button->setProperty(icon_property, icon_name);
  button->setAutoDefault(false);
  return button;
}

void recolor_icons(QWidget* window) {
  const Theme& t = Theme::current();
  for (auto* button : window->findChildren<QPushButton*>())
    if (const QString name = button->property(icon_property).toString(); !name.isEmpty())
      button->setIcon(icon(name, t.text2));
  for (auto* action : window->findChildren<QAction*>())
    if (const QString name = action->property(icon_property).toString(); !name.isEmpty())
      action->setIcon(icon(name, t.text3));
}

}  // namespace macaw::widgets
