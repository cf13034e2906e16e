// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/metrics/metrics_page.hpp"

#include <QButtonGroup>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/format/format.hpp"
#include "widgets/views/controls.hpp"
#include "widgets/views/metrics/metric_chart.hpp"

namespace macaw::widgets {

namespace {

constexpr int two_columns_from = 720, chart_height = 270;
constexpr double draw_again_after = 1.0;
constexpr std::size_t charts_at_most = 60;  // more are found by name

bool is_text(const model::Metric& metric) { return std::holds_alternative<std::string>(metric.latest.value); }

}  // namespace

MetricsPage::MetricsPage(QWidget* parent) : JobPage(parent), m_scroll(new QScrollArea(this)) {
  m_find = search_field(tr("Find a metric"), this);
  m_find->setFixedWidth(200);
  auto* tools = new QHBoxLayout;
  tools->setContentsMargins(20, 8, 20, 8);
  tools->setSpacing(8);
  tools->addWidget(m_find);
  const auto segmented = [this, tools](const QString& first, const QString& second) {
    auto* group = new QWidget(this);
    group->setObjectName(QStringLiteral("segmented"));
    group->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(2, 2, 2, 2);
    row->setSpacing(0);
    row->addWidget(segment(first, true, group));
    QPushButton* other = segment(second, false, group);
    row->addWidget(other);
    tools->addWidget(group);
    connect(other, &QPushButton::toggled, this, &MetricsPage::draw_all);
    return other;
  };
  m_by_time = segmented(tr("Step"), tr("Time"));
  m_logarithmic = segmented(tr("Linear"), tr("Log"));
  tools->addStretch();
  m_texts = new QLabel(this);
  m_texts->setForegroundRole(QPalette::PlaceholderText);
  tools->addWidget(m_texts);

  auto* content = new QWidget(m_scroll);
  content->setBackgroundRole(QPalette::Base);
  content->setAutoFillBackground(true);
  m_grid = new QGridLayout(content);
  m_grid->setContentsMargins(20, 8, 20, 16);
  m_grid->setHorizontalSpacing(32);
  m_grid->setVerticalSpacing(16);
  m_scroll->setWidget(content);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setAccessibleName(tr("Metrics"));
  m_nothing = new QLabel(tr("No metrics yet. Add <code>macaw.metrics(loss=…)</code>"), this);
  m_nothing->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  m_nothing->setForegroundRole(QPalette::PlaceholderText);
  m_nothing->setContentsMargins(20, 40, 20, 0);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(tools);
  layout->addWidget(m_scroll, 1);
  layout->addWidget(m_nothing, 1);
  connect(m_find, &QLineEdit::textChanged, this, &MetricsPage::place_charts);
}

QPushButton* MetricsPage::segment(const QString& text, bool checked, QWidget* group) {
  auto* button = new QPushButton(text, group);
  button->setProperty("segment", true);
  button->setCheckable(true);
  button->setAutoExclusive(true);
  button->setChecked(checked);
  return button;
}

void MetricsPage::focus_find() {
  m_find->setFocus(Qt::ShortcutFocusReason);
  m_find->selectAll();
}

void MetricsPage::show_job(const JobView& view) {
  const bool other = !m_job || m_job->id != view.job->id;
  m_job = view.job;
  if (other) {
    for (auto& [name, shown] : m_charts) delete shown.chart;
    m_charts.clear();
    m_order.clear();
  }
  bool placed = false;
  QStringList texts;
  for (const auto& metric : m_job->metrics) {
    if (is_text(*metric)) {
      texts << QString::fromStdString(metric->name) + QStringLiteral(": ") +
                   format::metric(metric->latest.value).left(24);
      continue;
    }
    Shown& shown = m_charts[metric->name];
    if (!shown.chart) {
      shown.chart = new MetricChart(m_scroll->widget());
      connect(&shown.chart->view(), &CurveView::hovered, this, [this](std::optional<double> x) {
        for (auto& [name, each] : m_charts) each.chart->set_cross_hair(x);
      });
      m_order.push_back(metric->name);
      placed = true;
    }
    if (shown.metric == metric || (shown.metric && view.now.monotonic - shown.drawn_at < draw_again_after &&
                                   view.now.monotonic >= shown.drawn_at))
      continue;
    shown.metric = metric;
    shown.drawn_at = view.now.monotonic;
    shown.chart->show_metric(metric, m_by_time->isChecked() ? CurveAxis::time : CurveAxis::step,
                             m_logarithmic->isChecked());
  }
  m_texts->setText(QStringList(texts.mid(0, 3)).join(QStringLiteral("   ")));
  m_scroll->setVisible(!m_job->metrics.empty());
  m_nothing->setVisible(m_job->metrics.empty());
  if (placed || other) place_charts();
}

void MetricsPage::draw_all() {
  for (auto& [name, shown] : m_charts)
    if (shown.metric)
      shown.chart->show_metric(shown.metric, m_by_time->isChecked() ? CurveAxis::time : CurveAxis::step,
                               m_logarithmic->isChecked());
}

void MetricsPage::place_charts() {
  const int columns = width() >= two_columns_from ? 2 : 1;
  while (QLayoutItem* item = m_grid->takeAt(0)) delete item;
  int placed = 0;
  std::size_t shown_count = 0;
  for (const std::string& name : m_order) {
    MetricChart* chart = m_charts[name].chart;
    const bool wanted =
        shown_count < charts_at_most && QString::fromStdString(name).contains(m_find->text(), Qt::CaseInsensitive);
    chart->setVisible(wanted);
    if (!wanted) continue;
    ++shown_count;
    chart->setFixedHeight(chart_height);
    m_grid->addWidget(chart, placed / columns, placed % columns);
    ++placed;
  }
  m_grid->setColumnStretch(0, 1);
  m_grid->setColumnStretch(1, columns == 2 ? 1 : 0);
  m_grid->setRowStretch(placed / columns + 1, 1);
}

void MetricsPage::resizeEvent(QResizeEvent* event) {
  JobPage::resizeEvent(event);
  place_charts();
}

void MetricsPage::changeEvent(QEvent* event) {
  JobPage::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) draw_all();
}

}  // namespace macaw::widgets
