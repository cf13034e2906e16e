// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/job_header.hpp"

#include <QFontMetricsF>

#include "widgets/format/format.hpp"
#include "widgets/models/job_line.hpp"
#include "widgets/paint/paint.hpp"
#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::widgets {

namespace {
constexpr qreal margin = 20, readout_gap = 32;

QString done_text(const model::Bar& bar) {
  const auto done = format::fraction(bar);
  return done ? format::percent(*done) : format::count(bar.n);
}
}  // namespace

std::vector<Readout> readouts(const JobView& view) {
  const model::Job& job = *view.job;
  const model::Bar* bar = job.main_bar();
  const QString elapsed = format::duration(job.elapsed(view.now.monotonic));
  if (model::is_terminal(job.state)) {
    std::vector<Readout> result{{QStringLiteral("Ran for"), elapsed}};
    if (bar) result.push_back({QStringLiteral("Reached"), done_text(*bar)});
    return result;
  }
  std::vector<Readout> result{{QStringLiteral("Elapsed"), elapsed}};
  if (!bar) return result;
  result.push_back({QStringLiteral("Left"), format::left(bar->eta, bar->eta_range)});
  result.push_back({QStringLiteral("Done"), done_text(*bar)});
  return result;
}

QString job_details(const JobView& view) {
  const model::Job& job = *view.job;
  if (!job.identity) return {};
  const model::Identity& who = *job.identity;
  QStringList parts;
  if (!who.host.empty()) parts << QString::fromStdString(who.host);
  if (who.pid) parts << QStringLiteral("pid %1").arg(*who.pid);
  if (model::is_terminal(job.state))
    parts << QStringLiteral("%1 to %2")
                 .arg(format::clock(job.started, view.now.unix_time),
                      format::clock(ended_unix(job), view.now.unix_time));
  QStringList tags;
  for (const auto& [key, value] : who.tags) tags << format::tag(key, value);
  if (!tags.isEmpty()) parts << tags.join(QStringLiteral("  "));
  return parts.join(QStringLiteral("   "));
}

JobHeader::JobHeader(QWidget* parent) : Canvas(parent) { setFixedHeight(76); }

void JobHeader::show_job(const JobView& view) {
  m_state = view.job->state;
  m_name = job_name(*view.job);
  m_details = job_details(view);
  m_readouts = readouts(view);
  QStringList sentence{m_name, state_word(m_state)};
  for (const Readout& readout : m_readouts) sentence << readout.label + QLatin1Char(' ') + readout.value;
  setAccessibleName(sentence.join(QStringLiteral(", ")));
  setToolTip(m_details);
  update();
}

void JobHeader::paint(QPainter& p, const QRectF& r) {
  const Theme& t = Theme::current();
  const QFont value_font = type::ui(type::title, QFont::Medium), label_font = type::ui(type::caption);

  // Readouts from the right; in a narrow window the left ones give way to the name first.
  qreal right = r.right() - margin;
  for (auto readout = m_readouts.rbegin(); readout != m_readouts.rend(); ++readout) {
    const qreal width = std::max({paint::number_width(value_font, readout->value),
                                  QFontMetricsF(label_font).horizontalAdvance(readout->label), 48.0}) +
                        1;
    if (right - width < r.left() + 260 && readout != m_readouts.rbegin()) break;
    paint::text(p, QRectF(right - width, 14, width, 16), readout->label, label_font, t.text3, Qt::AlignRight);
    paint::number(p, QRectF(right - width, 32, width, 22), readout->value, value_font, t.text1);
    right -= width + readout_gap;
  }

  paint::text(p, QRectF(margin, 12, right - margin, 28), m_name, type::ui(type::display, QFont::DemiBold), t.text1,
              Qt::AlignLeft, Qt::ElideMiddle);
  const QFont pill_font = type::ui(type::small, QFont::Medium);
  const QString word = state_word(m_state);
  const qreal pill = QFontMetricsF(pill_font).horizontalAdvance(word) + 32;
  paint::rounded(p, QRectF(margin, 44, pill, 20), 4, t.tint(m_state));
  paint_icon(p, QRectF(margin + 7, 47, 13, 13), state_icon(m_state), t.text(m_state));
  paint::text(p, QRectF(margin + 24, 44, pill, 20), word, pill_font, t.text(m_state));
  paint::text(p, QRectF(margin + pill + 12, 44, right - margin - pill - 12, 20), m_details, type::ui(type::small),
              t.text2);
}

}  // namespace macaw::widgets
