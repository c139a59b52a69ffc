// Any bytes as a submovement file: an error, or a body that is written again byte for byte once it has been read.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/submovement/file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shosa::submovement;
  const auto body = decode(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.submove");
  if (!body) return 0;
  const std::string bytes = encode(*body);
  const auto again = decode(bytes, "again.submove");
  if (!again || encode(*again) != bytes) std::abort();
  shosa::Pose pose;
  sample(*body, 0.5, pose);
  return 0;
}
