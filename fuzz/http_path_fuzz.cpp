// Paths of requests: whatever is allowed stays below the project.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "shosa/io/files_below.h"
#include "shosa/project/zip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path(reinterpret_cast<const char*>(data), size);
  if (!shosa::project::name_problem(path).empty()) return 0;
  const std::string whole = std::filesystem::path("/project/" + path).lexically_normal().string();
  if (!shosa::io::stays_below(path) || !whole.starts_with("/project/") || whole.find("/.") != std::string::npos)
    std::abort();
  return 0;
}
