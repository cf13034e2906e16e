// SPDX-License-Identifier: GPL-3.0-or-later
// The bottom of the window: whether reports come in, how many, what was lost; browsers and memory at the right.
#pragma once

#include <optional>
#include <vector>

#include "widgets/paint/canvas.hpp"

namespace macaw::widgets {

// What the receiver knows about itself, free of where it comes from.
struct ReceiverStatus {
  int port = 0;
  quint64 received = 0;              // reports since the start
  std::optional<double> per_second;  // none before the first two looks
  quint64 reports_lost = 0, log_lines_lost = 0, refused = 0, kernel_drops = 0;
  QString refused_why;
  quint64 browsers = 0, memory = 0;
  QString problem;  // one line, in place of "Receiving"
};

struct StatusItem {
  QString text, icon;
  enum class Tone { plain, good, warning } tone = Tone::plain;
};
std::vector<StatusItem> status_left(const ReceiverStatus& status);
std::vector<StatusItem> status_right(const ReceiverStatus& status);

class StatusLine : public Canvas {
  Q_OBJECT

 public:
  explicit StatusLine(QWidget* parent = nullptr);
  void show_status(const ReceiverStatus& status);

 protected:
  void paint(QPainter& p, const QRectF& r) override;

 private:
  ReceiverStatus m_status;
};

}  // namespace macaw::widgets
