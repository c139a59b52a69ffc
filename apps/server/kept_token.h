#pragma once

#include <filesystem>
#include <string>

namespace shosa::server {

/// The token of a door in the file `path`, so that a page that is open goes on after a restart. A fresh one, which is
/// kept from then on, where none is there, where another than this user owns or can read the file, and on request.
/// Where nothing can be kept it is a fresh one every time.
std::string kept_token(const std::filesystem::path& path, bool fresh);

}  // namespace shosa::server
