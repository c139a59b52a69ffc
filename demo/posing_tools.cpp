#include "demo/posing_tools.h"

#include <cmath>

#include "shosa/analysis/heading.h"
#include "shosa/core/angles.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::demo {

Clip held(const Clip& clip, int frame, double seconds) {
  Clip still(clip.skeleton_ptr(), static_cast<int>(std::lround(seconds * 60.0)) + 1, 1.0 / 60.0, clip.translated());
  for (int f = 0; f < still.frame_count(); ++f) still.set_frame(f, clip.frame(frame));
  return still;
}

std::vector<posing::MotionPin> pins_on(const body::BodyMap& map, std::initializer_list<body::Role> roles) {
  std::vector<posing::MotionPin> pins;
  for (const body::Role role : roles) {
    if (!map.has(role)) continue;
    // Ankle and toe joint alone would leave the foot free to roll over on its edge.
    const bool foot = role == body::Role::left_foot || role == body::Role::right_foot;
    pins.push_back({.joint = map.joint(role), .position_m = {}, .hold_orientation = foot, .orientation = {}});
  }
  return pins;
}

Result<posing::MotionEditParams> human_edit(const Clip& clip, const body::BodyMap& map) {
  auto ranges = posing::human_ranges(clip.skeleton(), map);
  if (!ranges) return std::unexpected(ranges.error());
  posing::MotionEditParams edit;
  edit.stiffness = posing::human_stiffness(clip.skeleton(), map);
  edit.ranges = std::move(*ranges);
  if (const auto kept = posing::keep_knees(clip, map, edit); !kept) return std::unexpected(kept.error());
  return edit;
}

Result<posing::Balance> human_balance(const Skeleton& skeleton, const body::BodyMap& map) {
  auto masses = posing::human_masses(skeleton, map);
  if (!masses) return std::unexpected(masses.error());
  posing::Balance balance;
  balance.masses = std::move(*masses);
  balance.support = posing::human_support(skeleton, map);
  return balance;
}

Vec3d forward_of(const Clip& clip, const body::BodyMap& map) {
  const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(0));
  const double heading = analysis::heading_rad(map, world.positions, world.rotations[0]);
  return toward(heading);
}

}  // namespace shosa::demo
