// Any bytes as a BVH file: an error or a motion, and what was read can be written and read again.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "io/bvh.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = shosa::io::parse_bvh(text, "fuzz.bvh");
  if (!file || file->clips.empty()) return 0;
  const shosa::Clip& clip = file->clips.front();
  const auto written = shosa::io::format_bvh(clip, file->bvh.get(), file->unit_m);
  if (!written) std::abort();
  const auto again = shosa::io::parse_bvh(*written, "again.bvh", {.unit_m = file->unit_m});
  if (!again || again->clips.size() != 1) std::abort();
  if (again->clips[0].frame_count() != clip.frame_count()) std::abort();
  if (again->clips[0].joint_count() != clip.joint_count()) std::abort();
  if (again->clips[0].frame_time_s() != clip.frame_time_s()) std::abort();
  return 0;
}
