// SPDX-License-Identifier: GPL-3.0-or-later
// The log with its tool row: find, level chips with counts, follow.
#pragma once

#include <array>

#include "widgets/views/job_view.hpp"

class QLabel;
class QLineEdit;
class QPushButton;

namespace macaw::widgets {

class Chip;
class LogView;

class LogPage : public JobPage {
  Q_OBJECT

 public:
  explicit LogPage(QWidget* parent = nullptr);
  void show_job(const JobView& view) override;
  void focus_find();
  LogView& log() { return *m_log; }

 private:
  void refresh_tools();

  QLineEdit* m_find;
  QLabel* m_hits;
  QPushButton* m_previous;
  QPushButton* m_next;
  QPushButton* m_follow;
  QLabel* m_nothing;
  LogView* m_log;
  std::array<Chip*, 4> m_chips{};
  model::JobId m_job{};
};

}  // namespace macaw::widgets
