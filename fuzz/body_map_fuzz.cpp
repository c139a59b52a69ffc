// Any bytes as a body map: an error or a map that is written and read again the same.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/documents/body_map.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const shosa::Skeleton skeleton = *shosa::Skeleton::create({
      {.name = "hips"},
      {.name = "LFoot", .parent = 0},
      {.name = "jaw, \"lower\"", .parent = 0},
  });
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto document = shosa::documents::parse_body_map(text, "fuzz.json");
  if (!document) return 0;
  const auto map = shosa::documents::evaluate(*document, skeleton, {});
  if (!map) return 0;
  const auto written = shosa::documents::parse_body_map(shosa::documents::format_body_map(skeleton, *map), "again");
  if (!written) std::abort();
  const auto again = shosa::documents::evaluate(*written, skeleton, {});
  if (!again || again->kind != map->kind) std::abort();
  for (int i = 0; i < shosa::body::kRoleCount; ++i) {
    const auto role = static_cast<shosa::body::Role>(i);
    if (again->joint(role) != map->joint(role)) std::abort();
  }
  return 0;
}
