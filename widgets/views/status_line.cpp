// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/status_line.hpp"

#include <QStringList>
#include <cmath>

#include "widgets/format/format.hpp"
#include "widgets/paint/paint.hpp"
#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::widgets {

namespace {
constexpr qreal margin = 12, gap = 20, icon_size = 13, icon_space = 19;
using Tone = StatusItem::Tone;
}  // namespace

std::vector<StatusItem> status_left(const ReceiverStatus& s) {
  const QString warning = QStringLiteral("warning");
  std::vector<StatusItem> items;
  if (s.problem.isEmpty())
    items.push_back({QStringLiteral("Receiving on %1").arg(s.port), QStringLiteral("check"), Tone::good});
  else
    items.push_back({s.problem, warning, Tone::warning});
  if (s.received == 0)
    items.push_back({QStringLiteral("no reports yet"), {}, Tone::plain});
  else if (s.per_second)
    items.push_back(
        {QStringLiteral("%1 reports/s").arg(format::exact(static_cast<std::uint64_t>(std::llround(*s.per_second)))),
         {},
         Tone::plain});
  else
    items.push_back({format::things(s.received, QStringLiteral("report"), QStringLiteral("reports")), {}, Tone::plain});
  if (s.log_lines_lost)
    items.push_back({format::things(s.log_lines_lost, QStringLiteral("log line"), QStringLiteral("log lines")) +
                         QStringLiteral(" lost"),
                     warning, Tone::warning});
  else if (s.reports_lost || s.kernel_drops)
    items.push_back(
        {format::things(s.reports_lost + s.kernel_drops, QStringLiteral("report"), QStringLiteral("reports")) +
             QStringLiteral(" lost"),
         warning, Tone::warning});
  else if (s.received)
    items.push_back({QStringLiteral("none lost"), {}, Tone::plain});
  if (s.refused)
    items.push_back({format::things(s.refused, QStringLiteral("report"), QStringLiteral("reports")) +
                         QStringLiteral(" refused") +
                         (s.refused_why.isEmpty() ? QString() : QStringLiteral(": ") + s.refused_why),
                     warning, Tone::warning});
  return items;
}

std::vector<StatusItem> status_right(const ReceiverStatus& s) {
  std::vector<StatusItem> items;
  items.push_back({s.browsers ? format::things(s.browsers, QStringLiteral("browser"), QStringLiteral("browsers"))
                              : QStringLiteral("no browsers"),
                   {},
                   Tone::plain});
  if (s.memory) items.push_back({format::bytes(static_cast<double>(s.memory)).text(), {}, Tone::plain});
  return items;
}

StatusLine::StatusLine(QWidget* parent) : Canvas(parent) { setFixedHeight(26); }

void StatusLine::show_status(const ReceiverStatus& status) {
  m_status = status;
  QStringList words;
  for (const auto& side : {status_left(status), status_right(status)})
    for (const StatusItem& item : side) words << item.text;
  setAccessibleName(words.join(QStringLiteral(", ")));
  update();
}

void StatusLine::paint(QPainter& p, const QRectF& r) {
  const Theme& t = Theme::current();
  const QFont font = type::ui(type::small);
  p.fillRect(r, t.window);
  paint::hairline(p, r.left(), r.right() + 1, 0, t.line);
  const QRectF line = r.adjusted(0, 1, 0, 0);

  qreal right = r.right() - margin;
  const auto right_items = status_right(m_status);
  for (auto item = right_items.rbegin(); item != right_items.rend(); ++item) {
    const qreal width = paint::number_width(font, item->text);
    paint::number(p, QRectF(right - width, line.top(), width + 1, line.height()), item->text, font, t.text3,
                  Qt::AlignLeft);
    right -= width + gap;
  }
  qreal x = margin;
  for (const StatusItem& item : status_left(m_status)) {
    const QColor& color = item.tone == Tone::warning ? t.warning() : t.text2;
    if (!item.icon.isEmpty()) {
      paint_icon(p, QRectF(x, line.center().y() - 6.5, icon_size, icon_size), item.icon,
                 item.tone == Tone::good ? t.text(model::State::finished) : color);
      x += icon_space;
    }
    if (right - x < 20) break;
    x += paint::number(p, QRectF(x, line.top(), right - x, line.height()), item.text, font, color, Qt::AlignLeft) + gap;
  }
}

}  // namespace macaw::widgets
