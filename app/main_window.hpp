// SPDX-License-Identifier: GPL-3.0-or-later
// The window: job list, job pane, status line, menus. It shows what the store holds and says what the person wants; it
// decides nothing about jobs. Main thread.
#pragma once

#include <QMainWindow>
#include <functional>

#include "widgets/models/job_store.hpp"
#include "widgets/theme/theme.hpp"
#include "widgets/views/status_line.hpp"

class QActionGroup;
class QSettings;
class QSplitter;
class QStackedWidget;

namespace macaw::widgets {
class EmptyPage;
class JobList;
class JobPane;
}  // namespace macaw::widgets

namespace macaw::app {

// How a job finds this program.
struct Connection {
  QString line;  // to paste
  int port = 0;
  QString who;  // whose reports are accepted, as a sentence
};

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  // Asks where to save; an empty answer means not to. Tests answer by themselves.
  using AskFile = std::function<QString(const QString& suggestion)>;

  explicit MainWindow(widgets::JobStore& store, QWidget* parent = nullptr);

  void show_status(const widgets::ReceiverStatus& status);
  void show_connection(const Connection& connection);
  void set_appearance(widgets::Appearance appearance);
  void ask_file_with(AskFile ask) { m_ask_file = std::move(ask); }

  void restore(QSettings& settings);
  void save(QSettings& settings) const;

  // By id, or by name; the first that matches. False when there is none.
  bool select(const QString& id_or_name);
  model::JobPtr selected() const;
  widgets::JobPane& pane() { return *m_pane; }
  widgets::JobList& list() { return *m_list; }
  void export_stages();
  void raise_to_front();

 signals:
  void share_wanted();
  void copy_address_wanted();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void build_menus();
  void refresh();
  void show_connection_dialog();
  void focus_next_pane();
  void copy_job_id() const;
  QString ask_save_file(const QString& suggestion);

  widgets::JobStore& m_store;
  widgets::JobList* m_list;
  widgets::JobPane* m_pane;
  widgets::EmptyPage* m_empty;
  widgets::StatusLine* m_status;
  QStackedWidget* m_right;
  QSplitter* m_splitter;
  QActionGroup* m_appearances = nullptr;
  QAction* m_export = nullptr;
  Connection m_connection;
  widgets::Appearance m_appearance = widgets::Appearance::system;
  AskFile m_ask_file;
};

}  // namespace macaw::app
