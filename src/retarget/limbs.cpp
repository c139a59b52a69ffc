#include "retarget/limbs.h"

#include "shosa/core/tree_paths.h"

namespace shosa::retarget {

std::vector<LimbBone> limb_bones(body::BodyKind kind) {
  const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY();
  // A knee bends backward and an elbow forward; a bone along d that bends towards b turns about d x b.
  std::vector<LimbBone> bones = {
      {body::Role::left_upper_leg, body::Role::left_lower_leg, -y, x, body::Role::left_upper_leg},
      {body::Role::left_lower_leg, body::Role::left_foot, -y, x, body::Role::left_upper_leg},
      {body::Role::right_upper_leg, body::Role::right_lower_leg, -y, x, body::Role::right_upper_leg},
      {body::Role::right_lower_leg, body::Role::right_foot, -y, x, body::Role::right_upper_leg},
  };
  const bool quadruped = kind == body::BodyKind::quadruped;
  const Vec3d left = quadruped ? Vec3d(-y) : x, right = quadruped ? Vec3d(-y) : Vec3d(-x);
  const Vec3d left_hinge = quadruped ? Vec3d(-x) : Vec3d(-y), right_hinge = quadruped ? Vec3d(-x) : y;
  bones.push_back(
      {body::Role::left_upper_arm, body::Role::left_lower_arm, left, left_hinge, body::Role::left_upper_arm});
  bones.push_back({body::Role::left_lower_arm, body::Role::left_hand, left, left_hinge, body::Role::left_upper_arm});
  bones.push_back(
      {body::Role::right_upper_arm, body::Role::right_lower_arm, right, right_hinge, body::Role::right_upper_arm});
  bones.push_back(
      {body::Role::right_lower_arm, body::Role::right_hand, right, right_hinge, body::Role::right_upper_arm});
  return bones;
}

Columns find_columns(const Skeleton& skeleton, const body::BodyMap& map) {
  Columns columns;
  JointIndex top = map.joint(body::Role::hips);
  for (const body::Role role : {body::Role::spine, body::Role::chest, body::Role::upper_chest}) {
    if (map.has(role)) top = map.joint(role);
  }
  columns.spine = joint_chain(skeleton, map.joint(body::Role::hips), top);
  if (!columns.spine.empty()) columns.spine.erase(columns.spine.begin());
  const JointIndex head = map.has(body::Role::head) ? map.joint(body::Role::head) : map.joint(body::Role::neck);
  if (head == kNoJoint) return columns;
  columns.neck = joint_chain(skeleton, top, head);
  if (!columns.neck.empty()) columns.neck.erase(columns.neck.begin());
  return columns;
}

}  // namespace shosa::retarget
