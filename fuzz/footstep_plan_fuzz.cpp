// Any bytes as a plan of `footsteps`: an error, or steps that are finite.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "shosa/documents/footstep_plan.h"

namespace {

// A body that never lands, so that plans made from a walk end where the walk would begin.
shosa::Clip standing() {
  const auto skeleton = shosa::Skeleton::create({{.name = "hips", .rest_translation_m = {0, 1, 0}},
                                                 {.name = "leg", .parent = 0, .rest_translation_m = {0.1f, -0.5f, 0}}});
  return shosa::Clip(std::make_shared<const shosa::Skeleton>(*skeleton), 2, 0.1, {0});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const shosa::Clip clip = standing();
  static const auto studied = shosa::analysis::study(clip, shosa::body::guess_body_map(clip.skeleton()));
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto plan = shosa::documents::parse_footstep_plan(text, "fuzz.json", studied);
  if (!plan) return plan.error().message.empty() ? std::abort(), 0 : 0;
  if (plan->steps.empty()) std::abort();
  for (const auto& step : plan->steps) {
    if (!step.position_m.allFinite() || (step.heading_rad && !std::isfinite(*step.heading_rad))) std::abort();
  }
  return 0;
}
