// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/main_window.hpp"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QEvent>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "collector/model/stages_csv.hpp"
#include "widgets/models/job_line.hpp"
#include "widgets/views/controls.hpp"
#include "widgets/views/empty_page.hpp"
#include "widgets/views/job_list.hpp"
#include "widgets/views/job_pane.hpp"

namespace macaw::app {

using widgets::Appearance;

namespace {

constexpr int menu_height = 36, list_width = 320, list_least = 260, list_most = 480;

// A name that every file system takes.
QString file_name_for(const model::Job& job) {
  QString name = widgets::job_name(job);
  name.replace(QRegularExpression(QStringLiteral("[^\\w.+=-]+")), QStringLiteral("_"));
  return name.left(80) + QStringLiteral("-stages.csv");
}

}  // namespace

MainWindow::MainWindow(widgets::JobStore& store, QWidget* parent) : QMainWindow(parent), m_store(store) {
  setWindowTitle(QStringLiteral("Macaw"));
  setMinimumSize(640, 400);
  m_list = new widgets::JobList(store, this);
  m_list->setMinimumWidth(list_least);
  m_list->setMaximumWidth(list_most);
  m_pane = new widgets::JobPane(this);
  m_empty = new widgets::EmptyPage(this);
  m_right = new QStackedWidget(this);
  m_right->setObjectName(QStringLiteral("pane"));
  m_right->setAttribute(Qt::WA_StyledBackground);
  m_right->addWidget(m_empty);
  m_right->addWidget(m_pane);
  m_status = new widgets::StatusLine(this);

  m_splitter = new QSplitter(Qt::Horizontal, this);
  m_splitter->setHandleWidth(1);
  m_splitter->setChildrenCollapsible(false);
  m_splitter->addWidget(m_list);
  m_splitter->addWidget(m_right);
  m_splitter->setStretchFactor(1, 1);
  m_splitter->setSizes({list_width, 960});

  auto* content = new QWidget(this);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_splitter, 1);
  layout->addWidget(m_status);
  setCentralWidget(content);
  build_menus();

  m_ask_file = [this](const QString& suggestion) { return ask_save_file(suggestion); };
  connect(m_list, &widgets::JobList::job_chosen, this, &MainWindow::refresh);
  connect(m_pane, &widgets::JobPane::export_wanted, this, &MainWindow::export_stages);
  connect(&store, &widgets::JobStore::ticked, this, &MainWindow::refresh);
  connect(&store, &widgets::JobStore::flushed, this, [this](const std::set<model::JobId>& changed, bool added_or_gone) {
    const auto chosen = m_list->chosen();
    const bool a_child_changed =
        added_or_gone || std::any_of(changed.begin(), changed.end(), [&](const auto& id) {
          const auto job = m_store.job(id);
          return job && job->identity && job->identity->parent && chosen == job->identity->parent;
        });
    if (!chosen || changed.contains(*chosen) || a_child_changed) refresh();
  });
  refresh();
  m_right->currentWidget()->setFocus();  // a field with a blinking cursor would draw the eye first
}

void MainWindow::build_menus() {
  auto* chrome = new QWidget(this);
  chrome->setObjectName(QStringLiteral("chrome"));
  chrome->setAttribute(Qt::WA_StyledBackground);
  chrome->setFixedHeight(menu_height);
  auto* bar = new QMenuBar(chrome);
  bar->setNativeMenuBar(false);
  auto* row = new QHBoxLayout(chrome);
  row->setContentsMargins(8, 0, 8, 1);
  row->setSpacing(4);
  row->addWidget(bar, 1, Qt::AlignVCenter);

  QMenu* file = bar->addMenu(tr("&File"));
  QAction* connect_job = file->addAction(tr("&Connect a job…"), this, &MainWindow::show_connection_dialog);
  m_export = file->addAction(tr("&Export stage summary…"), QKeySequence(QStringLiteral("Ctrl+E")), this,
                             &MainWindow::export_stages);
  file->addSeparator();
  QAction* share = file->addAction(tr("&Share in browser…"), this, &MainWindow::share_wanted);
  file->addAction(tr("Copy browser &address"), this, &MainWindow::copy_address_wanted);
  file->addSeparator();
  file->addAction(tr("&Quit"), QKeySequence(QKeySequence::Quit), qApp, &QApplication::quit);

  QMenu* job = bar->addMenu(tr("&Job"));
  job->addAction(tr("&Search jobs"), QKeySequence(QStringLiteral("Ctrl+L")), m_list, &widgets::JobList::focus_search);
  job->addAction(tr("&Find in this view"), QKeySequence(QKeySequence::Find), m_pane, &widgets::JobPane::focus_find);
  job->addAction(tr("Copy job &id"), this, &MainWindow::copy_job_id);

  QMenu* view = bar->addMenu(tr("&View"));
  const QStringList tabs = m_pane->tab_names();
  for (int i = 0; i < tabs.size(); ++i)
    view->addAction(tabs[i], QKeySequence(QStringLiteral("Ctrl+%1").arg(i + 1)), this,
                    [this, i] { m_pane->open_tab(i); });
  view->addAction(tr("&Next pane"), QKeySequence(Qt::Key_F6), this, &MainWindow::focus_next_pane);
  view->addSeparator();
  m_appearances = new QActionGroup(this);
  const std::pair<QString, Appearance> looks[] = {
      {tr("As the &system"), Appearance::system}, {tr("&Light"), Appearance::light}, {tr("&Dark"), Appearance::dark}};
  for (const auto& [name, appearance] : looks) {
    QAction* action = view->addAction(name, this, [this, a = appearance] { set_appearance(a); });
    action->setCheckable(true);
    action->setData(static_cast<int>(appearance));
    action->setChecked(appearance == m_appearance);
    m_appearances->addAction(action);
  }
  QMenu* help = bar->addMenu(tr("&Help"));
  help->addAction(tr("&About Macaw"), this, [this] {
    QMessageBox::about(this, tr("About Macaw"),
                       tr("<b>Macaw %1</b><p>Watches long-running jobs: progress, stages, metrics, log.</p>")
                           .arg(QApplication::applicationVersion()));
  });

  const auto add_button = [this, row, chrome](const QString& icon, const QString& text, QAction* action) {
    auto* button = widgets::icon_button(icon, text, chrome);
    button->setFlat(true);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    row->addWidget(button, 0, Qt::AlignVCenter);
  };
  add_button(QStringLiteral("connect"), tr("Connect"), connect_job);
  add_button(QStringLiteral("share"), tr("Share"), share);
  setMenuWidget(chrome);
}

