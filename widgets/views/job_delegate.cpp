// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/job_delegate.hpp"

#include <QPainter>

#include "widgets/models/job_line.hpp"
#include "widgets/models/job_list_model.hpp"
#include "widgets/paint/paint.hpp"
#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::widgets {

namespace {

constexpr qreal left_margin = 16, right_margin = 14, text_indent = 24;

void paint_section(QPainter& p, const QRectF& r, const JobRow& row) {
  const Theme& t = Theme::current();
  const QRectF line = r.adjusted(left_margin, 2, -right_margin, 0);
  paint::text(p, line, section_title(row.section), type::ui(type::caption, QFont::DemiBold), t.text2);
  paint::number(p, line, format::exact(row.count), type::ui(type::caption), t.text3);
}

void paint_thread(QPainter& p, const QRectF& r, const JobLine& line) {
  const Theme& t = Theme::current();
  paint::rounded(p, r, 1, t.track);
  const QColor& fill = t.fill(line.state);
  if (line.progress) {
    if (*line.progress > 0)
      paint::rounded(p, QRectF(r.left(), r.top(), r.width() * *line.progress, r.height()), 1, fill);
    return;
  }
  QPen dashes(fill, r.height(), Qt::CustomDashLine, Qt::FlatCap);
  dashes.setDashPattern({2, 2});
  p.setPen(dashes);
  p.drawLine(QPointF(r.left(), r.center().y()), QPointF(r.right(), r.center().y()));
}

void paint_job(QPainter& p, const QRectF& r, const JobRow& row, const JobLine& line, bool selected) {
  const Theme& t = Theme::current();
  using model::State;
  const bool quiet_end = line.state == State::finished || line.state == State::interrupted;
  const bool plain_state = quiet_end || line.state == State::running;
  const bool waiting = line.state == State::stalled || line.state == State::no_contact;

  const qreal x = r.left() + left_margin + row.depth * JobDelegate::indent;
  const qreal left = x + text_indent, right = r.right() - right_margin;
  if (!row.children.empty())
    paint_icon(p, QRectF(x - 14, r.top() + 7, 13, 13),
               row.folded ? QStringLiteral("chevron-right") : QStringLiteral("chevron-down"), t.text3);
  paint_icon(p, QRectF(x, r.top() + 6, 14, 14), state_icon(line.state), t.text(line.state));

  const QFont strong = type::ui(type::small, QFont::Medium), small = type::ui(type::small);
  const QColor& content = quiet_end ? t.text2 : t.text1;
  const QRectF first(left, r.top() + 4, right - left, 18), second(left, r.top() + 22, right - left, 16);
  const qreal best = paint::number(p, first, line.best, strong, content);
  paint::text(p, first.adjusted(0, 0, -best - 10, 0), line.name,
              type::ui(type::body, selected ? QFont::DemiBold : QFont::Medium), content, Qt::AlignLeft,
              Qt::ElideMiddle);

  const qreal next = paint::number(p, second, line.next, small, waiting ? t.text(line.state) : t.text3);
  const qreal word = paint::text(p, second, state_word(line.state), plain_state ? small : strong,
                                 plain_state ? t.text3 : t.text(line.state));
  if (!line.about.isEmpty())
    paint::number(p, second.adjusted(word, 0, -next - 10, 0), QStringLiteral("  ·  ") + line.about, small, t.text3,
                  Qt::AlignLeft);

  if (line.progress_shown) paint_thread(p, QRectF(left, r.top() + 41, right - left, 2), line);
}

}  // namespace

void JobDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto* model = qobject_cast<const JobListModel*>(index.model());
  if (!model) return;
  const JobRow& row = model->row(index);
  const QRectF r = option.rect;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (row.is_section) {
    paint_section(*painter, r, row);
  } else {
    const Theme& t = Theme::current();
    const bool selected = option.state & QStyle::State_Selected;
    const QRectF inset = r.adjusted(6, 1, -6, -1);
    if (selected)
      paint::rounded(*painter, inset, 6, t.selected);
    else if (option.state & QStyle::State_MouseOver)
      paint::rounded(*painter, inset, 6, t.dark ? t.hover : t.selected_idle);
    if (option.state & QStyle::State_HasFocus && option.state & QStyle::State_KeyboardFocusChange)
      paint::focus_ring(*painter, inset, 5);
    paint_job(*painter, r, row, job_line(*row.job, model->now(), row.children), selected);
  }
  painter->restore();
}

QSize JobDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  return {100, index.data(JobListModel::is_section_role).toBool() ? section_height : job_height};
}

}  // namespace macaw::widgets
