// Any bytes as a submovement file: an error, or a body that is written again byte for byte once it has been read.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/documents/submovement_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shosa::documents;
  const auto body = parse_submovements(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.submove");
  if (!body) return body.error().message.find("fuzz.submove") == std::string::npos ? std::abort(), 0 : 0;
  const std::string bytes = encode_submovements(*body);
  const auto again = parse_submovements(bytes, "again.submove");
  if (!again || encode_submovements(*again) != bytes) std::abort();
  shosa::Pose pose;
  sample(*body, 0.5, pose);
  return 0;
}
