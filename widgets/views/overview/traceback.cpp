// SPDX-License-Identifier: GPL-3.0-or-later
// The traceback of a failed job: the user's own frames with their source line, library frames folded, the frame that
// raised marked, the exception repeated last.
#include <QClipboard>
#include <QGuiApplication>
#include <QMouseEvent>

#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"
#include "widgets/views/overview/sections.hpp"

namespace macaw::widgets {

namespace {
constexpr int head = static_cast<int>(paint::section_head_height), frame_height = 44, bare_height = 26,
              fold_height = 26;
constexpr qsizetype plain_lines_shown = 200;
}  // namespace

TracebackSection::TracebackSection(QWidget* parent) : Section(parent), m_copy(new LinkButton(tr("Copy"), this)) {
  connect(m_copy, &LinkButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text); });
}

void TracebackSection::show_job(const JobView& view) {
  const auto& error = view.job->error;
  const QString text = error ? QString::fromStdString(error->traceback) : QString();
  if (text == m_text && !text.isEmpty()) return;
  m_text = text;
  m_unfolded.clear();
  m_frames = frames(text);
  m_type = error ? QString::fromStdString(error->type) : QString();
  m_message = error ? QString::fromStdString(error->message).simplified() : QString();
  m_plain = m_frames.empty() ? text.trimmed().split(QLatin1Char('\n'), Qt::SkipEmptyParts).mid(0, plain_lines_shown)
                             : QStringList();
  setAccessibleName(tr("Traceback"));
  setAccessibleDescription(text);
  lay_out();
}

void TracebackSection::lay_out() {
  m_rows.clear();
  int y = head + 2;
  for (std::size_t i = 0; i < m_frames.size();) {
    std::size_t end = i + 1;
    if (m_frames[i].library && !m_unfolded.contains(i)) {
      while (end < m_frames.size() && m_frames[end].library) ++end;
      m_rows.push_back({i, end - i, true, y, fold_height});
    } else {
      m_rows.push_back({i, 1, false, y, m_frames[i].code.isEmpty() ? bare_height : frame_height});
      // Opening a run shows all of its frames.
      if (m_frames[i].library && i + 1 < m_frames.size() && m_frames[i + 1].library) m_unfolded.insert(i + 1);
    }
    y += m_rows.back().height;
    i = end;
  }
  y += static_cast<int>(m_plain.size()) * 20;
  const bool anything = !m_rows.empty() || !m_plain.isEmpty();
  take_height(anything ? y + (m_type.isEmpty() ? 0 : 32) + 12 : 0);
}

void TracebackSection::resizeEvent(QResizeEvent*) {
  m_copy->resize(m_copy->sizeHint());
  m_copy->move(width() - m_copy->width(), 0);
}

void TracebackSection::mousePressEvent(QMouseEvent* event) {
  for (const Row& row : m_rows)
    if (row.folded && event->position().y() >= row.y && event->position().y() < row.y + row.height) {
      m_unfolded.insert(row.first);
      lay_out();
      return;
    }
}

void TracebackSection::paint(QPainter& p, const QRectF& r) {
  const Theme& t = Theme::current();
  const QFont small = type::ui(type::small), mono = type::mono();
  paint::section_head(p, r, tr("Traceback"));
  std::size_t raising = m_frames.size();
  for (std::size_t i = 0; i < m_frames.size(); ++i)
    if (!m_frames[i].library) raising = i;

  qreal y = head + 2;
  for (const Row& row : m_rows) {
    y = row.y;
    const Frame& frame = m_frames[row.first];
    if (row.folded) {
      paint_icon(p, QRectF(r.left() - 1, y + 6, 13, 13), QStringLiteral("chevron-right"), t.text3);
      const QString n = format::things(row.count, tr("frame"), tr("frames"));
      paint::number(p, QRectF(r.left() + 16, y, r.width(), fold_height), tr("%1 in %2").arg(n, frame.package()), small,
                    t.text3, Qt::AlignLeft);
    } else {
      const bool here = row.first == raising;
      if (here) {
        paint::rounded(p, QRectF(r.left(), y, r.width(), row.height - 2), 4, t.sunken);
        p.fillRect(QRectF(r.left(), y, 2, row.height - 2), t.fill(model::State::failed));
      }
      const qreal x = r.left() + 10;
      const qreal name = paint::text(p, QRectF(x, y + 3, 240, 18), frame.function,
                                     type::ui(type::small, here ? QFont::DemiBold : QFont::Medium), t.text1,
                                     Qt::AlignLeft, Qt::ElideMiddle);
      paint::number(p, QRectF(x + name + 10, y + 3, r.width() - name - 30, 18), frame.place(), small, t.text3,
                    Qt::AlignLeft);
      paint::text(p, QRectF(x + 16, y + 21, r.width() - 40, 18), frame.code, mono, here ? t.text1 : t.text2);
    }
    y += row.height;
  }
  for (const QString& line : m_plain) {
    paint::text(p, QRectF(r.left(), y, r.width(), 20), line, mono, t.text2);
    y += 20;
  }
  if (m_type.isEmpty()) return;
  y += 4;
  paint::rounded(p, QRectF(r.left(), y, r.width(), 26), 4, t.tint(model::State::failed));
  const qreal width = paint::text(p, QRectF(r.left() + 10, y, r.width() - 20, 26), m_type,
                                  type::mono(type::small, QFont::Bold), t.text(model::State::failed));
  if (!m_message.isEmpty())
    paint::text(p, QRectF(r.left() + 10 + width, y, r.width() - width - 20, 26), QStringLiteral(": ") + m_message, mono,
                t.text1);
}

}  // namespace macaw::widgets
