#pragma once

#include <filesystem>
#include <string_view>

#include "shosa/core/result.h"

namespace shosa::io {

/// Puts `content` into the file at `path`, whole or not at all.
///
/// Written to a temporary file in the same folder, flushed to the disk and renamed over `path`; when a step fails the
/// temporary file is removed and what stood at `path` is untouched. Where the system can (Linux, most file systems) the
/// temporary file has no name until it is whole, so that a process that is stopped leaves nothing behind. A new file
/// has the rights that the process's mask allows, a replaced one keeps its own. A symbolic link is followed, also one
/// whose target is not there yet. What is not a regular file (a pipe, a terminal) is written to directly.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace shosa::io
