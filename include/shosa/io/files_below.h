#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace shosa::io {

/// Regular files below a folder, relative to it, sorted; hidden files and folders are left out, folders that are links
/// are not entered, those that may not be read are passed over.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

/// True where a path from somewhere else is relative and stays below its folder, as far as its text says.
bool stays_below(const std::string& path);

}  // namespace shosa::io
