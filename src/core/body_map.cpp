#include "shosa/core/body_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/body_map_named.h"
#include "core/body_map_posture.h"

namespace shosa {
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

void warn_of_missing(BodyMap& map) {
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
    map.warnings.emplace_back(
        "neither the joint names nor the shape of the skeleton tell a body; name the joints in a body map");
    return;
  }
  std::string missing;
  for (const Role role : kRequired) {
    if (!map.has(role)) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", role_name(role));
  }
  if (!missing.empty()) map.warnings.push_back(fmt::format("no joint found for {}", missing));
}

}  // namespace

BodyMap guess_body_map(const Skeleton& skeleton, const std::vector<Vec3d>* posed) {
  const Labels labels(skeleton);
  BodyMap map = roles_from_names(labels);
  const bool use_posed = posed != nullptr && posed->size() == static_cast<std::size_t>(skeleton.joint_count());
  const Stance rest_stance = find_stance(map, skeleton.rest_positions());
  const Stance posed_stance = use_posed ? find_stance(map, *posed) : Stance::unclear;
  map.kind = find_kind(map, rest_stance, posed_stance, labels.any_animal());
  warn_of_missing(map);
  return map;
}

}  // namespace shosa
