// SPDX-License-Identifier: GPL-3.0-or-later
// The page's files, built into the program under :/web. A fixed list, read once: what is not on it does not exist.
// Main thread.
#pragma once

#include <QByteArray>
#include <QHash>
#include <optional>

namespace macaw {

struct Asset {
  QByteArray body, gzip;  // gzip: the same, packed; may be empty
  QByteArray type, etag;
  bool for_ever = false;  // its name changes with its content
};

class Assets {
 public:
  Assets();
  // `path` as in the address: "/", "/assets/index-Ab12Cd34.js".
  const Asset* find(const QByteArray& path) const;

 private:
  QHash<QByteArray, Asset> m_assets;
};

}  // namespace macaw
