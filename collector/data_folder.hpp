// SPDX-License-Identifier: GPL-3.0-or-later
// The few small files that outlive the program: the mirror's token, and up to where event numbers were used.
#pragma once

#include <QByteArray>
#include <QString>

namespace macaw {

class DataFolder {
 public:
  // Where the folder is or will be; an empty path: the XDG data folder.
  static QString resolved(const QString& path);
  // Creates the folder (only for its owner). Empty, or one line that says what is wrong.
  QString open(const QString& path);

  QString path() const { return m_path; }
  QString key_path() const { return m_path + QStringLiteral("/key"); }
  QByteArray token() const { return m_token; }
  quint64 first_event() const { return m_first_event; }
  void save_last_event(quint64 id) const;

 private:
  QString m_path;
  QByteArray m_token;
  quint64 m_first_event = 0;
};

}  // namespace macaw
