#include "shosa/posing/human_ranges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "shosa/core/rotations.h"
#include "shosa/core/tree_paths.h"

namespace shosa::posing {

namespace {

double radians(double degrees) {
  return degrees * M_PI / 180.0;
}

/// Directions of the body at rest, in the world of the rest pose.
struct BodyAxes {
  Vec3d up, forward, left;
};

// Ranges are laid on the rest pose, so that must be a figure: trunk up, legs down. Some files have all bones along one
// axis at rest.
Result<void> standing_figure(const Skeleton& skeleton, const body::BodyMap& map, const Vec3d& up) {
  constexpr double kAlong = 0.5;  // cosine
  const auto at = [&](body::Role role) { return skeleton.rest_positions()[map.joint(role)]; };
  const auto refuse = [](std::string_view what) {
    return fail(ErrorCode::not_possible,
                "human ranges: {} in the rest pose, expected a standing figure; a range file can be given instead",
                what);
  };
  for (const body::Role top : {body::Role::head, body::Role::neck, body::Role::chest, body::Role::spine}) {
    if (!map.has(top)) continue;
    if ((at(top) - at(body::Role::hips)).normalized().dot(up) < kAlong) return refuse("the trunk does not point up");
    break;
  }
  for (const auto& [hip, knee, foot] :
       {std::array{body::Role::left_upper_leg, body::Role::left_lower_leg, body::Role::left_foot},
        std::array{body::Role::right_upper_leg, body::Role::right_lower_leg, body::Role::right_foot}}) {
    if (!map.has(knee)) continue;
    if (joint_chain(skeleton, map.joint(knee), map.joint(foot)).empty()) return refuse("a foot hangs on no leg");
    if ((at(hip) - at(knee)).normalized().dot(up) < kAlong) return refuse("a leg does not point down");
  }
  return {};
}

Result<BodyAxes> body_axes(const Skeleton& skeleton, const body::BodyMap& map) {
  if (map.kind != body::BodyKind::humanoid || !map.has(body::Role::hips) || !map.has(body::Role::left_upper_leg) ||
      !map.has(body::Role::right_upper_leg) || !map.has(body::Role::left_foot) || !map.has(body::Role::right_foot)) {
    return fail(ErrorCode::not_possible, "human ranges: the body map has no humanoid with hips and legs");
  }
  const auto at = [&](body::Role role) { return skeleton.rest_positions()[map.joint(role)]; };
  BodyAxes axes;
  const Vec3d across = at(body::Role::left_upper_leg) - at(body::Role::right_upper_leg);
  const Vec3d rise = 0.5 * (at(body::Role::left_upper_leg) + at(body::Role::right_upper_leg)) -
                     0.5 * (at(body::Role::left_foot) + at(body::Role::right_foot));
  if (across.norm() < 1e-6 || rise.norm() < 1e-6 || across.normalized().cross(rise.normalized()).norm() < 0.1) {
    return fail(ErrorCode::not_possible, "human ranges: hips and feet of the rest pose do not span a body");
  }
  axes.left = across.normalized();
  axes.up = (rise - rise.dot(axes.left) * axes.left).normalized();
  axes.forward = axes.left.cross(axes.up);
  if (const auto stands = standing_figure(skeleton, map, axes.up); !stands) return std::unexpected(stands.error());
  return axes;
}

// Rotation whose columns are x along `bone` and z along `toward` as far as that is perpendicular.
Quatd frame_of(const Vec3d& bone, const Vec3d& toward) {
  Eigen::Matrix3d frame;
  frame.col(0) = bone.normalized();
  const Vec3d aside = toward - toward.dot(frame.col(0)) * frame.col(0);
  frame.col(2) = aside.normalized();
  frame.col(1) = frame.col(2).cross(frame.col(0));
  return Quatd(frame);
}

// A fan of triangles over the ellipse quadrants. In the frame, the bone along x swings toward +z by a turn about -y,
// and toward +y by a turn about +z.
Result<JointRange> elliptic_range(double to_z_deg, double from_z_deg, double to_y_deg, double from_y_deg,
                                  double twist_min_deg, double twist_max_deg, const Quatd& parent_from_zero,
                                  const Quatd& joint_from_frame) {
  constexpr int kRim = 24;
  const auto half_sine = [](double degrees) { return std::sin(0.5 * radians(std::min(degrees, 175.0))); };
  const double z_plus = half_sine(to_z_deg), z_minus = half_sine(from_z_deg);
  const double y_plus = half_sine(to_y_deg), y_minus = half_sine(from_y_deg);
  std::vector<RangeVertex> vertices = {{0.0, 0.0, radians(twist_min_deg), radians(twist_max_deg)}};
  std::vector<std::array<int, 3>> triangles;
  for (int i = 0; i < kRim; ++i) {
    const double angle = 2.0 * M_PI * i / kRim;
    const double z = std::cos(angle) * (std::cos(angle) >= 0.0 ? z_plus : z_minus);
    const double y = std::sin(angle) * (std::sin(angle) >= 0.0 ? y_plus : y_minus);
    vertices.push_back({-z, y, radians(twist_min_deg), radians(twist_max_deg)});
    triangles.push_back({0, 1 + i, 1 + (i + 1) % kRim});
  }
  return JointRange::create(std::move(vertices), std::move(triangles), parent_from_zero, joint_from_frame);
}

class Builder {
 public:
  Builder(const Skeleton& skeleton, const body::BodyMap& map, const BodyAxes& axes)
      : skeleton_(skeleton), map_(map), axes_(axes) {}

