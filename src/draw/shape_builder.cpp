#include "draw/shape_builder.h"

#include <algorithm>
#include <string_view>

namespace shosa::draw {

ShapeBuilder::ShapeBuilder(const Skeleton& skeleton, const body::BodyMap& map, const WorldPose& reference)
    : skeleton_(skeleton), map_(map), reference_(reference) {
  const auto count = static_cast<std::size_t>(skeleton.joint_count());
  regions_.resize(count);
  leads_to_role_.assign(count, false);
  covered_.assign(count, false);
  covered_sites_.assign(count, false);
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const auto index = static_cast<std::size_t>(j);
    regions_[index] = map.role_of(j);
    leads_to_role_[index] = regions_[index].has_value();
    if (!regions_[index] && j > 0) {
      regions_[index] = regions_[skeleton.parent(j)];
    }
  }
  for (JointIndex j = skeleton.joint_count() - 1; j > 0; --j) {
    if (leads_to_role_[j]) {
      leads_to_role_[skeleton.parent(j)] = true;
    }
  }

  WorldPose rest{skeleton.rest_positions(), skeleton.rest_rotations()};
  upright_ = stands(rest) ? std::move(rest) : reference;
  if (has_all({body::Role::left_upper_leg, body::Role::right_upper_leg})) {
    const Vec3d left =
        upright_at(map.joint(body::Role::left_upper_leg)) - upright_at(map.joint(body::Role::right_upper_leg));
    const Vec3d forward = left.cross(Vec3d::UnitY());
    if (forward.norm() > 1e-6) {
      upright_forward_ = forward.normalized();
    }
  }
}

bool ShapeBuilder::has_all(std::initializer_list<body::Role> roles) const {
  return std::ranges::all_of(roles, [this](body::Role role) { return has(role); });
}

bool ShapeBuilder::stands(const WorldPose& pose) const {
  const auto point = [&](body::Role role) { return pose.positions[map_.joint(role)]; };
  if (!has_all({body::Role::hips, body::Role::left_upper_leg, body::Role::right_upper_leg, body::Role::left_foot,
                body::Role::right_foot})) {
    return false;
  }
  const Vec3d leg = point(body::Role::left_foot) - point(body::Role::left_upper_leg);
  const Vec3d other_leg = point(body::Role::right_foot) - point(body::Role::right_upper_leg);
  const Vec3d across = point(body::Role::left_upper_leg) - point(body::Role::right_upper_leg);
  const bool legs_hang = leg.y() < -0.7 * leg.norm() && other_leg.y() < -0.7 * other_leg.norm();
  return legs_hang && across.norm() > 1e-6 && std::abs(across.y()) < 0.5 * across.norm();
}

std::optional<Ball> ShapeBuilder::far_end(JointIndex joint, double radius_m) const {
  std::optional<Ball> best;
  double best_m = 1e-3 * shape.size_m;
  for (const JointIndex child : skeleton_.children(joint)) {
    const double length_m = (at(child) - at(joint)).norm();
    if (length_m > best_m) {
      best_m = length_m;
      best = on_joint(child, radius_m);
    }
  }
  for (const EndSite& site : skeleton_.end_sites()) {
    const double length_m = site.offset_m.cast<double>().norm();
    if (site.parent == joint && length_m > best_m) {
      best_m = length_m;
      best = Ball{joint, site.offset_m.cast<double>(), radius_m};
    }
  }
  return best;
}

JointIndex ShapeBuilder::role_parent(JointIndex joint) const {
  JointIndex parent = skeleton_.parent(joint);
  while (parent != kNoJoint && !map_.role_of(parent)) {
    parent = skeleton_.parent(parent);
  }
  return parent;
}

Side ShapeBuilder::side(JointIndex joint) const {
  const std::optional<body::Role> role = region(joint);
  if (!role) {
    return Side::middle;
  }
  const std::string_view name = role_name(*role);
  return name.starts_with("left_") ? Side::left : name.starts_with("right_") ? Side::right : Side::middle;
}

Ball ShapeBuilder::at_reference(JointIndex joint, const Vec3d& world_m, double radius_m) const {
  const Quatd& rotation = reference_.rotations[joint];
  return {joint, rotation.conjugate() * (world_m - at(joint)), radius_m};
}

Ball ShapeBuilder::at_upright(JointIndex joint, const Vec3d& world_m, double radius_m) const {
  const Quatd& rotation = upright_.rotations[joint];
  return {joint, rotation.conjugate() * (world_m - upright_at(joint)), radius_m};
}

void ShapeBuilder::add(JointIndex joint, std::vector<Ball> balls, int group) {
  shape.parts.push_back({std::move(balls), side(joint), joint, group, group == kTrunk});
}

void ShapeBuilder::cover_chain(JointIndex from_ancestor, JointIndex to) {
  const std::vector<JointIndex> joints = chain(from_ancestor, to);
  for (std::size_t i = 1; i < joints.size(); ++i) {
    cover(joints[i]);
  }
}

void ShapeBuilder::add_chain(JointIndex from_ancestor, JointIndex to, double begin_radius_m, double end_radius_m,
                             int group) {
  const std::vector<JointIndex> joints = chain(from_ancestor, to);
  const double total_m = chain_length_m(from_ancestor, to);
  if (joints.empty()) {
    add(from_ancestor, {on_joint(from_ancestor, begin_radius_m), on_joint(to, end_radius_m)}, group);
    cover(to);
    return;
  }
  double done_m = 0.0;
  for (std::size_t i = 1; i < joints.size(); ++i) {
    const JointIndex parent = joints[i - 1];
    const double length_m = (at(joints[i]) - at(parent)).norm();
    cover(joints[i]);
    if (length_m < 1e-3 * total_m || total_m <= 0.0) {
      continue;
    }
    const auto radius_m = [&](double along_m) {
      return begin_radius_m + (end_radius_m - begin_radius_m) * along_m / total_m;
    };
    add(parent, {on_joint(parent, radius_m(done_m)), on_joint(joints[i], radius_m(done_m + length_m))}, group);
    done_m += length_m;
  }
}

}  // namespace shosa::draw
