#pragma once

#include <string>
#include <string_view>

namespace shosa::demo {

/// A file that was built into the program (page/ and three.js; CMakeLists.txt lists them). Naming another is a bug.
std::string page_file(std::string_view name);

}  // namespace shosa::demo
