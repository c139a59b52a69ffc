#include "retarget/limbs.h"

#include "shosa/core/tree_paths.h"

namespace shosa::retarget {

std::vector<LimbBone> limb_bones(BodyKind kind) {
  const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY();
  // A knee bends backward and an elbow forward; a bone along d that bends towards b turns about d x b.
  std::vector<LimbBone> bones = {
      {Role::left_upper_leg, Role::left_lower_leg, -y, x, Role::left_upper_leg},
      {Role::left_lower_leg, Role::left_foot, -y, x, Role::left_upper_leg},
      {Role::right_upper_leg, Role::right_lower_leg, -y, x, Role::right_upper_leg},
      {Role::right_lower_leg, Role::right_foot, -y, x, Role::right_upper_leg},
  };
  const bool quadruped = kind == BodyKind::quadruped;
  const Vec3d left = quadruped ? Vec3d(-y) : x, right = quadruped ? Vec3d(-y) : Vec3d(-x);
  const Vec3d left_hinge = quadruped ? Vec3d(-x) : Vec3d(-y), right_hinge = quadruped ? Vec3d(-x) : y;
  bones.push_back({Role::left_upper_arm, Role::left_lower_arm, left, left_hinge, Role::left_upper_arm});
  bones.push_back({Role::left_lower_arm, Role::left_hand, left, left_hinge, Role::left_upper_arm});
  bones.push_back({Role::right_upper_arm, Role::right_lower_arm, right, right_hinge, Role::right_upper_arm});
  bones.push_back({Role::right_lower_arm, Role::right_hand, right, right_hinge, Role::right_upper_arm});
  return bones;
}

Columns find_columns(const Skeleton& skeleton, const BodyMap& map) {
  Columns columns;
  JointIndex top = map.joint(Role::hips);
  for (const Role role : {Role::spine, Role::chest, Role::upper_chest}) {
    if (map.has(role)) top = map.joint(role);
  }
  columns.spine = joint_chain(skeleton, map.joint(Role::hips), top);
  if (!columns.spine.empty()) columns.spine.erase(columns.spine.begin());
  const JointIndex head = map.has(Role::head) ? map.joint(Role::head) : map.joint(Role::neck);
  if (head == kNoJoint) return columns;
  columns.neck = joint_chain(skeleton, top, head);
  if (!columns.neck.empty()) columns.neck.erase(columns.neck.begin());
  return columns;
}

}  // namespace shosa::retarget
