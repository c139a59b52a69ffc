#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shosa::test {

/// A zip written byte by byte, as PKWARE's APPNOTE has it, with whatever lies somebody may put into one.
struct RawEntry {
  std::string name, content;
  std::uint32_t attributes = 0100644u << 16;
  std::uint16_t flags = 1 << 11;  ///< The name is UTF-8.
  std::uint16_t method = 0;       ///< Stored.
  std::int64_t said_bytes = -1;   ///< Instead of the true size.
  bool wrong_checksum = false;
};

inline std::uint32_t crc32_of(const std::string& bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

inline std::string raw_zip(const std::vector<RawEntry>& entries) {
  const auto number = [](std::string& to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i));
  };
  std::string files, directory;
  for (const RawEntry& entry : entries) {
    const std::uint64_t size =
        entry.said_bytes >= 0 ? static_cast<std::uint64_t>(entry.said_bytes) : entry.content.size();
    std::string common;
    number(common, 20, 2);
    number(common, entry.flags, 2);
    number(common, entry.method, 2);
    number(common, 0x00210000, 4);
    number(common, crc32_of(entry.content) ^ (entry.wrong_checksum ? 1u : 0u), 4);
    number(common, entry.content.size(), 4);
    number(common, size, 4);
    number(common, entry.name.size(), 2);
    number(common, 0, 2);
    number(directory, 0x02014b50, 4);
    number(directory, 0x031e, 2);  // made by Unix
    directory += common;
    number(directory, 0, 2 + 2 + 2);
    number(directory, entry.attributes, 4);
    number(directory, files.size(), 4);
    directory += entry.name;
    number(files, 0x04034b50, 4);
    files += common + entry.name + entry.content;
  }
  std::string end;
  number(end, 0x06054b50, 4);
  number(end, 0, 4);
  number(end, entries.size(), 2);
  number(end, entries.size(), 2);
  number(end, directory.size(), 4);
  number(end, files.size(), 4);
  number(end, 0, 2);
  return files + directory + end;
}

}  // namespace shosa::test
