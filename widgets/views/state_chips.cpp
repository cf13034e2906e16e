// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/state_chips.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include "widgets/paint/paint.hpp"
#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::widgets {

namespace {
constexpr qreal icon_size = 13, icon_space = 18;
constexpr int chip_height = 24;

// Running first, then what needs a look, the quiet ends last.
constexpr std::array order{model::State::running, model::State::stalled,     model::State::no_contact,
                           model::State::failed,  model::State::ended_early, model::State::interrupted,
                           model::State::finished};
}  // namespace

Chip::Chip(const QString& name, const QString& label, QWidget* parent) : QAbstractButton(parent), icon_name(name) {
  setText(label);
  setCheckable(true);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

QSize Chip::sizeHint() const {
  // Measured in the heavier weight, so that activating a chip does not move its neighbours.
  const qreal words = paint::number_width(type::ui(type::small, QFont::DemiBold), text());
  return {static_cast<int>(words + 1) + 2 * padding + (icon_name.isEmpty() ? 0 : static_cast<int>(icon_space)),
          chip_height};
}

void Chip::paintEvent(QPaintEvent*) {
  const Theme& t = Theme::current();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  if (isChecked())
    paint::rounded(p, rect(), 4, t.selected_idle);
  else if (underMouse())
    paint::rounded(p, rect(), 4, t.hover);
  if (hasFocus()) paint::focus_ring(p, rect(), 4);
  qreal x = padding;
  if (!icon_name.isEmpty()) {
    paint_icon(p, QRectF(x, (height() - icon_size) / 2, icon_size, icon_size), icon_name,
               state ? t.text(*state) : t.text2);
    x += icon_space;
  }
  paint::number(p, QRectF(x, 0, width() - x, height()), text(),
                type::ui(type::small, isChecked() ? QFont::DemiBold : QFont::Normal), isChecked() ? t.text1 : t.text2,
                Qt::AlignLeft);
}

StateChips::StateChips(QWidget* parent) : QWidget(parent) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 0, 8, 4);
  layout->setSpacing(0);
  m_all = new Chip({}, {}, this);
  m_all->padding = 8;
  m_all->setChecked(true);
  layout->addWidget(m_all);
  connect(m_all, &Chip::clicked, this, [this] { choose(std::nullopt); });
  for (const model::State state : order) {
    auto* chip = new Chip(state_icon(state), {}, this);
    chip->state = state;
    chip->setToolTip(state_word(state));
    m_chips[static_cast<std::size_t>(state)] = chip;
    layout->addWidget(chip);
    connect(chip, &Chip::clicked, this,
            [this, state] { choose(m_chosen == state ? std::nullopt : std::optional(state)); });
  }
  layout->addStretch();
  m_menu = new QMenu(this);
  connect(m_menu, &QMenu::aboutToShow, this, &StateChips::fill_menu);
  m_filter = new QToolButton(this);
  m_filter->setAutoRaise(true);
  m_filter->setIconSize({16, 16});
  m_filter->setFixedSize(26, chip_height);
  m_filter->setMenu(m_menu);
  m_filter->setPopupMode(QToolButton::InstantPopup);
  m_filter->setAccessibleName(tr("Filter by state"));
  m_filter->setToolTip(tr("Filter by state"));
  color_filter();
  layout->addWidget(m_filter);
}

void StateChips::color_filter() { m_filter->setIcon(icon(QStringLiteral("filter"), Theme::current().text2)); }

void StateChips::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) color_filter();
}

void StateChips::fill_menu() {
  m_menu->clear();
  const auto add = [this](const QString& name, std::optional<model::State> state) {
    QAction* action = m_menu->addAction(name, this, [this, state] { choose(state); });
    action->setCheckable(true);
    action->setChecked(m_chosen == state);
  };
  add(tr("All jobs"), std::nullopt);
  m_menu->addSeparator();
  for (const model::State state : order)
    add(tr("%1, %2").arg(state_word(state)).arg(m_counts[static_cast<std::size_t>(state)]), state);
}

void StateChips::show_counts(std::size_t all, const std::array<std::size_t, 7>& by_state) {
  const auto label = [](Chip* chip, const QString& text, const QString& accessible) {
    chip->setAccessibleName(accessible);
    if (chip->text() == text) return;
    chip->setText(text);
    chip->updateGeometry();
  };
  label(m_all, tr("All %1").arg(format::exact(all)), tr("All jobs, %1").arg(all));
  for (std::size_t i = 0; i < by_state.size(); ++i) {
    const auto state = static_cast<model::State>(i);
    label(m_chips[i], format::exact(by_state[i]),
          state_word(state) + QStringLiteral(", ") + format::things(by_state[i], tr("job"), tr("jobs")));
    // The quiet ends are many and seldom looked for: they have a chip only while they are chosen.
    const bool quiet = state == model::State::finished || state == model::State::interrupted;
    m_chips[i]->setVisible(m_chosen == state || (by_state[i] > 0 && !quiet));
  }
  m_counts = by_state;
}

void StateChips::choose(std::optional<model::State> state) {
  m_chosen = state;
  m_all->setChecked(!state);
  for (std::size_t i = 0; i < m_chips.size(); ++i) m_chips[i]->setChecked(state == static_cast<model::State>(i));
  emit chosen_changed();
}

}  // namespace macaw::widgets
