// SPDX-License-Identifier: GPL-3.0-or-later
// Reports on file, each with its arrival time, to be looked at again (--record, --replay).
// Format, little-endian: "MACAWREC", u64 Unix microseconds of the start; then for each report u64 microseconds since
// the start, u32 size, the datagram's bytes. A cut end is left out. One thread.
#pragma once

#include <QFile>
#include <QString>
#include <cstdint>
#include <optional>

namespace macaw {

class Recorder {
 public:
  QString open(const QString& path, double unix_s);  // empty, or what is wrong
  bool is_open() const { return m_file.isOpen(); }
  void write(double unix_s, const std::uint8_t* data, std::size_t size);
  void flush() { m_file.flush(); }

 private:
  QFile m_file;
  double m_start = 0;
};

class Recording {
 public:
  struct Entry {
    double since_start = 0;  // s
    double unix_s = 0;
    QByteArray bytes;
  };
  QString open(const QString& path);
  std::optional<Entry> next();

 private:
  QFile m_file;
  double m_start = 0;
};

}  // namespace macaw
