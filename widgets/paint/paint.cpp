// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint/paint.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/theme/theme.hpp"

namespace macaw::widgets::paint {

namespace {

// Capitals centred in the row, on half pixels at most, so that a column of rows stands on even lines.
qreal baseline(const QRectF& r, const QFontMetricsF& metrics) {
  return std::round((r.top() + (r.height() + metrics.capHeight()) / 2) * 2) / 2;
}

qreal start_of(const QRectF& r, qreal width, Qt::Alignment align) {
  if (align & Qt::AlignRight) return r.right() - width;
  if (align & Qt::AlignHCenter) return r.center().x() - width / 2;
  return r.left();
}

qreal digit_cell(const QFontMetricsF& metrics) {
  qreal widest = 0;
  for (char16_t c = u'0'; c <= u'9'; ++c) widest = std::max(widest, metrics.horizontalAdvance(QChar(c)));
  return widest;
}

bool is_digit(QChar c) { return c >= QLatin1Char('0') && c <= QLatin1Char('9'); }

// Cuts a text into single digits and runs of everything else, which keep their own kerning.
template <typename Digit, typename Run>
void each_part(const QString& s, Digit digit, Run run) {
  for (qsizetype i = 0; i < s.size();) {
    if (is_digit(s[i])) {
      digit(s[i++]);
      continue;
    }
    const qsizetype from = i;
    while (i < s.size() && !is_digit(s[i])) ++i;
    run(s.mid(from, i - from));
  }
}

class Saved {
 public:
  explicit Saved(QPainter& p) : m_painter(p) { p.save(); }
  ~Saved() { m_painter.restore(); }
  Q_DISABLE_COPY_MOVE(Saved)

