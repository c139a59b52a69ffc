#include <array>

#include "shosa/body/body_map.h"

namespace shosa::body {
namespace {

constexpr std::array<std::string_view, kRoleCount> kNames = {"hips",
                                                             "spine",
                                                             "chest",
                                                             "upper_chest",
                                                             "neck",
                                                             "head",
                                                             "left_eye",
                                                             "right_eye",
                                                             "jaw",
                                                             "left_upper_leg",
                                                             "left_lower_leg",
                                                             "left_foot",
                                                             "left_toes",
                                                             "right_upper_leg",
                                                             "right_lower_leg",
                                                             "right_foot",
                                                             "right_toes",
                                                             "left_shoulder",
                                                             "left_upper_arm",
                                                             "left_lower_arm",
                                                             "left_hand",
                                                             "right_shoulder",
                                                             "right_upper_arm",
                                                             "right_lower_arm",
                                                             "right_hand",
                                                             "left_thumb_metacarpal",
                                                             "left_thumb_proximal",
                                                             "left_thumb_distal",
                                                             "left_index_proximal",
                                                             "left_index_intermediate",
                                                             "left_index_distal",
                                                             "left_middle_proximal",
                                                             "left_middle_intermediate",
                                                             "left_middle_distal",
                                                             "left_ring_proximal",
                                                             "left_ring_intermediate",
                                                             "left_ring_distal",
                                                             "left_little_proximal",
                                                             "left_little_intermediate",
                                                             "left_little_distal",
                                                             "right_thumb_metacarpal",
                                                             "right_thumb_proximal",
                                                             "right_thumb_distal",
                                                             "right_index_proximal",
                                                             "right_index_intermediate",
                                                             "right_index_distal",
                                                             "right_middle_proximal",
                                                             "right_middle_intermediate",
                                                             "right_middle_distal",
                                                             "right_ring_proximal",
                                                             "right_ring_intermediate",
                                                             "right_ring_distal",
                                                             "right_little_proximal",
                                                             "right_little_intermediate",
                                                             "right_little_distal"};

struct Alias {
  std::string_view name;
  Role role;
};
constexpr std::array kAliases = std::to_array<Alias>({
    {"left_front_foot", Role::left_hand},
    {"right_front_foot", Role::right_hand},
    {"left_hind_foot", Role::left_foot},
    {"right_hind_foot", Role::right_foot},
});

std::string to_snake_case(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !out.empty() && out.back() != '_') out.push_back('_');
    out.push_back(upper ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return out;
}

}  // namespace

std::string_view role_name(Role role) {
  const auto index = static_cast<std::size_t>(role);
  return index < kNames.size() ? kNames[index] : std::string_view("none");
}

std::optional<Role> find_role(std::string_view name) {
  const std::string snake = to_snake_case(name);
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == snake) return static_cast<Role>(i);
  }
  for (const Alias& alias : kAliases) {
    if (alias.name == snake) return alias.role;
  }
  return std::nullopt;
}

Role mirrored(Role role) {
  const std::string_view name = role_name(role);
  std::string other;
  if (name.starts_with("left_")) {
    other = "right_" + std::string(name.substr(5));
  } else if (name.starts_with("right_")) {
    other = "left_" + std::string(name.substr(6));
  } else {
    return role;
  }
  return find_role(other).value_or(role);
}

std::optional<Role> BodyMap::role_of(JointIndex joint) const {
  if (joint == kNoJoint) return std::nullopt;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i] == joint) return static_cast<Role>(i);
  }
  return std::nullopt;
}

}  // namespace shosa::body
