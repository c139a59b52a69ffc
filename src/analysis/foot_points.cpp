#include "shosa/analysis/foot_points.h"

#include <array>

namespace shosa::analysis {
namespace {

/// Point index of an end site on `joint`; -1 when it has none.
int end_site_point(const Skeleton& skeleton, JointIndex joint) {
  for (std::size_t i = 0; i < skeleton.end_sites().size(); ++i) {
    if (skeleton.end_sites()[i].parent == joint) return skeleton.joint_count() + static_cast<int>(i);
  }
  return -1;
}

double bone_path_m(const Skeleton& skeleton, JointIndex from, JointIndex ancestor) {
  double length = 0.0;
  for (JointIndex j = from; j != ancestor && j != kNoJoint; j = skeleton.parent(j)) {
    length += skeleton.joint(j).rest_translation_m.cast<double>().norm();
  }
  return length;
}

struct FootRoles {
  const char* name;
  FootKind kind;
  Role foot, toes, limb;
};

FootPoints make_foot(const Skeleton& skeleton, const BodyMap& map, const FootRoles& roles) {
  FootPoints points{.name = roles.name,
                    .kind = roles.kind,
                    .role = roles.foot,
                    .joint = map.joint(roles.foot),
                    .limb = map.joint(roles.limb)};
  points.knee = skeleton.parent(points.joint);
  const bool has_toes = roles.kind == FootKind::foot && map.has(roles.toes);
  points.heel = points.joint;
  if (has_toes) {
    points.toe = map.joint(roles.toes);
    points.tip = end_site_point(skeleton, points.toe);
  } else if (!skeleton.children(points.joint).empty() && roles.kind == FootKind::front_foot) {
    points.toe = skeleton.children(points.joint).front();
    points.tip = end_site_point(skeleton, points.toe);
  } else {
    points.toe = end_site_point(skeleton, points.joint);
  }
  return points;
}

}  // namespace

std::vector<FootPoints> find_foot_points(const Skeleton& skeleton, const BodyMap& map, const FootPointsParams& params) {
  const bool quadruped = map.kind == BodyKind::quadruped;
  std::vector<FootRoles> list = {
      {quadruped ? "hind_left" : "left", FootKind::foot, Role::left_foot, Role::left_toes, Role::left_upper_leg},
      {quadruped ? "hind_right" : "right", FootKind::foot, Role::right_foot, Role::right_toes, Role::right_upper_leg}};
  if (quadruped) {
    list.push_back({"front_left", FootKind::front_foot, Role::left_hand, Role::count, Role::left_upper_arm});
    list.push_back({"front_right", FootKind::front_foot, Role::right_hand, Role::count, Role::right_upper_arm});
  } else if (params.hands) {
    list.push_back({"left_hand", FootKind::hand, Role::left_hand, Role::count, Role::left_upper_arm});
    list.push_back({"right_hand", FootKind::hand, Role::right_hand, Role::count, Role::right_upper_arm});
  }
  std::vector<FootPoints> feet;
  for (const FootRoles& roles : list) {
    if (!map.has(roles.foot)) continue;
    FootPoints points = make_foot(skeleton, map, roles);
    // A paw's hock and wrist never come down; only the toes stand.
    if (quadruped && points.toe >= 0) points.heel = -1;
    feet.push_back(points);
  }
  return feet;
}

double leg_length_m(const Skeleton& skeleton, const BodyMap& map) {
  const std::array<std::pair<Role, Role>, 2> legs = {std::pair{Role::left_upper_leg, Role::left_foot},
                                                     std::pair{Role::right_upper_leg, Role::right_foot}};
  double sum = 0.0;
  int count = 0;
  for (const auto& [hip, foot] : legs) {
    if (!map.has(hip) || !map.has(foot)) continue;
    sum += bone_path_m(skeleton, map.joint(foot), map.joint(hip));
    ++count;
  }
  return count == 0 ? 0.0 : sum / count;
}

}  // namespace shosa::analysis
