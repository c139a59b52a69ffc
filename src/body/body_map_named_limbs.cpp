#include <fmt/format.h>

#include <algorithm>

#include "body/body_map_named.h"

namespace shosa::body::body_map_detail {
namespace {

/// The joint between the two that lies nearest to the middle of the way; kNoJoint when they follow each other.
JointIndex middle_joint(const Skeleton& skeleton, JointIndex from, JointIndex to) {
  const auto path = path_below(skeleton, from, to);
  double total_m = 0.0;
  for (const JointIndex j : path) total_m += skeleton.joint(j).rest_translation_m.norm();
  JointIndex best = kNoJoint;
  double best_distance_m = 0.0;
  double along_m = 0.0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    along_m += skeleton.joint(path[i]).rest_translation_m.norm();
    const double distance_m = std::abs(along_m - 0.5 * total_m);
    if (best == kNoJoint || distance_m < best_distance_m) {
      best = path[i];
      best_distance_m = distance_m;
    }
  }
  return best;
}

/// Where a limb goes on when no name says so: the largest unnamed child, or the only end joint.
JointIndex next_in_chain(const Labels& labels, JointIndex from) {
  if (from == kNoJoint) return kNoJoint;
  JointIndex best = kNoJoint;
  JointIndex end = kNoJoint;
  int ends = 0;
  for (const JointIndex child : labels.skeleton().children(from)) {
    const Part part = labels.of(child).part;
    if (part == Part::ignored) {
      end = child;
      ++ends;
    }
    if (part != Part::unknown) continue;
    const bool larger =
        best == kNoJoint || labels.size(child) > labels.size(best) ||
        (labels.size(child) == labels.size(best) && labels.skeleton().name(child) < labels.skeleton().name(best));
    if (larger) best = child;
  }
  return best != kNoJoint ? best : (ends == 1 ? end : kNoJoint);
}

JointIndex first_of(std::initializer_list<JointIndex> candidates) {
  for (const JointIndex j : candidates) {
    if (j != kNoJoint) return j;
  }
  return kNoJoint;
}

/// The parent, when no name claims it and it carries only this limb.
JointIndex unnamed_parent(const Labels& labels, JointIndex joint) {
  if (joint == kNoJoint) return kNoJoint;
  const JointIndex parent = labels.skeleton().parent(joint);
  if (parent == kNoJoint || labels.of(parent).part != Part::unknown) return kNoJoint;
  return labels.skeleton().children(parent).size() == 1 ? parent : kNoJoint;
}

}  // namespace

NamedLeg find_named_leg(const Labels& labels, Side side, std::vector<std::string>& warnings) {
  const Skeleton& skeleton = labels.skeleton();
  NamedLeg leg;
  const auto generic = labels.all(Part::leg, side);

  leg.upper = first_of({labels.first(Part::upper_leg, side), labels.first(Part::side_hip, side)});
  if (leg.upper == kNoJoint && !generic.empty()) {
    const JointIndex foot =
        first_of({labels.first(Part::ankle, side, generic[0]), labels.first(Part::foot, side, generic[0])});
    const bool is_thigh = generic.size() >= 2 || labels.first(Part::lower_leg, side, generic[0]) != kNoJoint ||
                          (foot != kNoJoint && middle_joint(skeleton, generic[0], foot) != kNoJoint);
    leg.upper = is_thigh ? generic[0] : kNoJoint;
  }

  leg.lower =
      leg.upper == kNoJoint
          ? first_of({labels.first(Part::lower_leg, side), generic.empty() ? kNoJoint : generic[0]})
          : first_of({labels.first(Part::lower_leg, side, leg.upper), labels.first(Part::leg, side, leg.upper)});
  if (leg.upper == kNoJoint) leg.upper = unnamed_parent(labels, leg.lower);

  const JointIndex above_foot = first_of({leg.lower, leg.upper});
  if (above_foot == kNoJoint) return leg;
  leg.foot = first_of({labels.first(Part::ankle, side, above_foot), labels.first(Part::foot, side, above_foot),
                       labels.first(Part::leg, side, above_foot)});
  if (leg.lower == kNoJoint && leg.foot != kNoJoint) leg.lower = middle_joint(skeleton, leg.upper, leg.foot);
  if (leg.lower == kNoJoint) return leg;
  if (leg.foot == kNoJoint) {
    const JointIndex named = first_of({labels.first(Part::ankle, side), labels.first(Part::foot, side)});
    leg.foot = first_of({next_in_chain(labels, leg.lower), named});
    if (named != kNoJoint) {
      warnings.push_back(fmt::format(
          "'{}' is named a foot but does not hang on the leg '{}'{}", skeleton.name(named), skeleton.name(leg.lower),
          leg.foot == named ? "" : fmt::format("; '{}' is taken as the foot", skeleton.name(leg.foot))));
    }
  }
  if (leg.foot == kNoJoint) return leg;

  // Below an ankle the joint called foot is the ball (SMPL); a second foot (Foot01, Foot02) and a further link are the
  // toes too.
  leg.toes = first_of({labels.first(Part::toes, side, leg.foot), labels.first(Part::foot, side, leg.foot),
                       labels.first(Part::leg, side, leg.foot)});
  return leg;
}

