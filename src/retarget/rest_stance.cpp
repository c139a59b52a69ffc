#include "retarget/rest_stance.h"

#include <cmath>
#include <optional>
#include <utility>

namespace shosa::retarget {
namespace {

constexpr double kStandingCosine = 0.64;  // 50°
constexpr double kSpreadCosine = 0.985;   // 10°

constexpr std::pair<body::Role, body::Role> kLegs[] = {{body::Role::left_upper_leg, body::Role::left_foot},
                                                       {body::Role::right_upper_leg, body::Role::right_foot}};

}  // namespace

bool rest_pose_stands(const Skeleton& skeleton, const body::BodyMap& map) {
  const auto& rest = skeleton.rest_positions();
  const auto direction = [&](body::Role from, body::Role to) -> std::optional<Vec3d> {
    if (!map.has(from) || !map.has(to)) return std::nullopt;
    const Vec3d along = rest[map.joint(to)] - rest[map.joint(from)];
    if (along.norm() < 1e-6) return std::nullopt;
    return along.normalized();
  };
  const bool quadruped = map.kind == body::BodyKind::quadruped;
  for (const auto& [hip, foot] : kLegs) {
    const auto leg = direction(hip, foot);
    if (leg && leg->y() > -kStandingCosine) return false;
  }
  for (const body::Role top :
       {body::Role::head, body::Role::neck, body::Role::upper_chest, body::Role::chest, body::Role::spine}) {
    const auto trunk = direction(body::Role::hips, top);
    if (!trunk) continue;
    return quadruped ? std::abs(trunk->y()) < 0.8 : trunk->y() > kStandingCosine;
  }
  return true;
}

bool legs_are_spread(const body::BodyMap& map, const std::vector<Vec3d>& positions_m) {
  for (const auto& [hip, foot] : kLegs) {
    if (!map.has(hip) || !map.has(foot)) continue;
    const Vec3d leg = positions_m[map.joint(foot)] - positions_m[map.joint(hip)];
    if (leg.normalized().y() > -kSpreadCosine) return true;
  }
  return false;
}

}  // namespace shosa::retarget
