// Any bytes as joint ranges: an error, or ranges that are written and read again.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/documents/joint_ranges.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shosa;
  static const Skeleton skeleton = *Skeleton::create({
      {.name = "hips"},
      {.name = "LFoot", .parent = 0},
      {.name = "jaw, \"lower\"", .parent = 0},
  });
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = [&](std::string_view from) -> Result<std::vector<posing::HumanRange>> {
    const auto document = documents::parse_joint_ranges(from, "fuzz.json");
    if (!document) return std::unexpected(document.error());
    return documents::evaluate(*document, skeleton, {});
  };
  const auto ranges = read(text);
  if (!ranges) return 0;
  const auto again = read(documents::format_joint_ranges(*ranges, skeleton, {}));
  if (!again || again->size() != ranges->size()) std::abort();
  for (std::size_t i = 0; i < ranges->size(); ++i) {
    if ((*again)[i].joint != (*ranges)[i].joint) std::abort();
    if ((*again)[i].range.triangles() != (*ranges)[i].range.triangles()) std::abort();
    const auto nearest = (*ranges)[i].range.nearest(Quatd::Identity());
    if (!nearest.correction_rad.allFinite()) std::abort();
  }
  return 0;
}
