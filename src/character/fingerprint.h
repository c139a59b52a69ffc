#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace shosa::character {

/// FNV-1a of 64 bits. Notices what differs; no guard against forgery.
class Fingerprint {
 public:
  Fingerprint& add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) value_ = (value_ ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
    return *this;
  }
  Fingerprint& add(std::string_view text) {
    add(std::as_bytes(std::span(text)));
    return add(text.size());
  }
  template <class Number>
  requires std::is_arithmetic_v<Number> Fingerprint& add(Number number) {
    return add(std::as_bytes(std::span(&number, 1)));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace shosa::character
