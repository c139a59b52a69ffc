// Any bytes as an ASF file: an error or a skeleton.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "io/asf_amc.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = shosa::io::parse_asf(text, "fuzz.asf");
  if (file && (file->skeleton == nullptr || !file->clips.empty())) std::abort();
  return 0;
}
