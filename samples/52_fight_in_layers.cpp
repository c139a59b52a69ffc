// A fight from two clips: punches of the upper body over a walk, then the same punches standing, joined into one
// motion.

#include <fmt/format.h>

#include <cmath>

#include "scenes/scenes.h"
#include "shosa/blend/compose.h"
#include "shosa/blend/layers.h"

int main() {
  using namespace shosa;
  const Clip stand = scenes::stand(3.0).clip, walk = scenes::walk({.duration_s = 3.0}).clip;
  const body::BodyMap map = body::guess_body_map(stand.skeleton());

  // Punches: the arms go forward in turn, twice a second. Only the arms' turns beyond the first frame count.
  Clip punches = stand;
  for (int f = 0; f < punches.frame_count(); ++f) {
    for (const auto& [role, side] :
         {std::pair{body::Role::left_upper_arm, 1.0f}, std::pair{body::Role::right_upper_arm, -1.0f}}) {
      const float phase = 2.0f * 3.14159265f * static_cast<float>(f * punches.frame_time_s());
      const float out = std::max(0.0f, side * std::sin(phase));
      const JointIndex arm = map.joint(role);
      punches.set_rotation(f, arm,
                           Quatf(Eigen::AngleAxisf(-side * 1.4f * out, Vec3f::UnitY())) * stand.rotation(0, arm));
    }
  }
  const auto arms = blend::mask_below(stand.skeleton(), map,
                                      std::vector<body::Role>{body::Role::left_upper_arm, body::Role::right_upper_arm});
  if (!arms) return 1;
  const std::vector<blend::ClipLayer> layers = {
      {.clip = &punches, .kind = blend::LayerKind::additive, .mask = *arms, .reference = stand.frame(0)}};
  const auto walking = blend::apply_layers(walk, layers), standing = blend::apply_layers(stand, layers);
  if (!walking || !standing) return 1;

  const auto first = blend::prepare_motion(analysis::study(*walking, map)),
             second = blend::prepare_motion(analysis::study(*standing, map));
  if (!first || !second) return 1;
  const auto made =
      blend::compose(std::vector<blend::ScoreMotion>{{*first, 0.0}, {*second, std::nullopt}, {*first, std::nullopt}});
  if (!made) return 1;
  for (const blend::Join& join : made->joins) {
    fmt::print("{} -> {}: {}\n", join.from, join.to, method_name(join.report.method));
    if (!join.report.executed) return 1;
  }
  return 0;
}
