// SPDX-License-Identifier: GPL-3.0-or-later
// From datagrams to ChangeSets. Lives in the ingest thread and owns the model; other threads read health() (atomic
// counters) and get ChangeSets through the signal. It never waits: while the receiver of its signals is behind, changes
// gather in the model and come as fewer, larger sets.
#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>
#include <atomic>
#include <memory>

#include "collector/collector.hpp"
#include "collector/ingest/recording.hpp"
#include "collector/ingest/udp_socket.hpp"
#include "collector/model/model.hpp"
#include "collector/socket_owner.hpp"
#include "sdk/src/wire/decode.hpp"

namespace macaw {

class Ingest : public QObject {
  Q_OBJECT

 public:
  Ingest(std::unique_ptr<UdpSocket> socket, bool accept_unsealed);
  ~Ingest() override;  // publishes what is left

  // Before the thread starts. Empty, or what is wrong.
  QString record_to(const QString& path);
  QString replay_from(const QString& path, double speed);

  void start();                                              // in the ingest thread: from now on it receives
  void restore(const std::vector<macaw::model::Job>& jobs);  // in the ingest thread
  void changes_taken() { m_in_flight.fetch_sub(1); }         // any thread: a ChangeSet was worked off
  void add_health(Health& health) const;                     // any thread

 signals:
  void changed(std::shared_ptr<const macaw::model::ChangeSet> changes);
  void replay_finished();

 private:
  void drain();
  void take(const std::uint8_t* data, std::size_t size, model::Arrival arrival, const Datagram* from);
  bool is_trusted(const wire::Report& report, const Datagram& from, double now);
  void publish();
  void replay();

  std::unique_ptr<UdpSocket> m_socket;
  bool m_accept_unsealed;
  std::unique_ptr<QSocketNotifier> m_notifier;
  std::unique_ptr<QTimer> m_tick, m_replay_timer;
  UdpOwners m_owners;
  model::Model m_model;
  wire::Report m_report;
  std::string m_answer;

  Recorder m_recorder;
  std::unique_ptr<Recording> m_recording;
  std::optional<Recording::Entry> m_next;
  double m_replay_speed = 1, m_replay_start = 0;
  std::optional<double> m_replay_done;  // when the last report was applied

  std::atomic<int> m_in_flight{0};
  static constexpr std::size_t refusals = static_cast<std::size_t>(wire::Decoded::sealed) + 2;  // the last: unsealed
  std::atomic<quint64> m_refused[refusals] = {};
  std::atomic<quint64> m_received{0}, m_bytes{0}, m_applied{0}, m_answered{0}, m_kernel_drops{0}, m_replayed{0};
};

}  // namespace macaw
