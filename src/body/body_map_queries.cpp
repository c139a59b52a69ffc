#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "body/body_map_names.h"
#include "body/body_map_tree.h"
#include "shosa/body/body_map.h"
#include "shosa/core/ascii.h"

namespace shosa::body {
namespace {

using namespace body_map_detail;

/// Levenshtein distance.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// Up to five joint names and known roles, nearest first. Names that hold the query count as near.
std::string near_names(const Skeleton& skeleton, const BodyMap& map, std::string_view name) {
  using Near = std::pair<int, std::string>;  // Distance and name.
  const std::string query = lower_ascii(std::string(name));
  std::vector<Near> near;
  const auto add = [&](std::string_view candidate) {
    const std::string text = lower_ascii(std::string(candidate));
    const bool holds = !query.empty() && text.find(query) != std::string::npos;
    near.emplace_back(holds ? 1 : edit_distance(query, text), std::string(candidate));
  };
  for (const Joint& joint : skeleton.joints()) add(joint.name);
  for (int i = 0; i < kRoleCount; ++i) {
    if (map.has(static_cast<Role>(i))) add(role_name(static_cast<Role>(i)));
  }
  std::ranges::sort(near);
  const auto same = std::ranges::unique(near);
  near.erase(same.begin(), same.end());
  std::string list;
  for (std::size_t i = 0; i < near.size() && i < 5; ++i)
    list += fmt::format("{}'{}'", i == 0 ? "" : ", ", near[i].second);
  return list;
}

}  // namespace

Result<JointIndex> resolve_joint(const Skeleton& skeleton, const BodyMap& map, std::string_view name) {
  if (const JointIndex exact = skeleton.find(name); exact != kNoJoint) return exact;
  const auto role = find_role(name);
  if (role && map.has(*role)) return map.joint(*role);

  const std::string query = lower_ascii(std::string(name));
  std::vector<JointIndex> same;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    if (lower_ascii(std::string(skeleton.name(j))) == query) same.push_back(j);
  }
  if (same.size() == 1) return same.front();
  if (same.size() > 1) {
    return fail(ErrorCode::not_possible, "'{}' could be '{}' or '{}'; write it as the file does", name,
                skeleton.name(same[0]), skeleton.name(same[1]));
  }
  if (role) {
    return fail(ErrorCode::not_possible, "no joint of this skeleton is known to be {}; near names: {}",
                role_name(*role), near_names(skeleton, map, name));
  }
  return fail(ErrorCode::not_possible, "no joint '{}', neither as a name nor as a body role; near names: {}", name,
              near_names(skeleton, map, name));
}

std::vector<bool> lower_body(const Skeleton& skeleton, const BodyMap& map) {
  std::vector<bool> lower(static_cast<std::size_t>(skeleton.joint_count()), false);
  const JointIndex hips = map.joint(Role::hips);
  if (hips == kNoJoint) return lower;
  for (JointIndex j = hips; j != kNoJoint; j = skeleton.parent(j)) lower[j] = true;
  std::vector<bool> on_leg(lower.size(), false);
  for (const bool left : {true, false}) {
    const SideRoles& roles = side_roles(left);
    for (const Role role : {roles.upper_leg, roles.lower_leg, roles.foot, roles.toes}) {
      if (!map.has(role)) continue;
      on_leg[map.joint(role)] = true;
      for (const JointIndex j : path_below(skeleton, hips, map.joint(role))) lower[j] = true;
    }
  }
  for (JointIndex j = 1; j < skeleton.joint_count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (on_leg[skeleton.parent(j)]) on_leg[at] = true;
    if (on_leg[at]) lower[at] = true;
  }
  return lower;
}

std::vector<int> limb_groups(const Skeleton& skeleton, const BodyMap& map) {
  // 0 trunk and head, 1 and 2 the arms, 3 and 4 the legs.
  const auto group_of = [](Role role) {
    const std::string_view name = role_name(role);
    const bool left = name.starts_with("left_"), right = name.starts_with("right_");
    if (!left && !right) return 0;
    const std::string_view part = name.substr(left ? 5 : 6);
    if (part == "eye") return 0;
    const bool leg = part.ends_with("_leg") || part == "foot" || part == "toes";
    return (leg ? 3 : 1) + (right ? 1 : 0);
  };
  std::vector<int> groups(static_cast<std::size_t>(skeleton.joint_count()), 0);
  for (JointIndex joint = 0; joint < skeleton.joint_count(); ++joint) {
    const auto role = map.role_of(joint);
    const JointIndex parent = skeleton.parent(joint);
    if (role)
      groups[joint] = group_of(*role);
    else if (parent != kNoJoint)
      groups[joint] = groups[parent];
  }
  return groups;
}

}  // namespace shosa::body
