#pragma once

#include <filesystem>
#include <string>

#include "shosa/core/result.h"

namespace shosa::io {

/// The whole of a file, text or bytes. Fails for what is missing, unreadable, too large or a folder, with the reason.
Result<std::string> read_text(const std::filesystem::path& path);

/// Whether a regular file is there; false also where that cannot be told.
bool is_plain_file(const std::filesystem::path& path);

}  // namespace shosa::io
