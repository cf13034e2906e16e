// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/feed.hpp"

#include "sdk/src/wire/decode.hpp"
#include "tests/support/model_printer.hpp"

namespace macaw::test {

std::string datagram(std::uint64_t seq, double up, const std::string& rows, const std::string& job) {
  return R"({"v":1,"job":")" + job + R"(","seq":)" + std::to_string(seq) + R"(,"up":)" + std::to_string(up) +
         (rows.empty() ? "" : ",") + rows + "}";
}

bool Feed::report(double now, std::uint64_t seq, const std::string& rows, const std::string& job) {
  return report_at(now, now, seq, rows, job);
}

bool Feed::report_at(double now, double up, std::uint64_t seq, const std::string& rows, const std::string& job) {
  m_bytes = datagram(seq, up, rows, job);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(m_bytes.data());
  if (wire::decode(bytes, m_bytes.size(), m_report) != wire::Decoded::ok || m_report.refused_rows > 0) return false;
  return m_model.apply(m_report, {now, 1e9 + now});
}

std::shared_ptr<const model::ChangeSet> Feed::tick(double now) {
  auto changes = m_model.tick(now);
  if (changes && !changes->jobs.empty()) m_job = changes->jobs.back().job;
  return changes;
}

wire::Answer Feed::answer(std::size_t limit) {
  std::string bytes;
  m_model.answer(m_report, limit, bytes);
  wire::Answer answer;
  wire::decode_answer(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), answer);
  return answer;
}

std::string Feed::text() const { return m_job ? print(*m_job) : std::string(); }

}  // namespace macaw::test
