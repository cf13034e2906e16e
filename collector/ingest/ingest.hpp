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
#include "collector/ingest/source_limit.hpp"
#include "collector/ingest/udp_socket.hpp"
#include "collector/ingest/unsealer.hpp"
#include "collector/model/model.hpp"
#include "collector/socket_owner.hpp"
#include "sdk/src/wire/decode.hpp"

namespace macaw {

class Ingest : public QObject {
  Q_OBJECT

 public:
  struct Settings {
    bool accept_unsealed = false;
    std::string key;        // of sealed reports; empty: none can be opened
    double rate_limit = 0;  // datagrams a second from one address; 0: no limit
  };
  Ingest(std::unique_ptr<UdpSocket> socket, Settings settings);
  ~Ingest() override;  // publishes what is left

  // Before the thread starts. Empty, or what is wrong.
  QString record_to(const QString& path);
  QString replay_from(const QString& path, double speed);

  void start();  // in the ingest thread: from now on it receives
  // In the ingest thread: reports over HTTP, from somebody whom the mirror let in. A CBOR sequence, or a line of JSON
  // each; the answers are a CBOR sequence. Nothing when there was no report in it.
  std::optional<QByteArray> take_body(const QByteArray& body);
  void restore(const std::vector<macaw::model::Job>& jobs);  // in the ingest thread
  void changes_taken() { m_in_flight.fetch_sub(1); }         // any thread: a ChangeSet was worked off
  void add_health(Health& health) const;                     // any thread

 signals:
  void changed(std::shared_ptr<const macaw::model::ChangeSet> changes);
  void replay_finished();

 private:
  void drain();
  // Why a datagram was refused: what the decoder says, or one of these.
  enum Refusal : std::size_t {
    unsealed = static_cast<std::size_t>(wire::Decoded::no_memory) + 1,
    bad_seal,
    stale,
    too_many,
    refusals
  };
  static const char* refusal_name(std::size_t refusal);

  // Where a report comes from, and where its answer goes: a datagram, or the body of a request. Neither: a replay.
  struct Source {
    const Datagram* datagram = nullptr;
    std::string* answers = nullptr;
  };
  bool take(const std::uint8_t* data, std::size_t size, model::Arrival arrival, Source source);  // false: refused
  std::size_t read(const std::uint8_t*& data, std::size_t& size, double unix_s, std::optional<wire::Envelope>& seal);
  void answer(std::size_t limit, const std::optional<wire::Envelope>& seal, Source source);
  bool is_trusted(const wire::Report& report, const Datagram& from, double now);
  void publish();
  void replay();

  std::unique_ptr<UdpSocket> m_socket;
  const bool m_accept_unsealed;
  Unsealer m_unsealer;
  SourceLimit m_limit;
  std::unique_ptr<QSocketNotifier> m_notifier;
  std::unique_ptr<QTimer> m_tick, m_replay_timer;
  UdpOwners m_owners;
  model::Model m_model;
  wire::Report m_report;
  // What was sent before `heard_until` was read: then the socket was empty, or a whole buffer was read since.
  model::Seconds m_heard_until = 0, m_marked = 0;
  quint64 m_read_since = 0;  // bytes, since the mark
  std::string m_answer, m_sealed_answer;

  Recorder m_recorder;
  std::unique_ptr<Recording> m_recording;
  std::optional<Recording::Entry> m_next;
  double m_replay_speed = 1, m_replay_start = 0;
  std::optional<double> m_replay_done;  // when the last report was applied

  std::atomic<int> m_in_flight{0};
  std::atomic<quint64> m_refused[refusals] = {};
  std::atomic<quint64> m_received{0}, m_bytes{0}, m_applied{0}, m_answered{0}, m_kernel_drops{0}, m_replayed{0};
};

}  // namespace macaw
