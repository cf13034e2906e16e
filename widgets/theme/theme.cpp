// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the tokens and turns them into what Qt's own widgets want: a palette, and a style sheet for the few that need
// one.
#include "widgets/theme/theme.hpp"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPalette>
#include <QStyle>
#include <QStyleHints>

namespace macaw::widgets {

namespace {

Theme g_theme;
bool g_fixed_fonts = false;

QJsonObject tokens() {
  QFile file(QStringLiteral(":/macaw/theme/tokens.json"));
  const bool opened = file.open(QIODevice::ReadOnly);
  Q_ASSERT(opened);
  Q_UNUSED(opened);
  return QJsonDocument::fromJson(file.readAll()).object();
}

Theme read_theme(bool dark) {
  const QJsonObject all = tokens();
  const QString mode = dark ? QStringLiteral("dark") : QStringLiteral("light");
  const QJsonObject colors = all[QStringLiteral("color")].toObject()[mode].toObject();
  const auto color = [&colors](const QString& name) {
    Q_ASSERT_X(colors.contains(name), "tokens.json", qPrintable(name));
    return QColor(colors[name].toString());
  };
  const auto of_states = [&color](const QString& prefix) {
    static const char* const names[] = {"running", "stalled",     "nocontact", "finished",
                                        "failed",  "interrupted", "endedearly"};
    std::array<QColor, 7> result;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = color(prefix + QString::fromLatin1(names[i]));
    return result;
  };

  Theme t;
  t.dark = dark;
  t.window = color(QStringLiteral("bg.window"));
  t.surface = color(QStringLiteral("bg.surface"));
  t.raised = color(QStringLiteral("bg.raised"));
  t.sunken = color(QStringLiteral("bg.sunken"));
  t.hover = color(QStringLiteral("bg.hover"));
  t.selected = color(QStringLiteral("bg.selected"));
  t.selected_idle = color(QStringLiteral("bg.selected.idle"));
  t.line_soft = color(QStringLiteral("line.soft"));
  t.line = color(QStringLiteral("line"));
  t.line_strong = color(QStringLiteral("line.strong"));
  t.track = color(QStringLiteral("track"));
  t.text1 = color(QStringLiteral("text.1"));
  t.text2 = color(QStringLiteral("text.2"));
  t.text3 = color(QStringLiteral("text.3"));
  t.on_accent = color(QStringLiteral("text.onaccent"));
  t.accent = color(QStringLiteral("accent"));
  t.accent_hover = color(QStringLiteral("accent.hover"));
  t.focus = color(QStringLiteral("focus"));
  t.hit = color(QStringLiteral("hit"));
  t.hit_current = color(QStringLiteral("hit.current"));
  t.hit_text = color(QStringLiteral("hit.text"));
  t.state_text = of_states(QStringLiteral("state."));
  t.state_fill = of_states(QStringLiteral("fill."));
  t.state_tint = of_states(QStringLiteral("tint."));
  for (const auto& value : all[QStringLiteral("series")].toObject()[mode].toArray())
    t.series.append(QColor(value.toString()));
  return t;
}

bool system_is_dark() {
  static const bool dark = QApplication::style()->standardPalette().color(QPalette::Window).lightness() < 128 ||
                           QApplication::palette().color(QPalette::Window).lightness() < 128;
  return dark;
}

QPalette palette_of(const Theme& t) {
  QPalette p;
  p.setColor(QPalette::Window, t.window);
  p.setColor(QPalette::WindowText, t.text1);
  p.setColor(QPalette::Base, t.surface);
  p.setColor(QPalette::AlternateBase, t.sunken);
  p.setColor(QPalette::Text, t.text1);
  p.setColor(QPalette::PlaceholderText, t.text3);
  p.setColor(QPalette::Button, t.surface);
  p.setColor(QPalette::ButtonText, t.text1);
  p.setColor(QPalette::ToolTipBase, t.raised);
  p.setColor(QPalette::ToolTipText, t.text1);
  p.setColor(QPalette::Highlight, t.accent);
  p.setColor(QPalette::HighlightedText, t.on_accent);
  p.setColor(QPalette::Link, t.accent);
  p.setColor(QPalette::Light, t.surface);
  p.setColor(QPalette::Midlight, t.hover);
  p.setColor(QPalette::Mid, t.line);
  p.setColor(QPalette::Dark, t.line_strong);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, t.text3);
  return p;
}

// Only for the parts whose shape Qt's Fusion style does not give: menu row, inputs, buttons, tabs, scroll bars.
QString style_sheet(const Theme& t) {
  QString sheet = QStringLiteral(R"(
QMainWindow, #chrome, #side { background: @window }
#pane, #pane > QWidget > QWidget#qt_scrollarea_viewport { background: @surface }
#chrome { border-bottom: 1px solid @line }
QMenuBar { background: @window; border: none; padding: 0 }
QMenuBar::item { padding: 5px 10px; background: transparent; border-radius: 4px }
QMenuBar::item:selected { background: @selidle }
QMenu { background: @raised; border: 1px solid @line; padding: 4px }
QMenu::item { padding: 5px 28px 5px 24px; border-radius: 4px }
QMenu::item:selected { background: @selected; color: @text1 }
QMenu::item:disabled { color: @text3 }
QMenu::separator { height: 1px; background: @soft; margin: 4px 8px }
QToolTip { background: @raised; color: @text1; border: 1px solid @line; padding: 4px 6px }
QSplitter::handle { background: @line }
QLineEdit { background: @surface; border: 1px solid @line; border-radius: 4px; padding: 0 6px; min-height: 26px; max-height: 26px;
  selection-background-color: @accent; selection-color: @onaccent }
QLineEdit:focus { border: 2px solid @focus; padding: 0 5px; min-height: 24px; max-height: 24px }
QPushButton { background: @surface; border: 1px solid @line; border-radius: 4px; padding: 0 12px; min-height: 26px; max-height: 26px }
QPushButton:hover { background: @hover }
QPushButton:pressed, QPushButton:checked { background: @selidle }
QPushButton:focus { border: 2px solid @focus; padding: 0 11px; min-height: 24px; max-height: 24px }
QPushButton:disabled { color: @text3 }
QPushButton[primary="true"] { background: @accent; color: @onaccent; border-color: @accent; font-weight: 600 }
QPushButton[primary="true"]:hover { background: @acchover }
QPushButton:flat { border: 1px solid transparent; background: transparent; padding: 0 7px }
QPushButton:flat:hover { background: @selidle }
QPushButton:flat:focus { border: 2px solid @focus; padding: 0 6px }
QPushButton[segment="true"] { border: 1px solid transparent; background: transparent; padding: 0 10px; min-height: 22px; max-height: 22px;
  color: @text2; border-radius: 3px }
QPushButton[segment="true"]:checked { background: @surface; border-color: @line; color: @text1; font-weight: 600 }
#segmented { background: @hover; border-radius: 4px }
QToolButton { border: none; border-radius: 4px; background: transparent; padding: 4px }
QToolButton:hover, QToolButton:focus { background: @selidle }
QToolButton::menu-indicator { image: none }
QTabBar { background: transparent }
QTabBar::tab { background: transparent; border: none; border-bottom: 2px solid transparent; padding: 0 2px; margin: 0 18px 0 0;
  height: 33px; color: @text2 }
QTabBar::tab:selected { color: @text1; border-bottom: 2px solid @accent }
QTabBar::tab:hover { color: @text1 }
QTabBar::tab:focus { color: @accent }
QAbstractScrollArea { border: none }
QHeaderView { background: @surface; border: none }
QHeaderView::section { background: @surface; border: none; border-bottom: 1px solid @soft; color: @text3; padding: 0 8px }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0 }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0 }
QScrollBar::handle { background: @line; border-radius: 3px; min-height: 32px; min-width: 32px; margin: 2px }
QScrollBar::handle:hover { background: @strong }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: none; width: 0; height: 0 }
)");
  const std::pair<const char*, QColor> names[] = {
      {"@window", t.window},         {"@surface", t.surface},       {"@raised", t.raised},  {"@hover", t.hover},
      {"@selidle", t.selected_idle}, {"@selected", t.selected},     {"@soft", t.line_soft}, {"@line", t.line},
      {"@strong", t.line_strong},    {"@text1", t.text1},           {"@text2", t.text2},    {"@text3", t.text3},
      {"@onaccent", t.on_accent},    {"@acchover", t.accent_hover}, {"@accent", t.accent},  {"@focus", t.focus}};
  for (const auto& [name, color] : names) sheet.replace(QString::fromLatin1(name), color.name());
  return sheet;
}

