// SPDX-License-Identifier: GPL-3.0-or-later
// What is answered in the first second, on every tab: which job, how it is, how long, how much is left.
#pragma once

#include <vector>

#include "widgets/paint/canvas.hpp"
#include "widgets/views/job_view.hpp"

namespace macaw::widgets {

struct Readout {
  QString label, value;
};
// Elapsed, Left, Done; Ran for and Reached once it ended.
std::vector<Readout> readouts(const JobView& view);
// "gpu-04   pid 48291   seed=7  lr=6e-4".
QString job_details(const JobView& view);

class JobHeader : public Canvas {
  Q_OBJECT

 public:
  explicit JobHeader(QWidget* parent = nullptr);
  void show_job(const JobView& view);

 protected:
  void paint(QPainter& p, const QRectF& r) override;

 private:
  model::State m_state = model::State::running;
  QString m_name, m_details;
  std::vector<Readout> m_readouts;
};

}  // namespace macaw::widgets
