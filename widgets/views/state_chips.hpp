// SPDX-License-Identifier: GPL-3.0-or-later
// "All 48", then one chip for each state that runs or needs a look and has jobs, and a menu with all states. One is
// active.
#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <array>
#include <optional>

#include "collector/model/job.hpp"

class QMenu;
class QToolButton;

namespace macaw::widgets {

// An icon and a count, or a word and a count; filled while checked.
class Chip : public QAbstractButton {
  Q_OBJECT

 public:
  Chip(const QString& icon_name, const QString& text, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QString icon_name;
  std::optional<model::State> state;  // the icon's colour
  int padding = 7;

 protected:
  void paintEvent(QPaintEvent*) override;
};

class StateChips : public QWidget {
  Q_OBJECT

 public:
  explicit StateChips(QWidget* parent = nullptr);
  void show_counts(std::size_t all, const std::array<std::size_t, 7>& by_state);
  std::optional<model::State> chosen() const { return m_chosen; }

 signals:
  void chosen_changed();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void choose(std::optional<model::State> state);
  void fill_menu();
  void color_filter();

  Chip* m_all;
  std::array<Chip*, 7> m_chips{};
  std::array<std::size_t, 7> m_counts{};
  QToolButton* m_filter;
  QMenu* m_menu;
  std::optional<model::State> m_chosen;
};

}  // namespace macaw::widgets
