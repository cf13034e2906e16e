// SPDX-License-Identifier: GPL-3.0-or-later
// One window for each data folder: the first instance listens on a local socket named after the folder, a second one
// asks it to come to the front and goes. Main thread.
#pragma once

#include <QLocalServer>
#include <QObject>

namespace macaw::app {

class SingleInstance : public QObject {
  Q_OBJECT

 public:
  explicit SingleInstance(const QString& data_dir, QObject* parent = nullptr);

  // True when another instance answered: it raises its window, this one has nothing to do.
  bool raise_other();
  // From now on this is the first instance.
  void listen();

 signals:
  void raise_wanted();

 private:
  QString m_name;
  QLocalServer m_server;
};

}  // namespace macaw::app
