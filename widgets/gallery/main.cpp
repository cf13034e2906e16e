// SPDX-License-Identifier: GPL-3.0-or-later
// macaw-gallery: each widget in each of its states, on one page, to be looked at while it is changed.
//   macaw-gallery [--theme light|dark] [--screenshot FILE]
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/gallery/fake_jobs.hpp"
#include "widgets/paint/paint.hpp"
#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"
#include "widgets/views/controls.hpp"
#include "widgets/views/empty_page.hpp"
#include "widgets/views/job_header.hpp"
#include "widgets/views/job_list.hpp"
#include "widgets/views/log/log_page.hpp"
#include "widgets/views/metrics/metric_chart.hpp"
#include "widgets/views/overview/sections.hpp"
#include "widgets/views/stages/stages_page.hpp"
#include "widgets/views/status_line.hpp"

namespace macaw::widgets {

namespace {

// Every shape that a bar can have, in every state's colour.
class BarSheet : public Canvas {
 public:
  explicit BarSheet(QWidget* parent) : Canvas(parent) { setFixedHeight(8 * 22); }

 protected:
  void paint(QPainter& p, const QRectF& r) override {
    using Kind = paint::Track::Kind;
    const Theme& t = Theme::current();
    const std::pair<QString, paint::Track> shapes[] = {
        {"nothing yet", {Kind::known, 0, 0}},      {"hardly begun", {Kind::known, 0.0004, 0}},
        {"resumed", {Kind::known, 0.61, 0.2}},     {"done", {Kind::known, 1, 0}},
        {"no total", {Kind::unknown_total, 0, 0}}, {"over-run", {Kind::over_run, 0.77, 0}}};
    const qreal label = 96, width = (r.width() - label) / 7;
    for (int state = 0; state < 7; ++state) {
      const auto s = static_cast<model::State>(state);
      paint_icon(p, QRectF(label + state * width, 3, 13, 13), state_icon(s), t.text(s));
      paint::text(p, QRectF(label + state * width + 18, 0, width - 24, 20), state_word(s), type::ui(type::small),
                  t.text(s));
    }
    qreal y = 26;
    for (const auto& [name, track] : shapes) {
      paint::text(p, QRectF(0, y, label, 20), name, type::ui(type::small), t.text2);
      for (int state = 0; state < 7; ++state)
        paint::bar(p, QRectF(label + state * width, y + 6, width - 16, 8), track,
                   t.fill(static_cast<model::State>(state)));
      y += 22;
    }
  }
};

class IconSheet : public Canvas {
 public:
  explicit IconSheet(QWidget* parent) : Canvas(parent), m_names(QDir(QStringLiteral(":/macaw/icons")).entryList()) {
    setFixedHeight(static_cast<int>((m_names.size() + 7) / 8) * 44);
  }

 protected:
  void paint(QPainter& p, const QRectF& r) override {
    const Theme& t = Theme::current();
    const qreal width = r.width() / 8;
    for (int i = 0; i < m_names.size(); ++i) {
      const QString name = m_names[i].section(QLatin1Char('.'), 0, 0);
      const int row = i / 8;
      const QRectF cell(i % 8 * width, row * 44, width, 44);
      paint_icon(p, QRectF(cell.left(), cell.top() + 4, 16, 16), name, t.text1);
      paint::text(p, QRectF(cell.left(), cell.top() + 22, width - 8, 16), name, type::ui(type::caption), t.text3);
    }
  }

