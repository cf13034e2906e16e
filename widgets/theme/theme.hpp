// SPDX-License-Identifier: GPL-3.0-or-later
// Every colour, font and measure of the window, read once from tokens.json. Views ask Theme::current() while they
// paint and keep nothing, so that a change from light to dark is one repaint.
// Main thread. Theme::apply(appearance) sets the application's palette, style sheet and font.
#pragma once

#include <QColor>
#include <QFont>
#include <QVector>
#include <array>

#include "collector/model/job.hpp"

namespace macaw::widgets {

enum class Appearance { system, light, dark };

struct Theme {
  bool dark = false;
  QColor window, surface, raised, sunken, hover, selected, selected_idle;
  QColor line_soft, line, line_strong, track;
  QColor text1, text2, text3, on_accent, accent, accent_hover, focus;
  QColor hit, hit_current, hit_text;
  // By model::State.
  std::array<QColor, 7> state_text, state_fill, state_tint;
  QVector<QColor> series;

  const QColor& text(model::State s) const { return state_text[static_cast<std::size_t>(s)]; }
  const QColor& fill(model::State s) const { return state_fill[static_cast<std::size_t>(s)]; }
  const QColor& tint(model::State s) const { return state_tint[static_cast<std::size_t>(s)]; }
  // Stalled's colours serve every warning.
  const QColor& warning() const { return text(model::State::stalled); }

  static const Theme& current();
  static void apply(Appearance appearance);
  // Fixes family, hinting and size, so that pictures and tests look the same on every machine.
  static void use_fixed_fonts();
};

namespace type {
inline constexpr int caption = 11, small = 12, body = 13, title = 15, display = 20;
QFont ui(int pixels, int weight = QFont::Normal);
QFont mono(int pixels = small, int weight = QFont::Normal);
}  // namespace type

}  // namespace macaw::widgets
