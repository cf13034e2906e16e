// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/job_list.hpp"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "widgets/theme/icons.hpp"
#include "widgets/theme/theme.hpp"
#include "widgets/views/controls.hpp"
#include "widgets/views/job_delegate.hpp"
#include "widgets/views/state_chips.hpp"

namespace macaw::widgets {

namespace {
constexpr int seen_after_ms = 2000;
}

JobTree::JobTree(JobListModel& model, QWidget* parent) : QTreeView(parent), m_model(model) {
  setModel(&model);
  setItemDelegate(new JobDelegate(this));
  setHeaderHidden(true);
  setRootIsDecorated(false);
  setIndentation(0);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setMouseTracking(true);
  setAccessibleName(tr("Jobs"));
  QPalette p = palette();
  p.setBrush(QPalette::Base, Qt::transparent);
  setPalette(p);
  viewport()->setAutoFillBackground(false);
}

bool JobTree::fold(const QModelIndex& index, bool folded) {
  if (!index.isValid() || m_model.row(index).is_section || m_model.row(index).children.empty()) return false;
  m_model.set_folded(m_model.row(index).job->id, folded);
  return true;
}

void JobTree::mousePressEvent(QMouseEvent* event) {
  const QModelIndex index = indexAt(event->position().toPoint());
  if (index.isValid() && !m_model.row(index).is_section) {
    const JobRow& row = m_model.row(index);
    if (event->position().x() < 16 + row.depth * JobDelegate::indent && fold(index, !row.folded)) return;
  }
  QTreeView::mousePressEvent(event);
}

void JobTree::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Left && fold(currentIndex(), true)) return;
  if (event->key() == Qt::Key_Right && fold(currentIndex(), false)) return;
  QTreeView::keyPressEvent(event);
}

void JobTree::enterEvent(QEnterEvent* event) {
  m_model.hold_order(true);
  QTreeView::enterEvent(event);
}

void JobTree::leaveEvent(QEvent* event) {
  m_model.hold_order(false);
  QTreeView::leaveEvent(event);
}

JobList::JobList(JobStore& store, QWidget* parent) : QWidget(parent), m_model(store) {
  setObjectName(QStringLiteral("side"));
  setAttribute(Qt::WA_StyledBackground);
  m_search = search_field(tr("Search name, host, tag"), this);
  m_chips = new StateChips(this);
  m_tree = new JobTree(m_model, this);
  m_message = new QLabel(this);
  m_message->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  m_message->setWordWrap(true);
  m_message->setForegroundRole(QPalette::PlaceholderText);
  m_message->setContentsMargins(12, 14, 12, 0);
  connect(m_message, &QLabel::linkActivated, m_search, &QLineEdit::clear);

  auto* search_row = new QHBoxLayout;
  search_row->setContentsMargins(12, 10, 12, 6);
  search_row->addWidget(m_search);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(search_row);
  layout->addWidget(m_chips);
  layout->addWidget(m_message);
  layout->addWidget(m_tree, 1);
  layout->addStretch(0);

  const auto refilter = [this] {
    m_model.set_filter({m_search->text(), m_chips->chosen()});
    on_rows_changed();
  };
  connect(m_search, &QLineEdit::textChanged, this, refilter);
  connect(m_chips, &StateChips::chosen_changed, this, refilter);
  connect(&m_model, &JobListModel::counts_changed, this, &JobList::on_rows_changed);
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &JobList::on_current_changed);
  m_seen.setSingleShot(true);
  m_seen.setInterval(seen_after_ms);
  on_rows_changed();
}

void JobList::focus_search() {
  m_search->setFocus(Qt::ShortcutFocusReason);
  m_search->selectAll();
}

void JobList::choose(const model::JobId& id) {
  const QModelIndex index = m_model.index_of(id);
  if (index.isValid()) m_tree->setCurrentIndex(index);
}

void JobList::on_current_changed(const QModelIndex& current) {
  if (!current.isValid() || m_model.row(current).is_section) return;
  const model::JobId id = m_model.row(current).job->id;
  if (m_chosen == id) return;
  // A job that was looked at long enough leaves "Needs a look" when the eye moves on, not while it rests there.
  if (m_chosen && !m_seen.isActive()) m_model.mark_seen(*m_chosen);
  m_seen.start();
  m_chosen = id;
  emit job_chosen();
}

void JobList::on_rows_changed() {
  m_chips->show_counts(m_model.job_count(), m_model.state_counts());
  const bool none = m_model.job_count() == 0;
  const bool nothing_matches = !none && m_model.rowCount() == 0;
  m_chips->setVisible(!none);
  m_tree->setVisible(!none && !nothing_matches);
  m_message->setVisible(none || nothing_matches);
  if (none) m_message->setText(tr("No jobs yet"));
  if (nothing_matches)
    m_message->setText(
        m_search->text().isEmpty()
            ? tr("No job is in this state.")
            : tr("No job matches “%1”.<br><a href='clear'>Clear search</a>").arg(m_search->text().toHtmlEscaped()));
  if (m_chosen && !m_model.index_of(*m_chosen).isValid() && m_model.filter().search.isEmpty() &&
      !m_model.filter().state)
    m_chosen.reset();
  if (!m_chosen)
    for (int i = 0; i < m_model.rowCount(); ++i)
      if (!m_model.row(m_model.index(i)).is_section) {
        m_tree->setCurrentIndex(m_model.index(i));
        break;
      }
}

}  // namespace macaw::widgets