QString ui_family() {
  if (!g_fixed_fonts) return QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
  static const QString family =
      QFontDatabase::hasFamily(QStringLiteral("Inter")) ? QStringLiteral("Inter") : QStringLiteral("DejaVu Sans");
  return family;
}

QString mono_family() {
  return g_fixed_fonts ? QStringLiteral("DejaVu Sans Mono")
                       : QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
}

}  // namespace

const Theme& Theme::current() {
  if (g_theme.series.isEmpty()) g_theme = read_theme(false);
  return g_theme;
}

void Theme::apply(Appearance appearance) {
  const bool dark = appearance == Appearance::dark || (appearance == Appearance::system && system_is_dark());
  g_theme = read_theme(dark);
  QApplication::setFont(type::ui(type::body));
  QApplication::setPalette(palette_of(g_theme));
  qApp->setStyleSheet(style_sheet(g_theme));
}

void Theme::use_fixed_fonts() { g_fixed_fonts = true; }

QFont type::ui(int pixels, int weight) {
  QFont font(ui_family());
  font.setPixelSize(pixels);
  font.setWeight(static_cast<QFont::Weight>(weight));
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

QFont type::mono(int pixels, int weight) {
  QFont font(mono_family());
  font.setStyleHint(QFont::Monospace);
  font.setPixelSize(pixels);
  font.setWeight(static_cast<QFont::Weight>(weight));
  font.setHintingPreference(QFont::PreferVerticalHinting);
  return font;
}

}  // namespace macaw::widgets
