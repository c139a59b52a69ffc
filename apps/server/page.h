#pragma once

#include <string>

namespace shosa::server {

/// The page that the browser is given: everything in one file.
const std::string& page();

}  // namespace shosa::server
