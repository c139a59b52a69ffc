#include <algorithm>
#include <array>
#include <cmath>

#include "shosa/body/two_bones.h"
#include "shosa/core/angles.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

std::vector<std::pair<JointIndex, JointFreedom>> human_knees(const Clip& clip, const body::BodyMap& map) {
  std::vector<std::pair<JointIndex, JointFreedom>> list;
  if (map.kind != body::BodyKind::humanoid) return list;
  for (const auto& [hip, knee, foot, toes] : {std::array{body::Role::left_upper_leg, body::Role::left_lower_leg,
                                                         body::Role::left_foot, body::Role::left_toes},
                                              std::array{body::Role::right_upper_leg, body::Role::right_lower_leg,
                                                         body::Role::right_foot, body::Role::right_toes}}) {
    if (!map.has(hip) || !map.has(knee) || !map.has(foot) || !map.has(toes)) continue;
    const body::TwoBones leg{.hip = map.joint(hip), .knee = map.joint(knee), .ankle = map.joint(foot)};
    std::vector<Vec3d> ahead;
    for (int f = 0; f < clip.frame_count(); ++f) {
      const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(f));
      const auto at = [&](JointIndex joint) { return world.positions[joint]; };
      ahead.push_back(level_direction(at(map.joint(toes)) - at(leg.ankle)));
    }
    list.emplace_back(leg.knee,
                      JointFreedom{.kind = JointKind::hinge, .axis = body::find_flexion_axis(clip, leg, ahead)});
  }
  return list;
}

Result<void> keep_knees(const Clip& clip, const body::BodyMap& map, MotionEditParams& params) {
  // Full flexion: Boone and Azen 1979, as in human_limits. Sideways the hinge decides, not the range.
  constexpr double kBent_deg = 143.0, kSideways_deg = 60.0;
  for (const auto& [knee, freedom] : human_knees(clip, map)) {
    const JointIndex foot =
        map.joint(knee == map.joint(body::Role::left_lower_leg) ? body::Role::left_foot : body::Role::right_foot);
    const auto along = [&](JointIndex joint) {
      return Vec3d(clip.skeleton().joint(joint).rest_translation_m.cast<double>().normalized());
    };
    const Vec3d thigh = along(knee), shank = along(foot), axis = freedom.axis;
    const auto bend_deg = [&](const Quatd& parent_from_knee) {
      const Vec3d down = parent_from_knee * shank;
      return std::atan2(thigh.cross(down).dot(parent_from_knee * axis), thigh.dot(down)) * kDegPerRad;
    };
    double least = 0.0, most = kBent_deg;
    for (int f = 0; f < clip.frame_count(); ++f) {
      const double bend = bend_deg(clip.rotation(f, knee).cast<double>());
      least = std::min(least, bend);
      most = std::max(most, bend);
    }
    const Quatd rest = clip.skeleton().joint(knee).rest_rotation.cast<double>();
    const double zero = bend_deg(rest);
    auto range = hinge_range(rest, axis, std::max(-180.0, least - zero), std::min(180.0, most - zero), kSideways_deg);
    if (!range) return std::unexpected(range.error());
    std::erase_if(params.ranges, [&](const HumanRange& entry) { return entry.joint == knee; });
    params.ranges.push_back({knee, std::move(*range)});
    params.freedoms.emplace_back(knee, freedom);
  }
  return {};
}

}  // namespace shosa::posing
