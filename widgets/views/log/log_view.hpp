// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the visible rows of a log and nothing else, so that a million lines cost what forty cost. Follows the end
// until the person scrolls up. A ruler at the right marks warnings, errors, gaps and hits.
#pragma once

#include <QAbstractScrollArea>
#include <optional>
#include <vector>

#include "widgets/views/log/log_rows.hpp"

namespace macaw::widgets {

class LogView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  static constexpr int row_height = 20;

  explicit LogView(QWidget* parent = nullptr);

  // `started` turns up-times into wall time.
  void show_log(const std::shared_ptr<const model::Log>& log, double started, bool other_job);
  void show_level(model::LogLevel level, bool shown);
  const LogRows& rows() const { return m_rows; }

  void set_search(const QString& text);
  void go_to_hit(int step);
  std::size_t hit_count() const { return m_hits.size(); }
  std::size_t current_hit() const { return m_current_hit; }

  bool follows() const { return m_follow; }
  void set_follow(bool follow);
  std::size_t unseen() const { return m_unseen; }

 signals:
  void changed();  // hits, follow or counts

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void fit_scroll_bars();
  void find_hits(std::size_t from);
  void paint_row(QPainter& p, std::size_t row, qreal y) const;
  void paint_hits(QPainter& p, std::size_t row, const QString& text, qreal x, qreal y) const;
  void paint_ruler(QPainter& p) const;
  QString copied_text() const;

  LogRows m_rows;
  double m_started = 0;
  QString m_search;
  std::vector<std::size_t> m_hits;  // rows
  std::size_t m_current_hit = 0;
  bool m_follow = true, m_scrolling_itself = false;
  std::size_t m_unseen = 0;
};

}  // namespace macaw::widgets
