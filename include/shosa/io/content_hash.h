#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace shosa::io {

/// FNV-1a of 64 bits over texts, each with its length. Notices that a file has changed; no guard against forgery.
class ContentHash {
 public:
  ContentHash& add(std::string_view bytes) {
    for (const char byte : bytes) mix(static_cast<unsigned char>(byte));
    for (std::size_t size = bytes.size(); size > 0; size >>= 8) mix(static_cast<unsigned char>(size));
    return *this;
  }
  std::string text() const { return fmt::format("{:016x}", value_); }

 private:
  void mix(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3u; }
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// Of the content of one file.
inline std::string content_hash(std::string_view bytes) {
  return ContentHash().add(bytes).text();
}

}  // namespace shosa::io
