// SPDX-License-Identifier: GPL-3.0-or-later
// What stands where the job will be: the line to paste, and that the program listens.
#pragma once

#include <QWidget>

class QLabel;

namespace macaw::widgets {

class EmptyPage : public QWidget {
  Q_OBJECT

 public:
  explicit EmptyPage(QWidget* parent = nullptr);

  // `line` is copied whole; what is shown may be elided. `who` says whose reports are accepted.
  void show_connection(const QString& line, int port, const QString& who);
  void set_title(const QString& title);
  QString line() const { return m_line; }

 private:
  QString m_line;
  QLabel* m_title;
  QWidget* m_box;
  QLabel* m_listening;
  QLabel* m_who;
};

}  // namespace macaw::widgets
