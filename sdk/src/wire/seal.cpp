// SPDX-License-Identifier: MIT
#include "sdk/src/wire/seal.hpp"

#include "sdk/src/wire/byte_order.hpp"
#include "sdk/src/wire/cbor_reader.hpp"
#include "sdk/src/wire/cbor_writer.hpp"

namespace macaw::wire {
namespace {

constexpr unsigned tag_encrypt0 = 0xD0;  // tag 16
constexpr std::uint64_t header_kid = 4, header_iv = 5;
constexpr std::string_view protected_header("\xA1\x01\x18\x18", 4);  // {algorithm: 24, ChaCha20/Poly1305}
constexpr std::size_t tag_size = 16;

// What the seal also vouches for: ["Encrypt0", protected header, nothing from outside], RFC 9052, 5.3.
constexpr std::string_view vouched(
    "\x83\x68"
    "Encrypt0"
    "\x44\xA1\x01\x18\x18\x40",
    16);

const unsigned char* bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

// HKDF with HMAC-SHA-256 (RFC 5869) for one block of output: extract, then expand. A salt of 16 bytes is the same HMAC
// key as that salt padded with zeros to 32.
Sealer::Sealer(const Sodium& sodium, std::string_view shared_key, const JobId& job, std::string_view direction) noexcept
    : sodium_(sodium), job_(job) {
  std::array<unsigned char, 32> salt{}, extracted{};
  std::copy(job.begin(), job.end(), salt.begin());
  sodium_.hmac(extracted.data(), bytes(shared_key), shared_key.size(), salt.data());
  std::array<char, 32> info{};
  const std::size_t size = direction.copy(info.data(), info.size() - 1);
  info[size] = 1;
  sodium_.hmac(key_.data(), bytes({info.data(), size + 1}), size + 1, extracted.data());
}

void Sealer::seal(std::uint64_t seq, std::string_view text, std::string& out) const {
  Iv iv{};
  seq = big_endian(seq);
  std::memcpy(&iv[4], &seq, sizeof seq);
  seal(iv, text, out);
}

void Sealer::seal_at_random(std::string_view text, std::string& out) const {
  Iv iv{};
  sodium_.random(iv.data(), iv.size());
  seal(iv, text, out);
}

void Sealer::seal(const Iv& iv, std::string_view text, std::string& out) const {
  out.clear();
  StringOut put_to{out};
  put_to.byte(tag_encrypt0);
  put_head(put_to, array_item, 3);
  put_head(put_to, bytes_item, protected_header.size());
  put_to.bytes(protected_header.data(), protected_header.size());
  put_head(put_to, map_item, 2);
  put(put_to, header_kid);
  put(put_to, job_);
  put(put_to, header_iv);
  put_head(put_to, bytes_item, iv.size());
  put_to.bytes(iv.data(), iv.size());
  put_head(put_to, bytes_item, text.size() + tag_size);
  const std::size_t at = out.size();
  out.resize(at + text.size() + tag_size);
  sodium_.aead_encrypt(reinterpret_cast<unsigned char*>(&out[at]), nullptr, bytes(text), text.size(), bytes(vouched),
                       vouched.size(), nullptr, iv.data(), key_.data());
}

bool Sealer::open(const Envelope& envelope, std::string& out) const {
  if (envelope.size < tag_size || envelope.job != job_) return false;
  out.resize(envelope.size - tag_size);
  return sodium_.aead_decrypt(reinterpret_cast<unsigned char*>(out.data()), nullptr, nullptr, envelope.sealed,
                              envelope.size, bytes(vouched), vouched.size(), envelope.iv.data(), key_.data()) == 0;
}

bool read_envelope(const std::uint8_t* data, std::size_t size, Envelope& envelope) noexcept try {
  if (size == 0 || data[0] != tag_encrypt0) return false;
  std::deque<std::string> storage;
  CborReader in(data + 1, size - 1, storage);
  Item array = in.take();
  if (array.kind != Kind::array || array.bits != 3) return false;
  const Item header = in.take();
  if (header.kind != Kind::bytes || header.raw != protected_header) return false;
  Item open_header = in.take();
  if (open_header.kind != Kind::map) return false;
  bool has_job = false, has_iv = false;
  while (in.more(open_header)) {
    const Item key = in.take(), value = in.take();
    if (key.kind != Kind::whole || value.kind != Kind::bytes || !value.plain) return false;
    if (key.bits == header_kid) has_job = in.job(value, envelope.job);
    if (key.bits == header_iv && value.raw.size() == envelope.iv.size()) {
      std::memcpy(envelope.iv.data(), value.raw.data(), envelope.iv.size());
      has_iv = true;
    }
  }
  const Item sealed = in.take();
  if (!has_job || !has_iv || sealed.kind != Kind::bytes || !sealed.plain || in.end() != Decoded::ok) return false;
  envelope.sealed = reinterpret_cast<const std::uint8_t*>(sealed.raw.data());
  envelope.size = sealed.raw.size();
  return true;
} catch (...) {
  return false;
}

}  // namespace macaw::wire
