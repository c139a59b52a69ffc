// A walk put onto a body of other proportions: long shanks and arms, wide hips, its rest pose with the arms down.

#include <fmt/format.h>

#include "sample_tools.h"
#include "shosa/retarget/retarget.h"

namespace {

std::shared_ptr<const shosa::Skeleton> stranger() {
  using namespace shosa;
  const auto human = scenes::humanoid();
  std::vector<Joint> joints(human->joints().begin(), human->joints().end());
  for (Joint& joint : joints) {
    if (joint.name.ends_with("lower_leg")) joint.rest_translation_m *= 0.85f;
    if (joint.name.ends_with("foot")) joint.rest_translation_m *= 1.2f;
    if (joint.name.ends_with("upper_leg")) joint.rest_translation_m.x() *= 1.5f;
    if (joint.name.ends_with("lower_arm") || joint.name.ends_with("hand")) joint.rest_translation_m *= 1.25f;
    if (joint.name == "left_upper_arm") joint.rest_rotation = Quatf(Eigen::AngleAxisf(-1.2f, Vec3f::UnitZ()));
    if (joint.name == "right_upper_arm") joint.rest_rotation = Quatf(Eigen::AngleAxisf(1.2f, Vec3f::UnitZ()));
  }
  const auto sites = human->end_sites();
  auto made = Skeleton::create(std::move(joints), {sites.begin(), sites.end()});
  return made ? std::make_shared<const Skeleton>(std::move(*made)) : nullptr;
}

}  // namespace

int main() {
  using namespace shosa;
  const Clip walk = scenes::walk({.turn_rad_per_m = 0.3}).clip;
  const auto target = stranger();
  if (!target) return 1;
  const body::BodyMap map = body::guess_body_map(walk.skeleton()), target_map = body::guess_body_map(*target);

  const analysis::StudiedClip source = analysis::study(walk, map);
  const auto loose = retarget::retarget_motion(source, target, target_map, {.keep_feet = false});
  const auto kept = retarget::retarget_motion(source, target, target_map);
  if (!loose || !kept) return sample::failure((loose ? kept : loose).error());
  fmt::print("size {:.3f} of the source, {} stances\n", kept->scale, kept->held_stances);
  fmt::print("turns alone: slide {:.4f} m/s, penetration {:.4f} m\n", loose->quality.foot_skate_mps,
             loose->quality.penetration_m);
  fmt::print("feet held:   slide {:.4f} m/s, penetration {:.4f} m\n", kept->quality.foot_skate_mps,
             kept->quality.penetration_m);

  draw::StripParams strip;
  strip.count = 6;
  strip.width_px = 900.0;
  strip.views = {draw::ViewName::three_quarter};
  strip.layout = draw::StripLayout::cells;
  strip.ghost = {.clip = &walk, .body_map = &map, .label = "source"};
  strip.title = "A walk (faint) on a body of other proportions";
  const auto drawn = draw::draw_strip(kept->clip, target_map, strip);
  if (!drawn) return sample::failure(drawn.error());
  if (!sample::save(drawn->canvas, "retarget.png") || !sample::save(kept->clip, "retarget.bvh")) return 1;
  return kept->quality.foot_skate_mps < 0.01 && kept->quality.penetration_m < 0.01 ? 0 : 1;
}
