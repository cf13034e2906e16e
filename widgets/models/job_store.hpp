// SPDX-License-Identifier: GPL-3.0-or-later
// The window's copy of the jobs: takes ChangeSets as they come and tells the views ten times a second at most, so that
// a thousand jobs at ten reports a second cost the views ten repaints and no more.
// Main thread. Feed it with reset() and apply(); listen to flushed() and, for clocks that count on, ticked().
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "widgets/models/moment.hpp"

namespace macaw::widgets {

class JobStore : public QObject {
  Q_OBJECT

 public:
  using Clock = std::function<Moment()>;

  explicit JobStore(Clock clock, QObject* parent = nullptr);

  void reset(std::vector<model::JobPtr> jobs);
  void apply(const model::ChangeSet& changes);
  // What flushed() would say at the next beat, said now.
  void flush();

  Moment now() const { return m_clock(); }
  model::JobPtr job(const model::JobId& id) const;
  // In order of first contact.
  const std::vector<model::JobPtr>& jobs() const { return m_jobs; }

 signals:
  void flushed(const std::set<macaw::model::JobId>& changed, bool added_or_gone);
  void ticked();

 private:
  Clock m_clock;
  std::vector<model::JobPtr> m_jobs;
  std::map<model::JobId, std::size_t> m_index;
  std::set<model::JobId> m_dirty;
  bool m_added_or_gone = false;
  QTimer m_flush, m_tick;
};

}  // namespace macaw::widgets
