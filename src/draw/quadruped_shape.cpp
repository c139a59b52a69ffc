#include <algorithm>

#include "draw/shape_builder.h"

namespace shosa::draw {
namespace {

struct Limb {
  body::Role upper, lower, foot, toes;
};
constexpr Limb kHindLegs[] = {
    {body::Role::left_upper_leg, body::Role::left_lower_leg, body::Role::left_foot, body::Role::left_toes},
    {body::Role::right_upper_leg, body::Role::right_lower_leg, body::Role::right_foot, body::Role::right_toes}};
constexpr Limb kFrontLegs[] = {
    {body::Role::left_shoulder, body::Role::left_upper_arm, body::Role::left_lower_arm, body::Role::left_hand},
    {body::Role::right_shoulder, body::Role::right_upper_arm, body::Role::right_lower_arm, body::Role::right_hand}};

// Radii as parts of the trunk's length, hips to neck.
constexpr double kLegRadii[] = {0.115, 0.060, 0.036, 0.034};

void add_limb(ShapeBuilder& body, const Limb& limb, double trunk_m) {
  const body::Role roles[] = {limb.upper, limb.lower, limb.foot, limb.toes};
  JointIndex last = kNoJoint;
  double last_radius_m = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    const JointIndex joint = body.map().joint(roles[i]);
    if (joint == kNoJoint) {
      continue;
    }
    const double radius_m = kLegRadii[i] * trunk_m;
    if (last != kNoJoint) {
      body.add_chain(last, joint, last_radius_m, radius_m);
    }
    last = joint;
    last_radius_m = radius_m;
  }
  // The paw: what hangs on the last joint of the limb.
  if (last != kNoJoint) {
    for (const EndSite& site : body.skeleton().end_sites()) {
      if (site.parent == last && site.offset_m.cast<double>().norm() > 1e-3 * trunk_m) {
        body.add(last, {body.on_joint(last, last_radius_m), {last, site.offset_m.cast<double>(), 0.9 * last_radius_m}});
        body.cover_end_sites(last);
      }
    }
    for (const JointIndex child : body.skeleton().children(last)) {
      body.add_chain(last, child, last_radius_m, 0.9 * last_radius_m);
    }
  }
}

}  // namespace

bool add_quadruped(ShapeBuilder& body) {
  const body::BodyMap& map = body.map();
  const JointIndex hips = map.joint(body::Role::hips);
  const JointIndex head = map.joint(body::Role::head);
  const JointIndex neck = map.joint(body.has(body::Role::neck) ? body::Role::neck : body::Role::head);
  if (hips == kNoJoint || neck == kNoJoint || body.chain(hips, neck).size() < 2) {
    return false;
  }
  const double trunk_m = body.chain_length_m(hips, neck);
  if (!(trunk_m > 1e-9)) {
    return false;
  }

  // The barrel is deepest at the chest, and narrows to hips and neck.
  const std::vector<JointIndex> spine = body.chain(hips, neck);
  const auto barrel_m = [&](double part) {
    return trunk_m * (part < 0.7 ? 0.150 + 0.065 * part / 0.7 : 0.215 - 0.085 * (part - 0.7) / 0.3);
  };
  double done_m = 0.0;
  for (std::size_t i = 1; i < spine.size(); ++i) {
    const double length_m = (body.at(spine[i]) - body.at(spine[i - 1])).norm();
    body.cover(spine[i]);
    if (length_m < 1e-3 * trunk_m) {
      continue;
    }
    const double begin_m = barrel_m(done_m / trunk_m);
    done_m += length_m;
    body.add(spine[i - 1], {body.on_joint(spine[i - 1], begin_m), body.on_joint(spine[i], barrel_m(done_m / trunk_m))},
             kTrunk);
  }

  if (head != kNoJoint) {
    if (neck != head) {
      body.add_chain(neck, head, 0.125 * trunk_m, 0.095 * trunk_m, kTrunk);
    }
    // The muzzle is the longest end of the head.
    std::optional<Ball> nose = body.far_end(head, 0.042 * trunk_m);
    if (!nose) {
      const Vec3d ahead = (body.at(neck) - body.at(hips)).normalized();
      nose = body.at_reference(head, body.at(head) + trunk_m * (0.26 * ahead - 0.06 * Vec3d::UnitY()), 0.042 * trunk_m);
    }
    if (nose->joint != head) {
      body.cover(nose->joint);
    }
    body.add(head, {body.on_joint(head, 0.098 * trunk_m), *nose}, kHead);
    body.cover_end_sites(head);
  }
  for (const Limb& limb : kHindLegs) {
    add_limb(body, limb, trunk_m);
    if (body.has(limb.upper)) {
      body.cover_chain(hips, map.joint(limb.upper));
    }
  }
  for (const Limb& limb : kFrontLegs) {
    add_limb(body, limb, trunk_m);
    const JointIndex first = map.joint(body.has(limb.upper) ? limb.upper : limb.lower);
    if (first != kNoJoint) {
      body.cover_chain(body.role_parent(first), first);
    }
  }
  return true;
}

}  // namespace shosa::draw
