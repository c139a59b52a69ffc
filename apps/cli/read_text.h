#pragma once

#include <string>

#include "shosa/core/result.h"

namespace shosa::cli {

/// The whole of a file, text or bytes. Fails for what is missing, unreadable or a folder, with the reason.
Result<std::string> read_text(const std::string& path);

}  // namespace shosa::cli
