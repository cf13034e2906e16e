// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/ingest/recording.hpp"

#include <QtEndian>
#include <cstring>

namespace macaw {

namespace {

constexpr char magic[] = "MACAWREC";
constexpr qint64 magic_bytes = 8;
constexpr std::uint32_t largest_datagram = 65536;

template <class T>
void put(QFile& file, T value) {
  char bytes[sizeof value];
  qToLittleEndian(value, bytes);
  file.write(bytes, sizeof bytes);
}

template <class T>
bool get(QFile& file, T& value) {
  char bytes[sizeof value];
  if (file.read(bytes, sizeof bytes) != sizeof bytes) return false;
  value = qFromLittleEndian<T>(bytes);
  return true;
}

}  // namespace

QString Recorder::open(const QString& path, double unix_s) {
  m_file.setFileName(path);
  if (!m_file.open(QIODevice::WriteOnly)) return m_file.errorString();
  m_start = unix_s;
  m_file.write(magic, magic_bytes);
  put(m_file, static_cast<quint64>(unix_s * 1e6));
  return {};
}

void Recorder::write(double unix_s, const std::uint8_t* data, std::size_t size) {
  put(m_file, static_cast<quint64>(std::max(0.0, unix_s - m_start) * 1e6));
  put(m_file, static_cast<quint32>(size));
  m_file.write(reinterpret_cast<const char*>(data), static_cast<qint64>(size));
}

QString Recording::open(const QString& path) {
  m_file.setFileName(path);
  if (!m_file.open(QIODevice::ReadOnly)) return m_file.errorString();
  quint64 start = 0;
  if (m_file.read(magic_bytes) != QByteArray(magic, magic_bytes) || !get(m_file, start))
    return QStringLiteral("not a recording of macaw");
  m_start = static_cast<double>(start) / 1e6;
  return {};
}

std::optional<Recording::Entry> Recording::next() {
  quint64 since = 0;
  quint32 size = 0;
  if (!get(m_file, since) || !get(m_file, size) || size > largest_datagram) return std::nullopt;
  Entry entry;
  entry.since_start = static_cast<double>(since) / 1e6;
  entry.unix_s = m_start + entry.since_start;
  entry.bytes = m_file.read(size);
  if (entry.bytes.size() != static_cast<qsizetype>(size)) return std::nullopt;
  return entry;
}

}  // namespace macaw
