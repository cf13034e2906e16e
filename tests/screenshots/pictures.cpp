// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the real window over jobs that never ran, with fixed font, size, clock and data, to be looked at and
// compared: macaw-pictures FOLDER writes each screen in light and dark.
#include <QApplication>
#include <QDir>
#include <QLocale>

#include "app/main_window.hpp"
#include "widgets/gallery/fake_jobs.hpp"
#include "widgets/views/job_list.hpp"
#include "widgets/views/job_pane.hpp"

using namespace macaw;
using namespace macaw::widgets;

namespace {

struct Screen {
  QString name, job, tab;
  QSize size{1280, 800};
};

const Screen screens[] = {{"overview", "train_segformer_b5_cityscapes.py", "Overview"},
                          {"stages", "train_segformer_b5_cityscapes.py", "Stages"},
                          {"metrics", "train_segformer_b5_cityscapes.py", "Metrics"},
                          {"log", "train_segformer_b5_cityscapes.py", "Log"},
                          {"about", "train_segformer_b5_cityscapes.py", "About"},
                          {"failed", "poisson_multigrid_3d.py", "Overview"},
                          {"stalled", "lofar_subband_0312_fft_pipeline.jl", "Overview"},
                          {"silent", "mcmc_exoplanet_K2-18b_chains.py", "Overview"},
                          {"parent", "sweep_unet_lr.py", "Overview"},
                          {"no-total", "nyc_taxi_2009_2026.py", "Overview"},
                          {"empty-loop", "nothing_to_do.py", "Overview"},
                          {"small", "train_segformer_b5_cityscapes.py", "Overview", {900, 600}}};

const ReceiverStatus busy{6229, 91234, 412.0, 0, 3, 0, 0, {}, 2, 84'000'000, {}};

void take(const QString& folder, const QString& name, JobStore& store, const Screen& screen, Appearance appearance,
          bool empty) {
  Theme::apply(appearance);
  app::MainWindow window(store);
  window.show_status(empty ? ReceiverStatus{6229, 0, {}, 0, 0, 0, 0, {}, 0, 21'000'000, {}} : busy);
  window.show_connection({QStringLiteral("export MACAW_URL=udp://kQ7vN2w8Yt5mBz0x2Fd@ws-lin.physik.uni:6229"), 6229,
                          QStringLiteral("Only sealed reports with your key are accepted.")});
  window.resize(screen.size);
  window.show();
  window.select(screen.job);
  window.pane().open_tab(screen.tab);
  if (auto* focus = QApplication::focusWidget()) focus->clearFocus();
  for (int i = 0; i < 5; ++i) QApplication::processEvents();
  window.grab().save(
      QStringLiteral("%1/%2-%3.png").arg(folder, name, appearance == Appearance::dark ? "dark" : "light"));
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("TZ", "UTC");
  QApplication application(argc, argv);
  QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  QApplication::setStyle(QStringLiteral("Fusion"));
  Theme::use_fixed_fonts();
  const QString folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
  QDir().mkpath(folder);
  JobStore day([] { return fake::moment; }), none([] { return fake::moment; }), crowd([] { return fake::moment; });
  day.reset(fake::day());
  crowd.reset(fake::hundred());
  for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
    for (const Screen& screen : screens) take(folder, screen.name, day, screen, appearance, false);
    take(folder, QStringLiteral("empty"), none, {}, appearance, true);
    const QString overfull = QString::fromStdString(fake::overfull()->identity->name);
    take(folder, QStringLiteral("overfull"), crowd, {{}, overfull, "Overview"}, appearance, false);
    take(folder, QStringLiteral("overfull-stages"), crowd, {{}, overfull, "Stages"}, appearance, false);
    take(folder, QStringLiteral("killed"), crowd, {{}, "assemble_genome.sh", "Overview"}, appearance, false);
    take(folder, QStringLiteral("just-started"), crowd, {{}, "job.py", "Overview"}, appearance, false);
  }
  return 0;
}
