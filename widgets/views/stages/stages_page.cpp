// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stages/stages_page.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/format/format.hpp"
#include "widgets/paint/paint.hpp"
#include "widgets/theme/theme.hpp"
#include "widgets/views/controls.hpp"
#include "widgets/views/stages/stage_delegate.hpp"

namespace macaw::widgets {

namespace {

using Column = StageTreeModel::Column;
constexpr int sort_ms = 1000, right_margin = 14, least_stage_width = 200;
// All but the first, which takes the rest.
constexpr int widths[StageTreeModel::columns] = {0, 62, 68, 68, 68, 68, 68, 62, 68, 96, 58};

}  // namespace

StagesPage::StagesPage(QWidget* parent)
    : JobPage(parent), m_proxy(new QSortFilterProxyModel(this)), m_tree(new QTreeView(this)) {
  m_proxy->setSourceModel(&m_model);
  m_proxy->setSortRole(StageTreeModel::sort_role);
  m_proxy->setDynamicSortFilter(false);
  m_proxy->setRecursiveFilteringEnabled(true);
  m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_proxy->setFilterKeyColumn(Column::stage);

  auto* header = new StageHeader(m_tree);
  m_tree->setHeader(header);
  m_tree->setModel(m_proxy);
  m_tree->setItemDelegate(new StageDelegate(m_tree));
  m_tree->setUniformRowHeights(true);
  m_tree->setIndentation(0);
  m_tree->setRootIsDecorated(false);
  m_tree->setAllColumnsShowFocus(true);
  m_tree->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  m_tree->setFrameShape(QFrame::NoFrame);
  m_tree->setMouseTracking(true);
  m_tree->setExpandsOnDoubleClick(true);
  m_tree->setAccessibleName(tr("Stages"));
  m_tree->installEventFilter(this);
  m_tree->viewport()->installEventFilter(this);
  header->setSectionResizeMode(QHeaderView::Fixed);
  m_tree->setSortingEnabled(true);
  m_tree->sortByColumn(Column::total, Qt::DescendingOrder);

  m_find = search_field(tr("Find a stage"), this);
  m_find->setFixedWidth(200);
  m_sum = new QLabel(this);
  m_sum->setForegroundRole(QPalette::PlaceholderText);
  m_export = icon_button(QStringLiteral("export"), tr("Export CSV…"), this);
  m_nothing = new QLabel(tr("This job has no stages. Add <code>with macaw.stage(\"name\"):</code>"), this);
  m_nothing->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  m_nothing->setForegroundRole(QPalette::PlaceholderText);
  m_nothing->setContentsMargins(20, 40, 20, 0);

  auto* tools = new QHBoxLayout;
  tools->setContentsMargins(20, 8, 20, 8);
  tools->setSpacing(12);
  tools->addWidget(m_find);
  tools->addStretch();
  tools->addWidget(m_sum);
  tools->addWidget(m_export);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(tools);
  layout->addWidget(m_tree, 1);
  layout->addWidget(m_nothing, 1);

  connect(m_find, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_proxy->setFilterFixedString(text);
    m_tree->expandAll();
  });
  connect(m_export, &QPushButton::clicked, this, &StagesPage::export_wanted);
  // New stages appear open, so that nothing has to be looked for.
  connect(m_proxy, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& above) {
    if (above.isValid()) m_tree->expand(above);
  });
  m_sort.setInterval(sort_ms);
  connect(&m_sort, &QTimer::timeout, this, &StagesPage::sort_again);
  m_sort.start();
}

void StagesPage::focus_find() {
  m_find->setFocus(Qt::ShortcutFocusReason);
  m_find->selectAll();
}

void StagesPage::show_job(const JobView& view) {
  const bool other = view.job->id != m_job;
  m_job = view.job->id;
  const std::size_t before = m_model.stage_count();
  m_model.show_job(view.job);
  const std::size_t stages = m_model.stage_count();
  m_tree->setVisible(stages > 0);
  m_nothing->setVisible(stages == 0);
  m_export->setEnabled(stages > 0);
  QString sum =
      stages ? tr("%1, %2 measured")
                   .arg(format::things(stages, tr("stage"), tr("stages")), format::measured(m_model.measured()).text())
             : QString();
  if (view.job->others_stages) sum += tr(", %1 folded away").arg(format::exact(view.job->others_stages));
  m_sum->setText(sum);
  if (other) m_tree->expandAll();
  if (other || before != stages) m_proxy->invalidate();
  fit_columns();
}

void StagesPage::sort_again() {
  if (isVisible() && !m_tree->viewport()->underMouse()) m_proxy->invalidate();
}

void StagesPage::resizeEvent(QResizeEvent* event) {
  JobPage::resizeEvent(event);
  fit_columns();
}

void StagesPage::fit_columns() {
  int rest = m_tree->viewport()->width() > 0 ? width() - right_margin : 0;
  for (int column = 1; column < StageTreeModel::columns; ++column) {
    int width = widths[column];
    // Counts are told exactly, however long they get.
    if (column == Column::count)
      width = std::max(width, static_cast<int>(paint::number_width(type::ui(type::small, QFont::DemiBold),
                                                                   format::exact(m_model.largest_count()))) +
                                  24);
    m_tree->setColumnWidth(column, width);
    rest -= width;
  }
  m_tree->setColumnWidth(Column::stage, std::max(least_stage_width, rest));
}

bool StagesPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_tree && event->type() == QEvent::KeyPress) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Copy)) {
      copy_rows();
      return true;
    }
  }
  // The chevrons are painted by the delegate: a click on one opens or closes its row.
  if (watched == m_tree->viewport() && event->type() == QEvent::MouseButtonPress) {
    const QPoint at = static_cast<QMouseEvent*>(event)->position().toPoint();
    const QModelIndex index = m_tree->indexAt(at);
    if (index.isValid() && index.column() == Column::stage && m_proxy->hasChildren(index)) {
      int depth = 0;
      for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) ++depth;
      const int chevron = m_tree->visualRect(index).left() + 14 + depth * StageDelegate::indent;
      if (at.x() >= chevron - 4 && at.x() < chevron + 18) {
        m_tree->setExpanded(index, !m_tree->isExpanded(index));
        return true;
      }
    }
  }
  return JobPage::eventFilter(watched, event);
}

void StagesPage::copy_rows() {
  QStringList lines;
  for (const QModelIndex& row : m_tree->selectionModel()->selectedRows()) {
    QStringList cells;
    for (int column = 0; column <= Column::share; ++column) cells << row.siblingAtColumn(column).data().toString();
    lines << cells.join(QLatin1Char('\t'));
  }
  if (!lines.isEmpty()) QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace macaw::widgets
