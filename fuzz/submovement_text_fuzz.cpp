// Any bytes as the text form of a submovement file: an error that names the file, or a body whose text and bytes both
// read back to the same.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/documents/submovement_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shosa::documents;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!text.starts_with('{')) return 0;  // The other form.
  const auto body = parse_submovements(text, "fuzz.json");
  if (!body) return body.error().message.find("fuzz.json") == std::string::npos ? std::abort(), 0 : 0;
  const std::string bytes = encode_submovements(*body);
  const auto again = parse_submovements(format_submovements(*body), "again.json");
  if (!again || encode_submovements(*again) != bytes) std::abort();
  const auto other = parse_submovements(bytes, "again.submove");
  if (!other || format_submovements(*other) != format_submovements(*body)) std::abort();
  return 0;
}