void MainWindow::refresh() {
  const model::JobPtr job = selected();
  m_export->setEnabled(job && !job->stages.empty());
  m_right->setCurrentWidget(job ? static_cast<QWidget*>(m_pane) : m_empty);
  setWindowTitle(job ? tr("%1 – Macaw").arg(widgets::job_name(*job)) : QStringLiteral("Macaw"));
  if (!job) return;
  std::vector<model::JobPtr> children;
  for (const auto& other : m_store.jobs())
    if (other->identity && other->identity->parent == job->id) children.push_back(other);
  m_pane->show_job({job, std::move(children), m_store.now()});
}

model::JobPtr MainWindow::selected() const {
  const auto id = m_list->chosen();
  return id ? m_store.job(*id) : nullptr;
}

bool MainWindow::select(const QString& id_or_name) {
  const auto id = model::parse_job_id(id_or_name.toStdString());
  for (const auto& job : m_store.jobs()) {
    if (id ? job->id != *id : widgets::job_name(*job) != id_or_name) continue;
    m_list->choose(job->id);
    return m_list->chosen() == job->id;
  }
  return false;
}

void MainWindow::show_status(const widgets::ReceiverStatus& status) { m_status->show_status(status); }

void MainWindow::show_connection(const Connection& connection) {
  m_connection = connection;
  m_empty->show_connection(connection.line, connection.port, connection.who);
}

void MainWindow::show_connection_dialog() {
  QDialog dialog(this);
  dialog.setWindowTitle(tr("Connect a job"));
  dialog.setObjectName(QStringLiteral("pane"));
  dialog.resize(600, 340);
  auto* page = new widgets::EmptyPage(&dialog);
  page->set_title(tr("Connect a job"));
  page->show_connection(m_connection.line, m_connection.port, m_connection.who);
  auto* layout = new QVBoxLayout(&dialog);
  layout->setContentsMargins(0, 24, 0, 0);
  layout->addWidget(page);
  dialog.exec();
}

void MainWindow::export_stages() {
  const model::JobPtr job = selected();
  if (!job || job->stages.empty()) return;
  const QString path = m_ask_file(file_name_for(*job));
  if (path.isEmpty()) return;
  const std::string csv = model::stages_csv(*job);
  QSaveFile file(path);
  const bool written = file.open(QIODevice::WriteOnly) &&
                       file.write(csv.data(), static_cast<qint64>(csv.size())) == static_cast<qint64>(csv.size()) &&
                       file.commit();
  if (!written)
    QMessageBox::warning(this, tr("Export stage summary"),
                         tr("%1 could not be written: %2.").arg(path, file.errorString()));
}

QString MainWindow::ask_save_file(const QString& suggestion) {
  return QFileDialog::getSaveFileName(this, tr("Export stage summary"), suggestion,
                                      tr("Comma-separated values (*.csv)"));
}

// List, tabs, content, and around.
void MainWindow::focus_next_pane() {
  QWidget* const now = QApplication::focusWidget();
  if (m_list->isAncestorOf(now) && m_right->currentWidget() == m_pane)
    m_pane->tabs().setFocus(Qt::ShortcutFocusReason);
  else if (now == &m_pane->tabs())
    m_pane->focus_page();
  else
    m_list->tree().setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::copy_job_id() const {
  if (const auto job = selected())
    QApplication::clipboard()->setText(QString::fromStdString(model::to_string(job->id)));
}

void MainWindow::set_appearance(Appearance appearance) {
  m_appearance = appearance;
  widgets::Theme::apply(appearance);
  for (QAction* action : m_appearances->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(appearance));
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) widgets::recolor_icons(this);
}

void MainWindow::raise_to_front() {
  setWindowState(windowState() & ~Qt::WindowMinimized);
  show();
  raise();
  activateWindow();
}

void MainWindow::restore(QSettings& settings) {
  const int look = settings.value(QStringLiteral("appearance")).toInt();
  if (look >= 0 && look <= static_cast<int>(Appearance::dark)) set_appearance(static_cast<Appearance>(look));
  restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
  m_splitter->restoreState(settings.value(QStringLiteral("splitter")).toByteArray());
}

void MainWindow::save(QSettings& settings) const {
  settings.setValue(QStringLiteral("appearance"), static_cast<int>(m_appearance));
  settings.setValue(QStringLiteral("geometry"), saveGeometry());
  settings.setValue(QStringLiteral("splitter"), m_splitter->saveState());
}

}  // namespace macaw::app
