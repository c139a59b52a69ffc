#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "shosa/core/result.h"

namespace shosa::io {

/// A whole file in memory.
class FileText {
 public:
  FileText(std::unique_ptr<char[]> bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

/// Larger files are refused, and so is more than this from a pipe or device, which may never end.
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{4} << 30;
inline constexpr std::uint64_t kMaxStreamBytes = std::uint64_t{256} << 20;

std::unexpected<Error> file_too_large(const std::filesystem::path& path, std::uint64_t most_bytes);

/// Fails (cannot_read) when the file is not there, is a folder, may not be read or is too large.
Result<FileText> read_file(const std::filesystem::path& path);

/// False also where that cannot be told.
bool same_folder(const std::filesystem::path& a, const std::filesystem::path& b);

/// What lies in a folder, sorted; nothing where it cannot be read.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);

}  // namespace shosa::io
