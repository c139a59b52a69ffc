// Zips of projects: the list of entries, all checks included; nothing is written.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/io/files_below.h"
#include "shosa/project/zip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto entries = shosa::project::list_zip({reinterpret_cast<const char*>(data), size}, "fuzz.zip");
  if (!entries) return 0;
  for (const auto& entry : *entries)
    if (!shosa::io::stays_below(entry.name)) std::abort();
  return 0;
}