NamedArm find_named_arm(const Labels& labels, Side side) {
  const Skeleton& skeleton = labels.skeleton();
  NamedArm arm;
  const JointIndex clavicle = labels.first(Part::clavicle, side);
  const JointIndex shoulder = labels.first(Part::shoulder, side);
  const auto generic = labels.all(Part::arm, side);
  const JointIndex generic_first = generic.empty() ? kNoJoint : generic[0];

  // "LeftShoulder" is the collar bone where the side has an upper arm besides, and the upper arm where it has not.
  arm.upper = labels.first(Part::upper_arm, side);
  if (arm.upper == kNoJoint && generic_first != kNoJoint) {
    const JointIndex hand =
        first_of({labels.first(Part::wrist, side, generic_first), labels.first(Part::hand, side, generic_first)});
    const bool is_upper = labels.first(Part::lower_arm, side, generic_first) != kNoJoint || generic.size() >= 2 ||
                          (hand != kNoJoint && middle_joint(skeleton, generic_first, hand) != kNoJoint);
    arm.upper = is_upper ? generic_first : shoulder;
  }
  if (arm.upper == kNoJoint) arm.upper = shoulder;

  if (arm.upper == kNoJoint) {
    arm.lower = labels.first(Part::lower_arm, side);
    arm.upper = unnamed_parent(labels, arm.lower);
  } else {
    arm.lower = first_of({labels.first(Part::lower_arm, side, arm.upper), labels.first(Part::arm, side, arm.upper)});
  }

  const JointIndex above_hand = first_of({arm.lower, arm.upper});
  if (above_hand != kNoJoint) {
    arm.hand = first_of({labels.first(Part::wrist, side, above_hand), labels.first(Part::hand, side, above_hand),
                         labels.first(Part::arm, side, above_hand), labels.first(Part::palm, side, above_hand)});
    if (arm.lower == kNoJoint && arm.hand != kNoJoint) arm.lower = middle_joint(skeleton, arm.upper, arm.hand);
    if (arm.lower != kNoJoint && arm.hand == kNoJoint) arm.hand = next_in_chain(labels, arm.lower);
  }

  for (const JointIndex candidate : {clavicle, shoulder}) {
    if (arm.shoulder == kNoJoint && candidate != arm.upper && is_ancestor(skeleton, candidate, arm.upper))
      arm.shoulder = candidate;
  }
  return arm;
}

void set_named_fingers(const Labels& labels, Side side, BodyMap& map) {
  const SideRoles& roles = side_roles(side == Side::left);
  const JointIndex hand = map.joint(roles.hand);
  if (hand == kNoJoint) return;

  // Numbered fingers: "finger2-1" counts from 1 (finger, link); Biped's "Finger21" from 0, one digit each.
  const auto numbered = labels.all(Part::finger, side, hand);
  const bool from_one = std::ranges::any_of(numbered, [&](JointIndex j) { return labels.of(j).digits.size() >= 2; });
  const auto finger_of = [&](JointIndex j) {
    const NameLabel& label = labels.of(j);
    if (label.digits.empty()) return -1;
    return from_one ? label.numbers[0] - 1 : label.digits[0][0] - '0';
  };

  const std::array first_roles = {roles.thumb, roles.index, roles.middle, roles.ring, roles.little};
  const std::array parts = {Part::thumb, Part::index, Part::middle, Part::ring, Part::little};
  for (std::size_t finger = 0; finger < parts.size(); ++finger) {
    std::vector<JointIndex> candidates = labels.all(parts[finger], side, hand);
    for (const JointIndex j : numbered) {
      if (finger_of(j) == static_cast<int>(finger)) candidates.push_back(j);
    }
    JointIndex last = hand;
    int link = 0;
    for (const JointIndex j : candidates) {
      if (link == 3 || !labels.is_below(j, last)) continue;
      map.set(static_cast<Role>(static_cast<int>(first_roles[finger]) + link), j);
      last = j;
      ++link;
    }
  }
}

}  // namespace shosa::body::body_map_detail
