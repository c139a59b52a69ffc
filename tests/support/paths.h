#pragma once

#include <filesystem>

namespace shosa::test {

// Where this build finds things. Only paths.cpp knows the folders, so that a second checkout shares the compiler's
// cache for all other sources of the tests.
std::filesystem::path real_data_dir();  ///< Captured clips; may not be there.
std::filesystem::path source_dir();     ///< The project.
std::filesystem::path build_dir();      ///< The program `shosa`, and what tests keep from run to run.

}  // namespace shosa::test
