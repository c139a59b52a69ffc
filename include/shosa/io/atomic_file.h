#pragma once

#include <filesystem>
#include <string_view>

#include "shosa/core/result.h"

namespace shosa::io {

/// Puts `content` into the file at `path`, whole or not at all.
///
/// Written to a temporary file in the same folder, flushed to the disk and renamed over `path`; when a step fails the
/// temporary file is removed and what stood at `path` is untouched. A symbolic link is followed. What is not a regular
/// file (a pipe, a terminal) is written to directly.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace shosa::io