 private:
  QStringList m_names;
};

class Gallery : public QWidget {
 public:
  Gallery() : m_store([] { return fake::moment; }) {
    setObjectName(QStringLiteral("pane"));
    setAttribute(Qt::WA_StyledBackground);
    m_store.reset(fake::day());
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(24, 24, 24, 24);
    page->setSpacing(12);

    title(page, QStringLiteral("Bars"));
    page->addWidget(new BarSheet(this));
    title(page, QStringLiteral("Controls"));
    auto* controls = new QHBoxLayout;
    controls->addWidget(search_field(QStringLiteral("Find a stage"), this));
    controls->addWidget(icon_button(QStringLiteral("export"), QStringLiteral("Export CSV…"), this));
    auto* primary = new QPushButton(QStringLiteral("Copy line"), this);
    primary->setProperty("primary", true);
    controls->addWidget(primary);
    auto* disabled = new QPushButton(QStringLiteral("Disabled"), this);
    disabled->setEnabled(false);
    controls->addWidget(disabled);
    controls->addStretch();
    page->addLayout(controls);
    title(page, QStringLiteral("Icons"));
    page->addWidget(new IconSheet(this));

    title(page, QStringLiteral("Job headers and reasons"));
    for (const auto& job : {fake::training(), fake::stalled(), fake::silent(), fake::finished(), fake::failed(),
                            fake::killed(), fake::interrupted(), fake::ended_early(), fake::overfull()}) {
      const JobView view{job, {}, fake::moment};
      auto* header = new JobHeader(this);
      header->show_job(view);
      page->addWidget(header);
      show_section(page, new ReasonBox(this), view);
      show_section(page, new TimeLine(this), view);
    }

    title(page, QStringLiteral("Sections"));
    const JobView training{fake::training(), fake::day(), fake::moment}, failed{fake::failed(), {}, fake::moment},
        over{fake::overfull(), {}, fake::moment};
    for (const JobView& view : {training, failed, over}) {
      show_section(page, new TracebackSection(this), view);
      show_section(page, new ProgressSection(this), view);
      show_section(page, new NowSection(this), view);
      show_section(page, new MetricsSection(this), view);
      show_section(page, new UsageSection(this), view);
      show_section(page, new LogTailSection(this), view);
    }
    show_section(page, new WorkersSection(this), training);

    title(page, QStringLiteral("Job list, stages, log"));
    auto* list = new JobList(m_store, this);
    list->setFixedSize(320, 860);
    page->addWidget(list);
    for (JobPage* view : {static_cast<JobPage*>(new StagesPage(this)), static_cast<JobPage*>(new LogPage(this))}) {
      view->setFixedHeight(520);
      view->show_job(training);
      page->addWidget(view);
    }
    for (const std::size_t i : {std::size_t{0}, std::size_t{4}}) {
      auto* chart = new MetricChart(this);
      chart->setFixedHeight(260);
      chart->show_metric(training.job->metrics[i], CurveAxis::step, false);
      chart->set_cross_hair(52'000);
      page->addWidget(chart);
    }

    title(page, QStringLiteral("Status lines, empty page"));
    for (const ReceiverStatus& status :
         {ReceiverStatus{6229, 0, {}, 0, 0, 0, 0, {}, 0, 21'000'000, {}},
          ReceiverStatus{6229, 91234, 412.0, 0, 0, 0, 0, {}, 2, 84'000'000, {}},
          ReceiverStatus{6229, 91234, 412.0, 12, 3, 41, 0, QStringLiteral("wrong key"), 1, 84'000'000, {}}}) {
      auto* line = new StatusLine(this);
      line->show_status(status);
      page->addWidget(line);
    }
    auto* empty = new EmptyPage(this);
    empty->setFixedHeight(360);
    empty->show_connection(QStringLiteral("export MACAW_URL=udp://kQ7vN2w8Yt5mBz0x2Fd@ws-lin.physik.uni:6229"), 6229,
                           QStringLiteral("Only sealed reports with your key are accepted."));
    page->addWidget(empty);
  }

 private:
  void title(QVBoxLayout* page, const QString& text) {
    auto* label = new QLabel(text, this);
    label->setFont(type::ui(type::title, QFont::DemiBold));
    label->setContentsMargins(0, 12, 0, 0);
    page->addWidget(label);
  }
  static void show_section(QVBoxLayout* page, Section* section, const JobView& view) {
    page->addWidget(section);
    section->show_job(view);
  }

  JobStore m_store;
};

}  // namespace

}  // namespace macaw::widgets

int main(int argc, char** argv) {
  using namespace macaw::widgets;
  qputenv("TZ", "UTC");
  QApplication application(argc, argv);
  QApplication::setStyle(QStringLiteral("Fusion"));
  QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  QCommandLineParser parser;
  parser.addHelpOption();
  parser.addOptions({{"theme", "Colours: light or dark.", "NAME", "light"},
                     {"screenshot", "Write the whole page to <FILE> and exit.", "FILE"}});
  parser.process(application);
  Theme::use_fixed_fonts();
  Theme::apply(parser.value("theme") == QLatin1String("dark") ? Appearance::dark : Appearance::light);

  auto* gallery = new Gallery;
  QScrollArea window;
  window.setWindowTitle(QStringLiteral("Macaw gallery"));
  window.setWidget(gallery);
  window.setWidgetResizable(true);
  window.resize(1100, 900);
  window.show();
  if (!parser.isSet("screenshot")) return QApplication::exec();
  for (int i = 0; i < 5; ++i) QApplication::processEvents();
  return gallery->grab().save(parser.value("screenshot")) ? 0 : 1;
}