  /// `share` of the limits for one joint. Says nothing where the joint or its bone is missing.
  Result<void> add(body::Role role, const HumanLimits& limits, double share) {
    const JointIndex joint = map_.joint(role);
    if (joint == kNoJoint) return {};
    const auto bone = bone_direction(role);
    if (!bone) return {};
    const bool right = role != limits.role && mirrored(limits.role) == role;
    const Vec3d outward = right ? Vec3d(-axes_.left) : axes_.left;
    const bool arm = limits.role == body::Role::left_upper_arm || limits.role == body::Role::left_lower_arm ||
                     limits.role == body::Role::left_hand || limits.role == body::Role::left_shoulder;

    // The zero direction of the bone, and the sideways direction that `outward_deg` means.
    Vec3d zero = *bone;
    if (limits.role == body::Role::left_upper_leg) zero = -axes_.up;
    if (limits.role == body::Role::left_upper_arm) zero = outward;
    // A straight knee or elbow: in line with the bone above it as that is at rest, which may be with legs apart.
    if (limits.role == body::Role::left_lower_leg) {
      zero = bone_direction(right ? body::Role::right_upper_leg : body::Role::left_upper_leg).value_or(-axes_.up);
    }
    if (limits.role == body::Role::left_lower_arm) {
      zero = bone_direction(right ? body::Role::right_upper_arm : body::Role::left_upper_arm).value_or(*bone);
    }
    const bool foot = limits.role == body::Role::left_foot || limits.role == body::Role::left_toes;
    Vec3d forward = axes_.forward;
    if (foot) {
      // Dorsiflexion lifts the toes toward the knee, which is not straight above where legs are apart at rest.
      const auto shank = bone_direction(right ? body::Role::right_lower_leg : body::Role::left_lower_leg);
      forward = shank ? Vec3d(-*shank) : axes_.up;
    }

    // z of the frame is forward, y = z x bone; which side y is on decides outward and the sign of the twist.
    const Quatd world_from_zero = frame_of(zero, forward);
    const Vec3d y = world_from_zero * Vec3d::UnitY();
    const Vec3d sideways = arm ? axes_.up : outward;
    const bool y_is_outward = y.dot(sideways) > 0.0;
    const double to_y = y_is_outward ? limits.outward_deg : limits.inward_deg;
    const double from_y = y_is_outward ? limits.inward_deg : limits.outward_deg;
    // External rotation turns the front of the limb outward (legs) or upward (arms): forward toward sideways about the
    // bone.
    const bool positive_is_out = zero.dot(forward.cross(sideways)) > 0.0;
    const double twist_max = positive_is_out ? limits.twist_out_deg : limits.twist_in_deg;
    const double twist_min = -(positive_is_out ? limits.twist_in_deg : limits.twist_out_deg);

    // At rest the frame has swung from zero to the bone, without twist.
    const Quatd world_from_frame = shortest_turn(zero, *bone) * world_from_zero;
    const auto rest = [&](JointIndex j) { return j == kNoJoint ? Quatd::Identity() : skeleton_.rest_rotations()[j]; };
    auto range = elliptic_range(share * limits.forward_deg, share * limits.backward_deg, share * to_y, share * from_y,
                                share * twist_min, share * twist_max,
                                rest(skeleton_.parent(joint)).conjugate() * world_from_zero,
                                rest(joint).conjugate() * world_from_frame);
    if (!range) return std::unexpected(range.error());
    ranges.push_back({joint, std::move(*range)});
    return {};
  }

