#include "shosa/body/foot_points.h"

#include <array>
#include <optional>

#include "shosa/core/tree_paths.h"

namespace shosa::body {
namespace {

/// Point index of an end site on `joint`; -1 when it has none.
int end_site_point(const Skeleton& skeleton, JointIndex joint) {
  for (std::size_t i = 0; i < skeleton.end_sites().size(); ++i) {
    if (skeleton.end_sites()[i].parent == joint) return skeleton.joint_count() + static_cast<int>(i);
  }
  return -1;
}

// An end site nearer to its joint than this lies on it (m): it has no direction.
constexpr double kOnJoint_m = 1e-4;

/// The same beyond the joint: one that lies on it, as some exporters write them, is no tip of toes.
int tip_point(const Skeleton& skeleton, JointIndex joint) {
  const int point = end_site_point(skeleton, joint);
  if (point < 0) return -1;
  const EndSite& site = skeleton.end_sites()[static_cast<std::size_t>(point - skeleton.joint_count())];
  return site.offset_m.cast<double>().norm() > kOnJoint_m ? point : -1;
}

struct FootRoles {
  const char* name;
  FootKind kind;
  Role foot, limb;
  std::optional<Role> toes;
};

FootPoints make_foot(const Skeleton& skeleton, const BodyMap& map, const FootRoles& roles) {
  FootPoints points{.name = roles.name,
                    .kind = roles.kind,
                    .role = roles.foot,
                    .joint = map.joint(roles.foot),
                    .limb = map.joint(roles.limb)};
  points.knee = skeleton.parent(points.joint);
  const bool has_toes = roles.toes && map.has(*roles.toes);
  points.heel = points.joint;
  if (has_toes) {
    points.toe = map.joint(*roles.toes);
    points.tip = tip_point(skeleton, points.toe);
  } else if (!skeleton.children(points.joint).empty() && roles.kind == FootKind::front_foot) {
    points.toe = skeleton.children(points.joint).front();
    points.tip = tip_point(skeleton, points.toe);
  } else {
    points.toe = end_site_point(skeleton, points.joint);
  }
  return points;
}

}  // namespace

std::vector<FootPoints> find_foot_points(const Skeleton& skeleton, const BodyMap& map, const FootPointsParams& params) {
  const bool quadruped = map.kind == BodyKind::quadruped;
  std::vector<FootRoles> list = {
      {quadruped ? "hind_left" : "left", FootKind::foot, Role::left_foot, Role::left_upper_leg, Role::left_toes},
      {quadruped ? "hind_right" : "right", FootKind::foot, Role::right_foot, Role::right_upper_leg, Role::right_toes}};
  if (quadruped) {
    list.push_back({"front_left", FootKind::front_foot, Role::left_hand, Role::left_upper_arm, std::nullopt});
    list.push_back({"front_right", FootKind::front_foot, Role::right_hand, Role::right_upper_arm, std::nullopt});
  } else if (params.hands) {
    list.push_back({"left_hand", FootKind::hand, Role::left_hand, Role::left_upper_arm, std::nullopt});
    list.push_back({"right_hand", FootKind::hand, Role::right_hand, Role::right_upper_arm, std::nullopt});
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
    const double length_m = chain_length_m(skeleton, skeleton.rest_positions(), map.joint(hip), map.joint(foot));
    sum += length_m;
    count += length_m > 0.0 ? 1 : 0;
  }
  return count == 0 ? 0.0 : sum / count;
}

}  // namespace shosa::body