 private:
  QPainter& m_painter;
};

void clip_rounded(QPainter& p, const QRectF& r, qreal radius) {
  QPainterPath path;
  path.addRoundedRect(r, radius, radius);
  p.setClipPath(path, Qt::IntersectClip);
}

double bounded(double fraction) { return std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0; }

}  // namespace

qreal text(QPainter& p, const QRectF& r, const QString& s, const QFont& font, const QColor& color, Qt::Alignment align,
           Qt::TextElideMode elide) {
  if (r.width() <= 0) return 0;
  const QFontMetricsF metrics(font);
  const QString shown = metrics.elidedText(s, elide, r.width() + 0.5);
  const qreal width = metrics.horizontalAdvance(shown);
  p.setFont(font);
  p.setPen(color);
  p.drawText(QPointF(start_of(r, width, align), baseline(r, metrics)), shown);
  return width;
}

qreal number_width(const QFont& font, const QString& s) {
  const QFontMetricsF metrics(font);
  const qreal cell = digit_cell(metrics);
  qreal width = 0;
  each_part(
      s, [&](QChar) { width += cell; }, [&](const QString& run) { width += metrics.horizontalAdvance(run); });
  return width;
}

qreal number(QPainter& p, const QRectF& r, const QString& s, const QFont& font, const QColor& color,
             Qt::Alignment align) {
  const QFontMetricsF metrics(font);
  const qreal cell = digit_cell(metrics);
  const qreal width = number_width(font, s);
  if (width > r.width() + 0.5 && !(align & Qt::AlignRight)) return text(p, r, s, font, color, align);
  const qreal y = baseline(r, metrics);
  qreal x = start_of(r, width, align);
  p.setFont(font);
  p.setPen(color);
  each_part(
      s,
      [&](QChar digit) {
        p.drawText(QPointF(x + (cell - metrics.horizontalAdvance(digit)) / 2, y), QString(digit));
        x += cell;
      },
      [&](const QString& run) {
        p.drawText(QPointF(x, y), run);
        x += metrics.horizontalAdvance(run);
      });
  return width;
}

void quantity(QPainter& p, const QRectF& r, const format::Quantity& q, const QFont& font, const QColor& color) {
  const QFontMetricsF metrics(font);
  number(p, r.adjusted(0, 0, -unit_gutter - unit_gap, 0), q.number, font, color);
  p.setFont(type::ui(type::caption));
  p.setPen(Theme::current().text3);
  p.drawText(QPointF(r.right() - unit_gutter, baseline(r, metrics)), q.unit);
}

void rounded(QPainter& p, const QRectF& r, qreal radius, const QColor& fill, const QColor& line) {
  p.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
  if (line.isValid()) {
    p.setPen(QPen(line, 1));
    p.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
  } else {
    p.setPen(Qt::NoPen);
    p.drawRoundedRect(r, radius, radius);
  }
}

void hairline(QPainter& p, qreal from, qreal to, qreal y, const QColor& color) {
  p.fillRect(QRectF(from, y, to - from, 1), color);
}

void hatch(QPainter& p, const QRectF& r, const QColor& color, qreal radius) {
  if (r.width() <= 0) return;
  const Saved saved(p);
  clip_rounded(p, r, radius);
  p.setPen(QPen(color, 1.6));
  constexpr qreal pitch = 6;
  for (qreal x = r.left() - r.height() - pitch; x < r.right() + r.height(); x += pitch)
    p.drawLine(QPointF(x, r.bottom() + 1), QPointF(x + r.height() + 2, r.top() - 1));
}

Track track_of(const model::Bar& bar) {
  if (!bar.total) return {Track::Kind::unknown_total, 0, 0};
  const double n = format::to_double(bar.n), total = format::to_double(*bar.total);
  const double done = format::fraction(bar).value_or(0);
  if (total > 0 && done > 1) return {Track::Kind::over_run, total / n, 0};
  const double resumed = bar.initial && total > 0 ? bounded(format::to_double(*bar.initial) / total) : 0;
  return {Track::Kind::known, bounded(done), std::min(resumed, bounded(done))};
}

void bar(QPainter& p, const QRectF& r, const Track& track, const QColor& fill) {
  const Theme& t = Theme::current();
  constexpr qreal radius = 2;
  rounded(p, r, radius, t.track);
  QColor soft = fill;
  soft.setAlphaF(t.dark ? 0.55F : 0.5F);
  switch (track.kind) {
    case Track::Kind::unknown_total: hatch(p, r, soft, radius); return;
    case Track::Kind::over_run: {
      const qreal cut = r.width() * bounded(track.done);
      hatch(p, r.adjusted(cut, 0, 0, 0), t.fill(model::State::stalled), radius);
      {
        const Saved saved(p);
        clip_rounded(p, r, radius);
        p.fillRect(QRectF(r.left(), r.top(), cut, r.height()), fill);
      }
      p.fillRect(QRectF(r.left() + cut - 0.75, r.top() - 3, 1.5, r.height() + 6), t.text2);
      return;
    }
    case Track::Kind::known: break;
  }
  if (track.done <= 0) return;
  const Saved saved(p);
  clip_rounded(p, r, radius);
  p.fillRect(QRectF(r.left(), r.top(), std::max(2.0, r.width() * track.done), r.height()), fill);
  if (track.resumed > 0) {
    QColor veil = t.surface;
    veil.setAlphaF(0.5F);
    p.fillRect(QRectF(r.left(), r.top(), r.width() * track.resumed, r.height()), veil);
  }
}

void meter(QPainter& p, const QRectF& r, double done, double tick, const QColor& fill) {
  const Theme& t = Theme::current();
  rounded(p, r, 2, t.track);
  if (done > 0) rounded(p, QRectF(r.left(), r.top(), std::max(2.0, r.width() * bounded(done)), r.height()), 2, fill);
  if (tick >= 0)
    p.fillRect(QRectF(r.left() + (r.width() - 1.5) * bounded(tick), r.top() - 3, 1.5, r.height() + 6), t.text3);
}

void spark_between(QPainter& p, const QRectF& r, const std::vector<double>& values, double low, double high,
                   const QColor& color, bool mark_last) {
  if (values.size() < 2 || !(high > low)) return;
  QPainterPath path;
  QPointF last;
  bool drawing = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      drawing = false;
      continue;
    }
    const double height = bounded((values[i] - low) / (high - low));
    last = {r.left() + static_cast<qreal>(i) * r.width() / static_cast<qreal>(values.size() - 1),
            r.bottom() - height * r.height()};
    drawing ? path.lineTo(last) : path.moveTo(last);
    drawing = true;
  }
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(color, 1.25, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.drawPath(path);
  if (!mark_last || !drawing) return;
  p.setPen(Qt::NoPen);
  p.setBrush(color);
  p.drawEllipse(last, 2, 2);
}

void spark(QPainter& p, const QRectF& r, const std::vector<double>& values, const QColor& color, bool mark_last) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  if (!(high > low)) {  // a flat line runs through the middle
    high += 1;
    low -= 1;
  }
  spark_between(p, r, values, low, high, color, mark_last);
}

void section_head(QPainter& p, const QRectF& r, const QString& title, const QString& note) {
  const Theme& t = Theme::current();
  const QRectF line(r.left(), r.top(), r.width(), 20);
  text(p, line, title, type::ui(type::small, QFont::DemiBold), t.text1);
  if (!note.isEmpty()) number(p, line, note, type::ui(type::caption), t.text3);
  hairline(p, r.left(), r.right(), r.top() + 24, t.line_soft);
}

void guide(QPainter& p, const QRectF& row, qreal x, qreal up) {
  p.setPen(QPen(Theme::current().line, 1));
  const qreal line = std::floor(x - 10) + 0.5, middle = std::floor(row.center().y()) + 0.5;
  p.drawLine(QPointF(line, row.top() - up), QPointF(line, middle));
  p.drawLine(QPointF(line, middle), QPointF(x - 4, middle));
}

void focus_ring(QPainter& p, const QRectF& r, qreal radius) {
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(Theme::current().focus, 2));
  p.drawRoundedRect(r.adjusted(1, 1, -1, -1), radius, radius);
}

}  // namespace macaw::widgets::paint
