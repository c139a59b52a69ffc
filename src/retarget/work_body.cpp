#include "retarget/work_body.h"

#include <algorithm>
#include <set>

#include "retarget/limbs.h"
#include "shosa/body/foot_points.h"
#include "shosa/core/tree_paths.h"

namespace shosa::retarget {
namespace {

/// The parent of every joint in the work body; kNoJoint for the hips, and for what is left out.
struct Tree {
  std::vector<JointIndex> parent;
  std::vector<JointIndex> order;  ///< Joints that take part, parents first.
};

Tree make_tree(const Skeleton& target, const body::BodyMap& map) {
  const JointIndex hips = map.joint(body::Role::hips);
  Tree tree;
  for (JointIndex j = 0; j < target.joint_count(); ++j) tree.parent.push_back(target.parent(j));
  tree.parent[hips] = kNoJoint;
  for (const FootRoles& roles : kFeet) {
    if (!map.has(roles.foot) || !map.has(roles.lower)) continue;
    if (joint_chain(target, map.joint(roles.lower), map.joint(roles.foot)).empty())
      tree.parent[map.joint(roles.foot)] = map.joint(roles.lower);
  }
  // Breadth first; a loose foot may stand before its leg in the target.
  tree.order = {hips};
  for (std::size_t i = 0; i < tree.order.size(); ++i) {
    for (JointIndex j = 0; j < target.joint_count(); ++j) {
      if (tree.parent[j] == tree.order[i]) tree.order.push_back(j);
    }
  }
  return tree;
}

/// Toe points for feet that have none, ahead of the ankle by a human's share of the leg.
void add_toe_points(const Skeleton& target, const body::BodyMap& map, const Reference& reference,
                    const std::vector<JointIndex>& work_of, std::vector<EndSite>& sites) {
  constexpr double kToeShare = 0.15;
  for (const body::FootPoints& foot : body::find_foot_points(target, map)) {
    if (foot.toe >= 0 || foot.kind != body::FootKind::foot || map.kind != body::BodyKind::humanoid) continue;
    if (!reference.canonical[foot.joint] || foot.limb == kNoJoint) continue;
    const auto& at = reference.pose.positions;
    const double leg_m = (at[foot.limb] - at[foot.joint]).norm();
    // Level with the ankle: nothing says how high that is above the sole.
    const Vec3d ahead(0.0, 0.0, kToeShare * leg_m);
    std::string name = target.name(foot.joint) + "_toe_point";
    while (target.find(name) != kNoJoint || std::ranges::find(sites, name, &EndSite::name) != sites.end()) name += "_";
    sites.push_back({name, work_of[foot.joint], (reference.canonical[foot.joint]->conjugate() * ahead).cast<float>()});
  }
}

}  // namespace

Result<WorkBody> make_work_body(const Skeleton& target, const body::BodyMap& map, const Reference& reference) {
  const Tree tree = make_tree(target, map);
  WorkBody body;
  body.original = tree.order;
  std::vector<JointIndex> work_of(static_cast<std::size_t>(target.joint_count()), kNoJoint);
  for (std::size_t i = 0; i < tree.order.size(); ++i) work_of[tree.order[i]] = static_cast<JointIndex>(i);

  const auto& positions = target.rest_positions();
  const auto& rotations = target.rest_rotations();
  std::vector<Joint> joints;
  for (const JointIndex j : tree.order) {
    Joint joint = target.joint(j);
    const JointIndex parent = tree.parent[j];
    joint.parent = parent == kNoJoint ? kNoJoint : work_of[parent];
    if (parent == kNoJoint) {
      joint.rest_translation_m = positions[j].cast<float>();
      joint.rest_rotation = rotations[j].cast<float>();
    } else if (parent != target.parent(j)) {
      const Quatd back = rotations[parent].conjugate();
      joint.rest_translation_m = (back * (positions[j] - positions[parent])).cast<float>();
      joint.rest_rotation = (back * rotations[j]).normalized().cast<float>();
    }
    joints.push_back(std::move(joint));
  }
  std::vector<EndSite> sites;
  for (const EndSite& site : target.end_sites()) {
    if (work_of[site.parent] == kNoJoint) continue;
    sites.push_back(site);
    sites.back().parent = work_of[site.parent];
  }
  add_toe_points(target, map, reference, work_of, sites);
  auto skeleton = Skeleton::create(std::move(joints), std::move(sites));
  if (!skeleton) return fail(ErrorCode::not_possible, "retarget: {}", skeleton.error().message);
  body.skeleton = std::make_shared<const Skeleton>(std::move(*skeleton));

  body.map.kind = map.kind;
  for (int r = 0; r < body::kRoleCount; ++r) {
    const body::Role role = static_cast<body::Role>(r);
    if (map.has(role)) body.map.set(role, work_of[map.joint(role)]);
  }

  const Reference& r = reference;
  body.reference.standing = r.standing;
  for (std::size_t i = 0; i < tree.order.size(); ++i) {
    const JointIndex j = tree.order[i];
    const JointIndex parent = tree.parent[j];
    const bool moved = parent != target.parent(tree.order[i]);
    body.reference.neutral.push_back(
        !moved
            ? r.neutral[j]
            : (parent == kNoJoint ? r.pose.rotations[j] : r.pose.rotations[parent].conjugate() * r.pose.rotations[j]));
    body.reference.pose.positions.push_back(r.pose.positions[j]);
    body.reference.pose.rotations.push_back(r.pose.rotations[j]);
    body.reference.canonical.push_back(r.canonical[j]);
    body.reference.laid.push_back(r.laid[j]);
  }
  return body;
}

Clip on_target(const Clip& work, const WorkBody& body, std::shared_ptr<const Skeleton> target) {
  // Joints whose parent differs carry their place.
  std::set<JointIndex> translated = {0};
  std::vector<JointIndex> work_of(static_cast<std::size_t>(target->joint_count()), kNoJoint);
  for (JointIndex w = 0; w < work.joint_count(); ++w) {
    const JointIndex j = body.original[w];
    work_of[j] = w;
    const JointIndex parent = body.skeleton->parent(w);
    if (parent == kNoJoint || body.original[parent] != target->parent(j)) translated.insert(j);
  }
  Clip clip(target, work.frame_count(), work.frame_time_s(), {translated.begin(), translated.end()});
  clip.set_name(work.name());
  const Pose rest = Pose::rest(*target);
  Pose from, pose;
  WorldPose world, placed;
  for (int f = 0; f < work.frame_count(); ++f) {
    work.get_frame(f, from);
    forward_kinematics(*body.skeleton, from, world);
    pose = rest;
    placed = forward_kinematics(*target, pose);
    for (JointIndex j = 0; j < target->joint_count(); ++j) {
      const JointIndex parent = target->parent(j), w = work_of[j];
      const Quatd above = parent == kNoJoint ? Quatd::Identity() : placed.rotations[parent];
      const Vec3d origin = parent == kNoJoint ? Vec3d::Zero() : placed.positions[parent];
      if (w != kNoJoint) {
        // The same parent: the same bits.
        if (!translated.contains(j)) {
          pose.set_rotation(j, from.rotation(w));
        } else {
          pose.set_rotation(j, (above.conjugate() * world.rotations[w]).normalized().cast<float>());
          pose.set_translation(j, (above.conjugate() * (world.positions[w] - origin)).cast<float>());
        }
      }
      placed.rotations[j] = above * pose.rotation(j).cast<double>();
      placed.positions[j] = origin + above * pose.translation(j).cast<double>();
    }
    clip.set_frame(f, pose);
  }
  return clip;
}

}  // namespace shosa::retarget
