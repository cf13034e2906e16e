// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/empty_page.hpp"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "widgets/paint/canvas.hpp"
#include "widgets/paint/paint.hpp"
#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"
#include "widgets/views/controls.hpp"

namespace macaw::widgets {

namespace {

constexpr int page_width = 560, copied_for_ms = 1500;

// One line of code in a sunken frame.
class CodeLine : public Canvas {
 public:
  explicit CodeLine(QWidget* parent) : Canvas(parent) { setFixedHeight(36); }
  void set_text(const QString& text) {
    m_text = text;
    setAccessibleName(text);
    setToolTip(text);
    update();
  }

 protected:
  void paint(QPainter& p, const QRectF& r) override {
    const Theme& t = Theme::current();
    paint::rounded(p, r, 4, t.sunken, t.line);
    paint::text(p, r.adjusted(12, 0, -88, 0), m_text, type::mono(), t.text1, Qt::AlignLeft, Qt::ElideMiddle);
  }

 private:
  QString m_text;
};

// An icon before a sentence.
class IconLine : public QLabel {
 public:
  IconLine(const QString& icon_name, bool good, QWidget* parent) : QLabel(parent), m_icon(icon_name), m_good(good) {
    setContentsMargins(24, 0, 0, 0);
    setFixedHeight(24);
    if (!good) setForegroundRole(QPalette::PlaceholderText);
  }

 protected:
  void paintEvent(QPaintEvent* event) override {
    QLabel::paintEvent(event);
    QPainter p(this);
    const Theme& t = Theme::current();
    paint_icon(p, QRectF(0, 5, 14, 14), m_icon, m_good ? t.text(model::State::finished) : t.text3);
  }

 private:
  QString m_icon;
  bool m_good;
};

}  // namespace

EmptyPage::EmptyPage(QWidget* parent) : QWidget(parent) {
  auto* page = new QWidget(this);
  page->setMaximumWidth(page_width);
  page->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  m_title = new QLabel(tr("Waiting for the first job"), page);
  m_title->setFont(type::ui(type::display, QFont::DemiBold));
  auto* sentence = new QLabel(tr("Paste this on the machine where the job runs, then start it as usual."), page);
  m_box = new CodeLine(page);
  auto* copy = icon_button(QStringLiteral("copy"), tr("Copy"), m_box);
  copy->setFlat(true);
  copy->setAccessibleName(tr("Copy line"));
  auto* box_row = new QHBoxLayout(m_box);
  box_row->setContentsMargins(0, 0, 4, 0);
  box_row->addStretch();
  box_row->addWidget(copy);

  auto* ways = new QGridLayout;
  ways->setHorizontalSpacing(24);
  ways->setVerticalSpacing(10);
  ways->setColumnMinimumWidth(0, 124);
  ways->setColumnStretch(1, 1);
  const std::pair<QString, QString> lines[] = {{tr("Any command"), QStringLiteral("macaw run -- ./solver input.toml")},
                                               {tr("Python, no changes"), QStringLiteral("macaw run train.py")},
                                               {tr("In the code"), QStringLiteral("for x in macaw.track(data): …")}};
  for (int row = 0; const auto& [label, code] : lines) {
    auto* words = new QLabel(label, page);
    auto* line = new QLabel(code, page);
    line->setFont(type::mono());
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    ways->addWidget(words, row, 0);
    ways->addWidget(line, row++, 1);
  }
  auto* rule = new QFrame(page);
  rule->setFixedHeight(1);
  rule->setAutoFillBackground(true);
  rule->setBackgroundRole(QPalette::Midlight);
  m_listening = new IconLine(QStringLiteral("check"), true, page);
  m_who = new IconLine(QStringLiteral("key"), false, page);

  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(20, 0, 20, 40);
  column->setSpacing(0);
  column->addWidget(m_title);
  column->addSpacing(8);
  column->addWidget(sentence);
  column->addSpacing(12);
  column->addWidget(m_box);
  column->addSpacing(20);
  column->addLayout(ways);
  column->addSpacing(20);
  column->addWidget(rule);
  column->addSpacing(14);
  column->addWidget(m_listening);
  column->addWidget(m_who);

  auto* layout = new QGridLayout(this);
  layout->setRowStretch(0, 1);
  layout->setRowStretch(2, 1);
  layout->setColumnStretch(0, 1);
  layout->setColumnStretch(1, 8);
  layout->setColumnStretch(2, 1);
  layout->addWidget(page, 1, 1);

  connect(copy, &QPushButton::clicked, this, [this, copy] {
    QGuiApplication::clipboard()->setText(m_line);
    copy->setText(tr("Copied"));
    QTimer::singleShot(copied_for_ms, copy, [copy] { copy->setText(tr("Copy")); });
  });
}

void EmptyPage::set_title(const QString& title) { m_title->setText(title); }

void EmptyPage::show_connection(const QString& line, int port, const QString& who) {
  m_line = line;
  static_cast<CodeLine*>(m_box)->set_text(line);
  m_listening->setText(tr("Listening on UDP %1. Nothing has arrived yet.").arg(port));
  m_who->setText(who);
}

}  // namespace macaw::widgets
