// Any bytes as a curve file: an error, or curves whose postures are finite and that are written and read again the
// same.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shosa/segment/curve_clip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using shosa::segment::CurveClip;
  const auto curves = CurveClip::from_bytes({reinterpret_cast<const char*>(data), size}, "fuzz.curves");
  if (!curves) return 0;
  shosa::Pose pose;
  for (const double frame : {0.0, 0.4, 1e9}) {
    curves->sample(frame, pose);
    for (const float value : pose.rotation_lanes()) {
      if (!std::isfinite(value)) std::abort();
    }
  }
  const std::string bytes = curves->to_bytes();
  const auto again = CurveClip::from_bytes(bytes, "again.curves");
  if (!again || again->to_bytes() != bytes) std::abort();
  return 0;
}
