// SPDX-License-Identifier: GPL-3.0-or-later
// The icons in whatever colour the moment needs: currentColor is replaced, the result cached by name, colour, size and
// device pixel ratio. Main thread.
#pragma once

#include <QColor>
#include <QIcon>
#include <QRectF>

#include "collector/model/job.hpp"

class QPainter;

namespace macaw::widgets {

void paint_icon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color);
QIcon icon(const QString& name, const QColor& color);

// "state-failed": the shape that says the state without colour.
QString state_icon(model::State state);
// "Failed".
QString state_word(model::State state);

}  // namespace macaw::widgets