  std::vector<HumanRange> ranges;

 private:
  // From the joint to where its bone ends: the next role, the first end site or child away from it.
  std::optional<Vec3d> bone_direction(body::Role role) const {
    static constexpr std::array<std::array<body::Role, 2>, 16> kNext = {
        {{body::Role::left_upper_leg, body::Role::left_lower_leg},
         {body::Role::left_lower_leg, body::Role::left_foot},
         {body::Role::left_foot, body::Role::left_toes},
         {body::Role::right_upper_leg, body::Role::right_lower_leg},
         {body::Role::right_lower_leg, body::Role::right_foot},
         {body::Role::right_foot, body::Role::right_toes},
         {body::Role::left_shoulder, body::Role::left_upper_arm},
         {body::Role::left_upper_arm, body::Role::left_lower_arm},
         {body::Role::left_lower_arm, body::Role::left_hand},
         {body::Role::right_shoulder, body::Role::right_upper_arm},
         {body::Role::right_upper_arm, body::Role::right_lower_arm},
         {body::Role::right_lower_arm, body::Role::right_hand},
         {body::Role::spine, body::Role::neck},
         {body::Role::chest, body::Role::neck},
         {body::Role::upper_chest, body::Role::neck},
         {body::Role::neck, body::Role::head}}};
    const JointIndex joint = map_.joint(role);
    if (joint == kNoJoint) return std::nullopt;
    const Vec3d from = skeleton_.rest_positions()[joint];
    const auto found = std::ranges::find(kNext, role, [](const auto& pair) { return pair[0]; });
    if (found != kNext.end() && map_.has((*found)[1])) {
      const Vec3d along = skeleton_.rest_positions()[map_.joint((*found)[1])] - from;
      if (along.norm() > 1e-4) return along.normalized();
    }
    for (const EndSite& site : skeleton_.end_sites()) {
      if (site.parent == joint && site.offset_m.norm() > 1e-4f) {
        return (skeleton_.rest_rotations()[joint] * site.offset_m.cast<double>()).normalized();
      }
    }
    for (const JointIndex child : skeleton_.children(joint)) {
      const Vec3d along = skeleton_.rest_positions()[child] - from;
      if (along.norm() > 1e-4) return along.normalized();
    }
    return std::nullopt;
  }

  const Skeleton& skeleton_;
  const body::BodyMap& map_;
  const BodyAxes& axes_;
};

}  // namespace

Result<std::vector<HumanRange>> human_ranges(const Skeleton& skeleton, const body::BodyMap& map,
                                             const std::vector<HumanLimits>& limits) {
  const auto axes = body_axes(skeleton, map);
  if (!axes) return std::unexpected(axes.error());
  Builder builder(skeleton, map, *axes);
  for (const HumanLimits& limit : limits) {
    std::vector<body::Role> roles = {limit.role};
    if (mirrored(limit.role) != limit.role) roles.push_back(mirrored(limit.role));
    if (limit.role == body::Role::spine) roles = {body::Role::spine, body::Role::chest, body::Role::upper_chest};
    if (limit.role == body::Role::neck) roles = {body::Role::neck, body::Role::head};
    std::erase_if(roles, [&](body::Role role) { return !map.has(role); });
    // Joints of one column move together; each may take somewhat more than its equal share.
    const bool column = limit.role == body::Role::spine || limit.role == body::Role::neck;
    const double share = column && roles.size() > 1 ? std::min(1.0, 1.3 / static_cast<double>(roles.size())) : 1.0;
    for (const body::Role role : roles) {
      if (const auto added = builder.add(role, limit, share); !added) return std::unexpected(added.error());
    }
  }
  return std::move(builder.ranges);
}

}  // namespace shosa::posing
