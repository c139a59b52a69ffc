#include "shosa/body/body_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "body/body_map_named.h"
#include "body/body_map_posture.h"
#include "body/body_map_topology.h"

namespace shosa::body {
namespace {

using namespace body_map_detail;

bool has_pair(const BodyMap& map, std::initializer_list<Role> left_roles) {
  return std::ranges::all_of(left_roles, [&](Role role) { return map.has(role) && map.has(mirrored(role)); });
}
bool has_legs(const BodyMap& map) {
  return has_pair(map, {Role::left_upper_leg, Role::left_lower_leg, Role::left_foot});
}
bool has_arms(const BodyMap& map) {
  return has_pair(map, {Role::left_upper_arm, Role::left_lower_arm, Role::left_hand});
}

BodyKind find_kind(const BodyMap& map, Stance rest, Stance posed, bool animal) {
  if (has_legs(map) && has_arms(map)) {
    const bool unclear = rest == Stance::unclear;
    if (rest == Stance::on_fours || (unclear && (animal || posed == Stance::on_fours))) return BodyKind::quadruped;
  }
  const bool body = map.has(Role::hips) && (has_legs(map) || (has_arms(map) && map.has(Role::head)));
  return body ? BodyKind::humanoid : BodyKind::unknown;
}

/// Every role that is set hangs on the one before it in its chain.
bool chains_hold(const Skeleton& skeleton, const BodyMap& map) {
  using enum Role;
  static const std::array<std::vector<Role>, 5> kChains = {{
      {hips, spine, chest, upper_chest, neck, head},
      {hips, left_upper_leg, left_lower_leg, left_foot, left_toes},
      {hips, right_upper_leg, right_lower_leg, right_foot, right_toes},
      {spine, left_shoulder, left_upper_arm, left_lower_arm, left_hand},
      {spine, right_shoulder, right_upper_arm, right_lower_arm, right_hand},
  }};
  return std::ranges::all_of(kChains, [&](const std::vector<Role>& chain) {
    JointIndex above = kNoJoint;
    for (const Role role : chain) {
      if (!map.has(role)) continue;
      if (above != kNoJoint && !is_ancestor(skeleton, above, map.joint(role))) return false;
      above = map.joint(role);
    }
    return true;
  });
}

/// Adds what the tree's shape says where names say nothing, as long as the chains hold.
void fill_gaps(const Skeleton& skeleton, BodyMap& map, const BodyMap& shape) {
  int agree = 0;
  int opposite = 0;
  for (int i = 0; i < kRoleCount; ++i) {
    const auto role = static_cast<Role>(i);
    if (!map.has(role) || mirrored(role) == role) continue;
    agree += shape.joint(role) == map.joint(role) ? 1 : 0;
    opposite += shape.joint(mirrored(role)) == map.joint(role) ? 1 : 0;
  }
  if (agree == 0 && opposite == 0) return;
  for (int i = 0; i < kRoleCount; ++i) {
    const auto role = static_cast<Role>(i);
    const JointIndex joint = shape.joint(opposite > agree ? mirrored(role) : role);
    if (map.has(role) || joint == kNoJoint || map.role_of(joint)) continue;
    const bool held = chains_hold(skeleton, map);
    map.set(role, joint);
    if (held && !chains_hold(skeleton, map)) map.set(role, kNoJoint);
  }
}

}  // namespace

std::vector<std::string> missing_roles(const BodyMap& map) {
  static constexpr std::array kRequired = {Role::hips,
                                           Role::spine,
                                           Role::head,
                                           Role::left_upper_leg,
                                           Role::left_lower_leg,
                                           Role::left_foot,
                                           Role::right_upper_leg,
                                           Role::right_lower_leg,
                                           Role::right_foot,
                                           Role::left_upper_arm,
                                           Role::left_lower_arm,
                                           Role::left_hand,
                                           Role::right_upper_arm,
                                           Role::right_lower_arm,
                                           Role::right_hand};
  if (map.kind == BodyKind::unknown) {
    return {"neither the joint names nor the shape of the skeleton tell a body; name the joints in a body map"};
  }
  std::string missing;
  for (const Role role : kRequired) {
    if (!map.has(role)) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", role_name(role));
  }
  if (missing.empty()) return {};
  return {fmt::format("no joint found for {}", missing)};
}

BodyMap guess_body_map(const Skeleton& skeleton, const std::vector<Vec3d>* posed) {
  if (posed != nullptr && posed->size() != static_cast<std::size_t>(skeleton.joint_count())) posed = nullptr;
  const Labels labels(skeleton);
  BodyMap map = roles_from_names(labels);
  bool animal = labels.any_animal();
  if (!has_legs(map) || !has_arms(map) || !map.has(Role::head)) {
    const TopologyBody topology = roles_from_topology(skeleton, posed);
    if (topology.found()) {
      if (has_legs(map) || has_arms(map)) {
        fill_gaps(skeleton, map, topology.map);
      } else {
        map = topology.map;
        animal = animal || topology.tail;
      }
    }
  }
  const Stance rest_stance = find_stance(map, skeleton.rest_positions());
  const Stance posed_stance = posed != nullptr ? find_stance(map, *posed) : Stance::unclear;
  map.kind = find_kind(map, rest_stance, posed_stance, animal);
  for (std::string& missing : missing_roles(map)) map.warnings.push_back(std::move(missing));
  return map;
}

}  // namespace shosa::body
