// SPDX-License-Identifier: GPL-3.0-or-later
// Numbered items in order, in chunks that are never changed once published: what is new goes on the last chunk, what
// comes late is put in its place when the next snapshot is made. T has a `no`. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace macaw::model {

template <class T, std::size_t chunk_size>
class Series {
 public:
  using Chunk = std::shared_ptr<const std::vector<T>>;

  void add(T item) { m_fresh.push_back(std::move(item)); }

  // Puts what was added in its place; an item takes the place of an earlier one of its number. True when something
  // went in below the last item of the snapshot before.
  bool merge() {
    if (m_fresh.empty()) return false;
    std::stable_sort(m_fresh.begin(), m_fresh.end(), [](const T& a, const T& b) { return a.no < b.no; });
    const bool repaired = !m_chunks.empty() && m_fresh.front().no <= last().no;
    std::size_t first = m_chunks.size();  // chunk to begin with
    while (first > 0 &&
           (m_chunks[first - 1]->size() < chunk_size || m_fresh.front().no <= m_chunks[first - 1]->back().no))
      --first;

    std::vector<T> items;
    for (std::size_t i = first; i < m_chunks.size(); ++i)
      items.insert(items.end(), m_chunks[i]->begin(), m_chunks[i]->end());
    m_size -= items.size();
    m_chunks.resize(first);
    items.insert(items.end(), std::make_move_iterator(m_fresh.begin()), std::make_move_iterator(m_fresh.end()));
    if (repaired) std::stable_sort(items.begin(), items.end(), [](const T& a, const T& b) { return a.no < b.no; });
    const auto twins = [](const T& newer, const T& older) { return newer.no == older.no; };
    items.erase(items.begin(), std::unique(items.rbegin(), items.rend(), twins).base());
    m_fresh.clear();
    append(items);
    return repaired;
  }

  // Gives up the oldest whole chunks until at most `limit` items are left; returns how many went.
  std::size_t drop_front(std::size_t limit) {
    std::size_t dropped = 0, chunks = 0;
    while (m_size - dropped > limit) dropped += m_chunks[chunks++]->size();
    m_chunks.erase(m_chunks.begin(), m_chunks.begin() + static_cast<std::ptrdiff_t>(chunks));
    m_size -= dropped;
    return dropped;
  }

  void replace(std::vector<T> items) {
    m_chunks.clear();
    m_size = 0;
    append(items);
  }

  const std::vector<Chunk>& chunks() const { return m_chunks; }
  std::size_t size() const { return m_size; }
  bool empty() const { return m_size == 0; }
  const T& front() const { return m_chunks.front()->front(); }
  const T& last() const { return m_chunks.back()->back(); }

  const T* find(std::uint64_t no) const {
    const auto chunk = std::lower_bound(m_chunks.begin(), m_chunks.end(), no,
                                        [](const Chunk& c, std::uint64_t wanted) { return c->back().no < wanted; });
    if (chunk == m_chunks.end()) return nullptr;
    const auto item = std::lower_bound((*chunk)->begin(), (*chunk)->end(), no,
                                       [](const T& t, std::uint64_t wanted) { return t.no < wanted; });
    return item != (*chunk)->end() && item->no == no ? &*item : nullptr;
  }

 private:
  void append(std::vector<T>& items) {
    for (std::size_t at = 0; at < items.size(); at += chunk_size) {
      const auto begin = items.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end = items.begin() + static_cast<std::ptrdiff_t>(std::min(items.size(), at + chunk_size));
      m_chunks.push_back(
          std::make_shared<const std::vector<T>>(std::make_move_iterator(begin), std::make_move_iterator(end)));
    }
    m_size += items.size();
  }

  std::vector<Chunk> m_chunks;
  std::vector<T> m_fresh;
  std::size_t m_size = 0;
};

}  // namespace macaw::model
