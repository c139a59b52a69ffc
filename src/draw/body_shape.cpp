#include "draw/body_shape.h"

#include <algorithm>
#include <limits>

#include "draw/shape_builder.h"

namespace shosa::draw {
namespace {

/// Diagonal of the box around all joints and end sites.
double extent_m(const Skeleton& skeleton, const WorldPose& pose) {
  Vec3d low = Vec3d::Constant(std::numeric_limits<double>::infinity());
  Vec3d high = -low;
  const auto include = [&](const Vec3d& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  };
  std::ranges::for_each(pose.positions, include);
  for (const EndSite& site : skeleton.end_sites()) {
    include(pose.end_site(site));
  }
  return (high - low).norm();
}

/// Fingers are painted with their hand.
int hand_group(const ShapeBuilder& body, JointIndex joint) {
  const std::optional<body::Role> region = body.region(joint);
  if (!region) {
    return -1;
  }
  const bool finger = *region >= body::Role::left_thumb_metacarpal;
  if (*region == body::Role::left_hand || (finger && *region < body::Role::right_thumb_metacarpal)) {
    return kLeftHand;
  }
  return *region == body::Role::right_hand || finger ? kRightHand : -1;
}

/// Tails and ears are painted as one each; the bones of an unknown skeleton one by one, so that its joints show.
int thin_group(const ShapeBuilder& body, JointIndex joint) {
  if (!body.region(joint) || body.map().kind == body::BodyKind::unknown || body.leads_to_role(joint)) {
    return hand_group(body, joint);
  }
  if (const int hand = hand_group(body, joint); hand >= 0) {
    return hand;
  }
  while (!body.leads_to_role(body.skeleton().parent(joint))) {
    joint = body.skeleton().parent(joint);
  }
  return kFirstAppendage + joint;
}

/// Radius of a bone about which nothing is known but its length.
double thin_radius_m(const ShapeBuilder& body, JointIndex joint, double length_m) {
  const double size_m = body.shape.size_m;
  const std::optional<body::Role> region = body.region(joint);
  if (!region) {
    return std::clamp(0.09 * length_m, 0.006 * size_m, 0.022 * size_m);
  }
  const bool hand_or_foot =
      hand_group(body, joint) >= 0 || *region == body::Role::left_toes || *region == body::Role::right_toes;
  return hand_or_foot ? 0.0058 * size_m : std::clamp(0.1 * length_m, 0.006 * size_m, 0.018 * size_m);
}

/// What does not hang on the hips of a known body is no part of it: a root on the floor, handles of a control rig.
void cover_outside(ShapeBuilder& body) {
  if (!body.has(body::Role::hips)) {
    return;
  }
  for (JointIndex j = 0; j < body.skeleton().joint_count(); ++j) {
    if (j == body.map().joint(body::Role::hips) || body.chain(body.map().joint(body::Role::hips), j).empty()) {
      body.cover(j);
      if (!body.region(j)) {
        body.cover_end_sites(j);
      }
    }
  }
}

}  // namespace

void add_other_bones(ShapeBuilder& body) {
  const Skeleton& skeleton = body.skeleton();
  const double shortest_m = 1e-4 * body.shape.size_m;
  for (JointIndex j = 1; j < skeleton.joint_count(); ++j) {
    const JointIndex parent = skeleton.parent(j);
    const double length_m = (body.at(j) - body.at(parent)).norm();
    if (body.covered(j) || length_m <= shortest_m) {
      continue;
    }
    const double radius_m = thin_radius_m(body, parent, length_m);
    const bool ends_here = skeleton.children(j).empty();
    body.add(parent, {body.on_joint(parent, radius_m), body.on_joint(j, ends_here ? 0.8 * radius_m : radius_m)},
             thin_group(body, j));
  }
  for (const EndSite& site : skeleton.end_sites()) {
    const double length_m = site.offset_m.cast<double>().norm();
    if (body.covered_end_sites(site.parent) || length_m <= shortest_m) {
      continue;
    }
    const double radius_m = thin_radius_m(body, site.parent, length_m);
    body.add(site.parent,
             {body.on_joint(site.parent, radius_m), {site.parent, site.offset_m.cast<double>(), 0.7 * radius_m}},
             thin_group(body, site.parent));
  }
}

BodyShape make_body_shape(const Skeleton& skeleton, const body::BodyMap& map, const WorldPose& reference) {
  ShapeBuilder body(skeleton, map, reference);
  const double size_m = extent_m(skeleton, reference);
  body.shape.size_m = size_m > 1e-9 ? size_m : 1.0;
  if (map.kind == body::BodyKind::humanoid) {
    add_humanoid(body);
  } else if (map.kind == body::BodyKind::quadruped) {
    add_quadruped(body);
  }
  if (map.kind != body::BodyKind::unknown) {
    cover_outside(body);
  }
  add_other_bones(body);
  if (body.shape.parts.empty()) {
    body.add(0, {body.on_joint(0, 0.04 * body.shape.size_m)});
  }
  return std::move(body.shape);
}

}  // namespace shosa::draw
