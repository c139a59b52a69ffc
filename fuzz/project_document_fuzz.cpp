// What kind a document is, and the files that it names.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/project/project.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& reference : shosa::project::references_in(text, shosa::project::kind_of(text)))
    if (reference.begin >= reference.end || reference.end > size) std::abort();
  return 0;
}
