// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/ingest/ingest.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "collector/clock.hpp"
#include "sdk/src/wire/encode.hpp"

namespace macaw {

namespace {

constexpr int publish_every_ms = 50;
constexpr int batches_a_turn = 32;    // then the event loop gets its turn
constexpr int change_sets_ahead = 4;  // of their receiver
constexpr std::size_t least_answer = 45;

constexpr double oldest_stranger = 86400;  // s: a sealed first report of a job that was made longer ago is a replay

}  // namespace

const char* Ingest::refusal_name(std::size_t refusal) {
  switch (refusal) {
    case unsealed: return "unsealed";
    case bad_seal: return "bad_seal";
    case stale: return "stale";
    case too_many: return "too_many";
    default: return wire::refusal_name(static_cast<wire::Decoded>(refusal));
  }
}

Ingest::Ingest(std::unique_ptr<UdpSocket> socket, Settings settings)
    : m_socket(std::move(socket)),
      m_accept_unsealed(settings.accept_unsealed),
      m_unsealer(std::move(settings.key)),
      m_limit(settings.rate_limit) {}

Ingest::~Ingest() {
  if (auto changes = m_model.tick(monotonic_now(), m_heard_until)) emit changed(std::move(changes));
}

void Ingest::restore(const std::vector<model::Job>& jobs) {
  for (const model::Job& job : jobs) m_model.restore(job);
}

QString Ingest::record_to(const QString& path) { return m_recorder.open(path, unix_now()); }

QString Ingest::replay_from(const QString& path, double speed) {
  m_recording = std::make_unique<Recording>();
  m_replay_speed = speed;
  return m_recording->open(path);
}

void Ingest::start() {
  m_notifier = std::make_unique<QSocketNotifier>(m_socket->descriptor(), QSocketNotifier::Read);
  connect(m_notifier.get(), &QSocketNotifier::activated, this, &Ingest::drain);
  m_tick = std::make_unique<QTimer>();
  connect(m_tick.get(), &QTimer::timeout, this, &Ingest::publish);
  m_tick->start(publish_every_ms);
  if (!m_recording) return;
  m_replay_timer = std::make_unique<QTimer>();
  m_replay_timer->setSingleShot(true);
  connect(m_replay_timer.get(), &QTimer::timeout, this, &Ingest::replay);
  m_replay_start = monotonic_now();
  m_replay_timer->start(0);
}

void Ingest::drain() {
  for (int i = 0; i < batches_a_turn; ++i) {
    const auto& datagrams = m_socket->receive();
    const model::Arrival arrival{monotonic_now(), unix_now()};
    if (datagrams.empty()) {
      m_heard_until = m_marked = arrival.now;
      break;
    }
    // First of all, whose they are: a short job's socket may be gone in a moment.
    for (const Datagram& datagram : datagrams)
      if (datagram.from_loopback && !m_accept_unsealed) m_owners.find(datagram.port(), arrival.now);
    for (const Datagram& datagram : datagrams) {
      m_received.fetch_add(1, std::memory_order_relaxed);
      m_bytes.fetch_add(datagram.size, std::memory_order_relaxed);
      m_read_since += datagram.size;
      take(datagram.data, datagram.size, arrival, {&datagram});
    }
  }
  // Under a load that never ends: whatever waited at the mark was read, as no more fits into the buffer.
  if (m_read_since >= static_cast<quint64>(m_socket->receive_buffer())) {
    m_read_since = 0;
    m_heard_until = std::exchange(m_marked, monotonic_now());
  }
  m_kernel_drops.store(m_socket->kernel_drops(), std::memory_order_relaxed);
}

// A report without a seal must come from this machine and this user. When its socket is gone before the kernel's table
// could be read (a job of a few milliseconds), a job that is known already is believed, as nobody else knows its random
// identity; a new one only where no other ordinary user has a process, as then there is nobody to play a trick.
bool Ingest::is_trusted(const wire::Report& report, const Datagram& from, double now) {
  if (m_accept_unsealed) return true;
  if (!from.from_loopback) return false;
  if (const auto owner = m_owners.find(from.port(), now)) return *owner == geteuid();
  return m_model.contains(report.job) || m_owners.alone(now);
}

// Puts what stands in a datagram into m_report; `data` and `size` become those of the text that was sealed. 0, or why
// it is refused.
std::size_t Ingest::read(const std::uint8_t*& data, std::size_t& size, double unix_s,
                         std::optional<wire::Envelope>& seal) {
  wire::Envelope envelope;
  if (m_unsealer.has_key() && wire::read_envelope(data, size, envelope)) {
    const std::string* text = m_unsealer.open(envelope);
    if (!text) return bad_seal;
    data = reinterpret_cast<const std::uint8_t*>(text->data());
    size = text->size();
    seal = envelope;
  }
  const wire::Decoded decoded = wire::decode(data, size, m_report);
  if (decoded != wire::Decoded::ok || !seal) return static_cast<std::size_t>(decoded);
  if (m_report.job != envelope.job || sealed_seq(envelope) != m_report.seq) return bad_seal;
  const bool is_stranger = !m_model.contains(m_report.job);
  return is_stranger && std::abs(m_report.t - unix_s) > oldest_stranger ? std::size_t{stale} : 0;
}

bool Ingest::take(const std::uint8_t* data, std::size_t size, model::Arrival arrival, Source source) {
  const std::size_t received = size;
  const Datagram* from = source.datagram;
  std::optional<wire::Envelope> seal;
  std::size_t refusal =
      from && !m_limit.allows(from->from.sin6_addr, arrival.now) ? too_many : read(data, size, arrival.unix_s, seal);
  if (refusal == 0 && !seal && from && !is_trusted(m_report, *from, arrival.now)) refusal = unsealed;
  if (refusal != 0) {
    m_refused[refusal].fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  if (seal && !m_unsealer.is_new(*seal)) {
    m_replayed.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  if (!m_model.apply(m_report, arrival)) m_replayed.fetch_add(1, std::memory_order_relaxed);
  m_applied.fetch_add(1, std::memory_order_relaxed);
  const bool is_replay = !from && !source.answers;
  if (is_replay) return true;
  if (m_recorder.is_open()) m_recorder.write(arrival.unix_s, data, size);
  if (m_report.hello || m_report.finish) answer(received, seal, source);
  return true;
}

// A datagram is never larger than what it answers, seal included, as its sender's address may be forged. A connection's
// is not.
void Ingest::answer(std::size_t limit, const std::optional<wire::Envelope>& seal, Source source) {
  if (source.answers) limit = wire::default_mtu;
  if (seal) limit = limit > wire::Sealer::overhead ? limit - wire::Sealer::overhead : 0;
  if (limit < least_answer) return;
  m_answer.clear();
  m_model.answer(m_report, limit, m_answer);
  if (seal) m_unsealer.seal(m_report.job, m_answer, m_sealed_answer);
  const std::string& bytes = seal ? m_sealed_answer : m_answer;
  if (source.answers)
    *source.answers += bytes;
  else if (!m_socket->send(bytes, source.datagram->from))
    return;
  m_answered.fetch_add(1, std::memory_order_relaxed);
}

std::optional<QByteArray> Ingest::take_body(const QByteArray& body) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(body.constData());
  const auto* const end = data + body.size();
  const model::Arrival arrival{monotonic_now(), unix_now()};
  std::string answers;
  bool took_any = false;
  while (data < end) {
    const auto left = static_cast<std::size_t>(end - data);
    std::size_t size = 0, step = 0;
    if (*data == '{') {
      size = static_cast<std::size_t>(std::find(data, end, '\n') - data);
      step = std::min(left, size + 1);
    } else if (*data == '\n' || *data == '\r') {
      step = 1;
    } else {
      size = step = wire::first_item(data, left);
      if (step == 0) size = step = left;  // counted as malformed, once
    }
    if (size > 0) {
      m_received.fetch_add(1, std::memory_order_relaxed);
      m_bytes.fetch_add(size, std::memory_order_relaxed);
      took_any |= take(data, size, arrival, {nullptr, &answers});
    }
    data += step;
  }
  return took_any ? std::optional(QByteArray::fromStdString(answers)) : std::nullopt;
}

void Ingest::publish() {
  if (m_recorder.is_open()) m_recorder.flush();
  if (m_in_flight.load() >= change_sets_ahead) return;
  drain();  // what came while this process was stopped ends nobody's silence too late
  if (auto changes = m_model.tick(monotonic_now(), m_heard_until)) {
    m_in_flight.fetch_add(1);
    emit changed(std::move(changes));
  }
  if (m_replay_done && monotonic_now() - *m_replay_done > model::JobRecord::repair_time) {
    m_replay_done.reset();
    emit replay_finished();
  }
}

void Ingest::replay() {
  constexpr int reports_a_turn = 2000;
  for (int i = 0; i < reports_a_turn; ++i) {
    if (!m_next) m_next = m_recording->next();
    if (!m_next) {
      m_replay_done = monotonic_now();  // said once all of it is published
      return;
    }
    if (m_replay_speed > 0) {
      const double wait = m_replay_start + m_next->since_start / m_replay_speed - monotonic_now();
      if (wait > 0) return m_replay_timer->start(static_cast<int>(wait * 1000) + 1);
    }
    take(reinterpret_cast<const std::uint8_t*>(m_next->bytes.constData()),
         static_cast<std::size_t>(m_next->bytes.size()), {monotonic_now(), m_next->unix_s}, {});
    m_next.reset();
  }
  m_replay_timer->start(0);
}

void Ingest::add_health(Health& health) const {
  health.received = m_received.load();
  health.bytes = m_bytes.load();
  health.applied = m_applied.load();
  health.answered = m_answered.load();
  health.kernel_drops = m_kernel_drops.load();
  health.replayed = m_replayed.load();
  health.receive_buffer = m_socket->receive_buffer();
  for (std::size_t i = 1; i < refusals; ++i)
    if (const quint64 count = m_refused[i].load()) health.refused[refusal_name(i)] = count;
}

}  // namespace macaw
