// SPDX-License-Identifier: GPL-3.0-or-later
// What is known about the run itself: where, by whom, with which command, from which commit.
#pragma once

#include <QString>
#include <vector>

#include "widgets/views/job_view.hpp"

class QFormLayout;
class QScrollArea;

namespace macaw::widgets {

struct Fact {
  QString label, value;
  bool code = false;
};
std::vector<Fact> facts_about(const JobView& view);

class AboutPage : public JobPage {
  Q_OBJECT

 public:
  explicit AboutPage(QWidget* parent = nullptr);
  void show_job(const JobView& view) override;

 private:
  QScrollArea* m_scroll;
  QFormLayout* m_form;
  std::vector<Fact> m_facts;
};

}  // namespace macaw::widgets
