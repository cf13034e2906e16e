// SPDX-License-Identifier: MIT
#include "sdk/src/report/sodium.hpp"

#include <dlfcn.h>

namespace macaw::report {
namespace {

template <class Function>
bool find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  return function != nullptr;
}

bool load(wire::Sodium& sodium) {
  void* library = nullptr;
  for (const char* name : {"libsodium.so.26", "libsodium.so.23", "libsodium.so"}) {
    if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  int (*init)() = nullptr;
  return library && find(library, "sodium_init", init) && init() >= 0 &&
         find(library, "crypto_aead_chacha20poly1305_ietf_encrypt", sodium.aead_encrypt) &&
         find(library, "crypto_aead_chacha20poly1305_ietf_decrypt", sodium.aead_decrypt) &&
         find(library, "crypto_auth_hmacsha256", sodium.hmac) && find(library, "randombytes_buf", sodium.random);
}

}  // namespace

const wire::Sodium* load_sodium() noexcept {
  static wire::Sodium sodium;
  static const bool loaded = load(sodium);
  return loaded ? &sodium : nullptr;
}

}  // namespace macaw::report
