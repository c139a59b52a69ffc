#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

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

/// Fails (cannot_read) when the file is not there, is a folder or may not be read.
Result<FileText> read_file(const std::filesystem::path& path);

}  // namespace shosa::io
