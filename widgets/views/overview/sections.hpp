// SPDX-License-Identifier: GPL-3.0-or-later
// The sections of the Overview: a title, one hairline, painted rows. Each takes a JobView, is as high as its rows, and
// hides when it has nothing to say.
#pragma once

#include <optional>
#include <set>

#include "widgets/paint/canvas.hpp"
#include "widgets/views/overview/reason.hpp"
#include "widgets/views/overview/rows.hpp"

namespace macaw::widgets {

class Section : public Canvas {
  Q_OBJECT

 public:
  explicit Section(QWidget* parent = nullptr) : Canvas(parent) {}
  virtual void show_job(const JobView& view) = 0;

 protected:
  // Takes the height that `content` needs; none hides the section.
  void take_height(int content);
};

class TimeLine : public Section {
  Q_OBJECT

 public:
  using Section::Section;
  void show_job(const JobView& view) override;

 protected:
  void paint(QPainter& p, const QRectF& r) override;

 private:
  model::State m_state = model::State::running;
  QString m_start, m_now, m_end;
  double m_filled = 0, m_likely_from = 1;
  bool m_open = true;  // still running: there is a "now" on the line
  bool m_end_known = false;
};

class ReasonBox : public Section {
  Q_OBJECT

 public:
  explicit ReasonBox(QWidget* parent = nullptr);
  void show_job(const JobView& view) override;

 signals:
  void show_log();

 protected:
  void paint(QPainter& p, const QRectF& r) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  std::optional<Reason> m_reason;
  LinkButton* m_link;
};

class TracebackSection : public Section {
  Q_OBJECT

 public:
  explicit TracebackSection(QWidget* parent = nullptr);
  void show_job(const JobView& view) override;

 protected:
  void paint(QPainter& p, const QRectF& r) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  // A frame of the user's, or a run of library frames folded into one row.
  struct Row {
    std::size_t first = 0, count = 1;
    bool folded = false;
    int y = 0, height = 0;
  };
  void lay_out();

  QString m_text, m_type, m_message;
  std::vector<Frame> m_frames;
  std::set<std::size_t> m_unfolded;
  std::vector<Row> m_rows;
  QStringList m_plain;  // when it is not a traceback that we can read
  LinkButton* m_copy;
};

class ProgressSection : public Section {
  Q_OBJECT

 public:
  using Section::Section;
  void show_job(const JobView& view) override;

 protected:
  void paint(QPainter& p, const QRectF& r) override;

 private:
  QString m_title;
  std::vector<BarRow> m_rows;
};

class NowSection : public Section {
  Q_OBJECT

 public:
  using Section::Section;
  void show_job(const JobView& view) override;

 protected:
  void paint(QPainter& p, const QRectF& r) override;

 private:
  QString m_title;
  bool m_running = true;
  std::vector<OpenRow> m_rows;
};

class WorkersSection : public Section {
  Q_OBJECT

 public:
  using Section::Section;
  void show_job(const JobView& view) override;

 protected:
  void paint(QPainter& p, const QRectF& r) override;

 private:
  std::vector<WorkerRow> m_rows;
};

class MetricsSection : public Section {
  Q_OBJECT

 public:
  explicit MetricsSection(QWidget* parent = nullptr);
  void show_job(const JobView& view) override;

 signals:
  void show_metrics();

 protected:
  void paint(QPainter& p, const QRectF& r) override;

 private:
  QString m_title, m_step;
  std::vector<MetricRow> m_rows;
  LinkButton* m_more;
};

class UsageSection : public Section {
  Q_OBJECT

 public:
  using Section::Section;
  void show_job(const JobView& view) override;

 protected:
  void paint(QPainter& p, const QRectF& r) override;

 private:
  QString m_title;
  std::vector<UsageRow> m_rows;
};

class LogTailSection : public Section {
  Q_OBJECT

 public:
  explicit LogTailSection(QWidget* parent = nullptr);
  void show_job(const JobView& view) override;

 signals:
  void show_log();

 protected:
  void paint(QPainter& p, const QRectF& r) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Line {
    QString time, text;
    model::LogLevel level;
  };
  std::vector<Line> m_lines;
  LinkButton* m_link;
};

}  // namespace macaw::widgets
