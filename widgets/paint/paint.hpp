// SPDX-License-Identifier: GPL-3.0-or-later
// The strokes that every list, table and page shares: text on one baseline, numbers with equal digits, quantities with
// their unit in a gutter, bars, hatches, sparklines, section heads, tree guides. Colours come from Theme::current().
// Main thread, inside a paint event.
#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>
#include <vector>

#include "widgets/format/format.hpp"

class QPainter;

namespace macaw::widgets::paint {

inline constexpr qreal unit_gutter = 22, unit_gap = 3;

// Draws one line, vertically centred by its capitals, and elides what does not fit. Returns the width drawn.
qreal text(QPainter& p, const QRectF& r, const QString& s, const QFont& font, const QColor& color,
           Qt::Alignment align = Qt::AlignLeft, Qt::TextElideMode elide = Qt::ElideRight);

// The same for text with numbers: each digit as wide as the widest one, so that values change without moving.
qreal number_width(const QFont& font, const QString& s);
qreal number(QPainter& p, const QRectF& r, const QString& s, const QFont& font, const QColor& color,
             Qt::Alignment align = Qt::AlignRight);

// Number right-aligned before a gutter that holds the unit.
void quantity(QPainter& p, const QRectF& r, const format::Quantity& q, const QFont& font, const QColor& color);

void rounded(QPainter& p, const QRectF& r, qreal radius, const QColor& fill, const QColor& line = {});
void hairline(QPainter& p, qreal from, qreal to, qreal y, const QColor& color);
void hatch(QPainter& p, const QRectF& r, const QColor& color, qreal radius = 2);

// What a progress track has to show; fractions of the track.
struct Track {
  enum class Kind { known, unknown_total, over_run } kind = Kind::known;
  double done = 0, resumed = 0;
};
Track track_of(const model::Bar& bar);
void bar(QPainter& p, const QRectF& r, const Track& track, const QColor& fill);
// A thin meter with a tick, for usage and for ages.
void meter(QPainter& p, const QRectF& r, double done, double tick, const QColor& fill);

// A curve on its own scale; gaps at NaN, the last point marked.
void spark(QPainter& p, const QRectF& r, const std::vector<double>& values, const QColor& color, bool mark_last = true);
// The same on a fixed scale from low to high.
void spark_between(QPainter& p, const QRectF& r, const std::vector<double>& values, double low, double high,
                   const QColor& color, bool mark_last);

// Title and hairline over a section; returns what is left below. `note` stands at the right.
void section_head(QPainter& p, const QRectF& r, const QString& title, const QString& note = {});
inline constexpr qreal section_head_height = 29;

// The corner that ties a row to its parent, `up` pixels above its top.
void guide(QPainter& p, const QRectF& row, qreal x, qreal up);

// Rounded 2 px ring for keyboard focus.
void focus_ring(QPainter& p, const QRectF& r, qreal radius = 6);

}  // namespace macaw::widgets::paint
