// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/icons.hpp"

#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <cmath>

namespace macaw::widgets {

namespace {

QPixmap rendered(const QString& name, const QColor& color, const QSizeF& size, qreal ratio) {
  const QString key = QStringLiteral("macaw/%1/%2/%3x%4@%5")
                          .arg(name, color.name(QColor::HexArgb))
                          .arg(size.width())
                          .arg(size.height())
                          .arg(ratio);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;

  QFile file(QStringLiteral(":/macaw/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) {
    qWarning("No icon named %s", qPrintable(name));
    return {};
  }
  QByteArray svg = file.readAll();
  svg.replace("currentColor", color.name().toLatin1());
  pixmap = QPixmap((size * ratio).toSize());
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  QSvgRenderer(svg).render(&painter, QRectF(QPointF(), size));
  painter.end();
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

}  // namespace

void paint_icon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color) {
  painter.drawPixmap(QPointF(std::round(rect.left()), std::round(rect.top())),
                     rendered(name, color, rect.size(), painter.device()->devicePixelRatioF()));
}

QIcon icon(const QString& name, const QColor& color) {
  QIcon result;
  for (const qreal ratio : {1.0, 2.0}) result.addPixmap(rendered(name, color, {16, 16}, ratio));
  return result;
}

QString state_icon(model::State state) {
  static const char* const names[] = {"running", "stalled",     "nocontact", "finished",
                                      "failed",  "interrupted", "endedearly"};
  return QStringLiteral("state-") + QString::fromLatin1(names[static_cast<std::size_t>(state)]);
}

QString state_word(model::State state) {
  QString word = QString::fromLatin1(model::state_name(state));
  word[0] = word[0].toUpper();
  return word;
}

}  // namespace macaw::widgets
