// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/log/log_page.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/format/format.hpp"
#include "widgets/views/controls.hpp"
#include "widgets/views/log/log_view.hpp"
#include "widgets/views/state_chips.hpp"

namespace macaw::widgets {

using model::LogLevel;

namespace {

struct Level {
  LogLevel level;
  const char *icon, *one, *many;
};
// Critical lines count and hide with the errors.
constexpr std::array<Level, 4> levels{{{LogLevel::error, "error", "error", "errors"},
                                       {LogLevel::warning, "warning", "warning", "warnings"},
                                       {LogLevel::info, "info", "info line", "info lines"},
                                       {LogLevel::debug, "debug", "debug line", "debug lines"}}};

}  // namespace

LogPage::LogPage(QWidget* parent) : JobPage(parent) {
  m_find = search_field(tr("Find in the log"), this);
  m_find->setFixedWidth(240);
  m_hits = new QLabel(this);
  m_previous = icon_button(QStringLiteral("chevron-up"), {}, this);
  m_next = icon_button(QStringLiteral("chevron-down"), {}, this);
  m_previous->setAccessibleName(tr("Previous hit"));
  m_next->setAccessibleName(tr("Next hit"));
  m_follow = icon_button(QStringLiteral("follow"), tr("Follow"), this);
  m_follow->setCheckable(true);
  m_log = new LogView(this);
  m_nothing = new QLabel(tr("No log lines yet."), this);
  m_nothing->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  m_nothing->setForegroundRole(QPalette::PlaceholderText);
  m_nothing->setContentsMargins(20, 40, 20, 0);

  auto* tools = new QHBoxLayout;
  tools->setContentsMargins(20, 8, 20, 8);
  tools->setSpacing(4);
  tools->addWidget(m_find);
  tools->addSpacing(8);
  for (auto* button : {m_previous, m_next}) {
    button->setFlat(true);
    tools->addWidget(button);
  }
  tools->addWidget(m_hits);
  tools->addSpacing(12);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    auto* chip = new Chip(QString::fromLatin1(levels[i].icon), {}, this);
    const LogLevel level = levels[i].level;
    if (level == LogLevel::error) chip->state = model::State::failed;
    if (level == LogLevel::warning) chip->state = model::State::stalled;
    chip->setChecked(m_log->rows().level_shown(level));
    connect(chip, &Chip::toggled, this, [this, level](bool shown) {
      m_log->show_level(level, shown);
      if (level == LogLevel::error) m_log->show_level(LogLevel::critical, shown);
    });
    m_chips[i] = chip;
    tools->addWidget(chip);
  }
  tools->addStretch();
  tools->addWidget(m_follow);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(tools);
  layout->addWidget(m_log, 1);
  layout->addWidget(m_nothing, 1);

  connect(m_find, &QLineEdit::textChanged, m_log, &LogView::set_search);
  connect(m_find, &QLineEdit::returnPressed, this, [this] { m_log->go_to_hit(1); });
  connect(m_previous, &QPushButton::clicked, this, [this] { m_log->go_to_hit(-1); });
  connect(m_next, &QPushButton::clicked, this, [this] { m_log->go_to_hit(1); });
  connect(m_follow, &QPushButton::clicked, m_log, &LogView::set_follow);
  connect(m_log, &LogView::changed, this, &LogPage::refresh_tools);
  refresh_tools();
}

void LogPage::focus_find() {
  m_find->setFocus(Qt::ShortcutFocusReason);
  m_find->selectAll();
}

void LogPage::show_job(const JobView& view) {
  const bool other = view.job->id != m_job;
  m_job = view.job->id;
  m_log->show_log(view.job->log, view.job->started, other);
  const bool any = view.job->log && view.job->log->lines > 0;
  m_log->setVisible(any);
  m_nothing->setVisible(!any);
}

void LogPage::refresh_tools() {
  const bool searching = !m_find->text().isEmpty();
  m_hits->setVisible(searching);
  m_previous->setVisible(searching);
  m_next->setVisible(searching);
  m_hits->setText(m_log->hit_count()
                      ? tr("%1 of %2").arg(format::exact(m_log->current_hit() + 1), format::exact(m_log->hit_count()))
                      : tr("no hit"));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto& counts = m_log->rows().counts();
    std::size_t n = counts[static_cast<std::size_t>(levels[i].level)];
    if (levels[i].level == LogLevel::error) n += counts[static_cast<std::size_t>(LogLevel::critical)];
    const bool shown = m_log->rows().level_shown(levels[i].level);
    const QString text = shown ? format::exact(n) : tr("off");
    m_chips[i]->setVisible(n > 0 || levels[i].level == LogLevel::info);
    m_chips[i]->setAccessibleName(format::things(n, tr(levels[i].one), tr(levels[i].many)) +
                                  (shown ? QString() : tr(", hidden")));
    m_chips[i]->setToolTip(m_chips[i]->accessibleName());
    if (m_chips[i]->text() == text) continue;
    m_chips[i]->setText(text);
    m_chips[i]->updateGeometry();
  }
  m_follow->setChecked(m_log->follows());
  m_follow->setText(m_log->follows() || m_log->unseen() == 0
                        ? tr("Follow")
                        : tr("Follow, %1 new").arg(format::exact(m_log->unseen())));
}

}  // namespace macaw::widgets
