#include "support/paths.h"

namespace shosa::test {

std::filesystem::path real_data_dir() {
  return SHOSA_REAL_DATA;
}

std::filesystem::path source_dir() {
  return SHOSA_SOURCE_DIR;
}

std::filesystem::path build_dir() {
  return SHOSA_BUILD_DIR;
}

}  // namespace shosa::test
