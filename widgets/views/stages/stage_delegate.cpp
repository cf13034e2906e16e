// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stages/stage_delegate.hpp"

#include <QPainter>
#include <QSortFilterProxyModel>
#include <algorithm>

#include "widgets/models/stage_tree_model.hpp"
#include "widgets/paint/paint.hpp"
#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::widgets {

namespace {

using Column = StageTreeModel::Column;

constexpr qreal name_margin = 14, cell_margin = 4, count_margin = 10, share_margin = 8;
// A trend is drawn from half to twice the average; past one and a half times it is told as a drift.
constexpr double trend_low = 0.5, trend_high = 2, drift = 1.5;

format::Quantity quantity_of(const model::Stage& s, int column) {
  const bool is_sum = column == Column::total || column == Column::self;
  const bool known = is_sum ? s.count || s.open : s.count > (column == Column::deviation ? 1u : 0u);
  if (!known) return {format::unknown, {}};
  switch (column) {
    case Column::total: return format::measured(s.spent());
    case Column::self: return format::measured(s.self);
    case Column::avg: return format::measured(s.avg());
    case Column::min: return format::measured(s.min);
    case Column::max: return format::measured(s.max);
    case Column::deviation: return format::measured(s.std_dev());
    default: return format::measured(s.last);
  }
}

void paint_name(QPainter& p, const QRectF& r, const model::Stage& s, bool has_children, bool expanded, int depth) {
  const Theme& t = Theme::current();
  qreal x = r.left() + name_margin + std::min(depth, 24) * StageDelegate::indent;
  if (s.open)
    paint_icon(p, QRectF(r.left() + 3, r.center().y() - 5, 9, 9), state_icon(model::State::running),
               t.text(model::State::running));
  if (has_children)
    paint_icon(p, QRectF(x, r.center().y() - 7, 14, 14),
               expanded ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), t.text3);
  x += 18;
  const qreal room = r.right() - 8 - x;
  const qreal name = paint::text(
      p, QRectF(x, r.top(), room, r.height()), QString::fromStdString(s.path.back()).simplified(),
      type::ui(type::body, s.open ? QFont::DemiBold : QFont::Normal), t.text1, Qt::AlignLeft, Qt::ElideMiddle);
  if (!s.note.empty() && room - name > 60)
    paint::text(p, QRectF(x + name + 10, r.top(), room - name - 10, r.height()),
                QString::fromStdString(s.note).simplified(), type::ui(type::small), t.text3);
}

void paint_share(QPainter& p, const QRectF& r, double share, double self) {
  const Theme& t = Theme::current();
  const QRectF track(r.left() + share_margin, r.center().y() - 3, 32, 6);
  paint::rounded(p, track, 1, t.track);
  QColor children = t.fill(model::State::running);
  const QColor own = children;
  children.setAlphaF(0.45F);
  const auto width = [&track](double part) { return track.width() * std::clamp(part, 0.0, 1.0); };
  if (share > 0.004)
    paint::rounded(p, QRectF(track.left(), track.top(), std::max(1.0, width(share)), track.height()), 1, children);
  if (self > 0.004)
    paint::rounded(p, QRectF(track.left(), track.top(), std::max(1.0, width(self)), track.height()), 1, own);
  paint::number(p, r.adjusted(0, 0, -cell_margin, 0), format::share(share), type::ui(type::small), t.text1);
}

void paint_trend(QPainter& p, const QRectF& r, const model::Stage& s) {
  if (s.trend.size() < 2 || s.avg() <= 0) return;
  const Theme& t = Theme::current();
  std::vector<double> ratios;
  for (const float mean : s.trend) ratios.push_back(std::clamp(mean / s.avg(), trend_low, trend_high));
  const bool drifts = ratios.back() > drift;
  paint::spark_between(p, QRectF(r.left() + 8, r.top() + 7, r.width() - 20, 12), ratios, trend_low, trend_high,
                       drifts ? t.warning() : t.text3, drifts);
}

}  // namespace

void StageDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto* proxy = qobject_cast<const QSortFilterProxyModel*>(index.model());
  const auto* model = proxy ? qobject_cast<const StageTreeModel*>(proxy->sourceModel()) : nullptr;
  if (!model) return;
  const model::Stage* s = model->stage_at(proxy->mapToSource(index));
  if (!s) return;
  const Theme& t = Theme::current();
  QPainter& p = *painter;
  const QRectF r = option.rect;
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  const bool selected = option.state & QStyle::State_Selected;
  if (selected)
    p.fillRect(r, option.state & QStyle::State_Active ? t.selected : t.selected_idle);
  else if (option.state & QStyle::State_MouseOver)
    p.fillRect(r, t.hover);

  const int column = index.column();
  const bool sorted = proxy->sortColumn() == column;
  if (column == Column::stage) {
    int depth = 0;
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) ++depth;
    paint_name(p, r, *s, proxy->hasChildren(index), option.state & QStyle::State_Open, depth);
  } else if (column == Column::count) {
    paint::number(p, r.adjusted(0, 0, -count_margin, 0), format::exact(s->count),
                  type::ui(type::small, sorted ? QFont::DemiBold : QFont::Normal), t.text1);
  } else if (column <= Column::last) {
    const format::Quantity q = quantity_of(*s, column);
    paint::quantity(p, r.adjusted(0, 0, -cell_margin, 0), q,
                    type::ui(type::small, sorted ? QFont::DemiBold : QFont::Normal),
                    q.unit.isEmpty() ? t.text3 : t.text1);
  } else if (column == Column::share) {
    paint_share(p, r, model->share_of(*s), model->self_share_of(*s));
  } else {
    paint_trend(p, r, *s);
  }
  if (!selected) paint::hairline(p, r.left(), r.right(), r.bottom() - 1, t.line_soft);
  p.restore();
}

StageHeader::StageHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setHighlightSections(false);
  setStretchLastSection(false);
  setSortIndicatorShown(true);
  setMinimumSectionSize(40);
  setFixedHeight(28);
}

void StageHeader::paintSection(QPainter* painter, const QRect& rect, int column) const {
  const Theme& t = Theme::current();
  QPainter& p = *painter;
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  p.fillRect(rect, t.surface);
  const bool sorted = sortIndicatorSection() == column;
  const QFont font = type::ui(type::caption, sorted ? QFont::DemiBold : QFont::Normal);
  const QString name = model()->headerData(column, Qt::Horizontal).toString();
  const QColor& color = sorted ? t.text1 : t.text3;
  QRectF words(rect);
  // A head ends where the numbers under it end, before the gutter of their units.
  const bool left = column == Column::stage || column >= Column::share;
  if (column == Column::stage)
    words.adjust(name_margin + 18, 0, 0, 0);
  else if (left)
    words.adjust(share_margin, 0, 0, 0);
  else
    words.adjust(0, 0, -(column == Column::count ? count_margin : cell_margin + paint::unit_gutter + paint::unit_gap),
                 0);
  const qreal width = paint::text(p, words, name, font, color, left ? Qt::AlignLeft : Qt::AlignRight);
  if (sorted) {
    const QString arrow =
        sortIndicatorOrder() == Qt::AscendingOrder ? QStringLiteral("sort-asc") : QStringLiteral("sort-desc");
    const qreal x = left ? words.left() + width + 4 : words.right() - width - 16;
    paint_icon(p, QRectF(x, words.center().y() - 6, 12, 12), arrow, color);
  }
  paint::hairline(p, rect.left(), rect.right() + 1, rect.bottom(), t.line_soft);
  p.restore();
}

}  // namespace macaw::widgets
