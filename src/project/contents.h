#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace shosa::project {

/// Hashes of files by their paths, as they were when the project was last looked at.
using Contents = std::map<std::string, std::string>;

/// Nothing where it is not there or makes no sense: it only helps to find files again.
Contents read_contents(const std::filesystem::path& folder);
/// Whole or not at all, and not where the folder cannot be written.
void keep_contents(const std::filesystem::path& folder, const Contents& contents);

}  // namespace shosa::project
