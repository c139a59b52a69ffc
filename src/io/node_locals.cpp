#include "io/node_scene.h"

namespace shosa::io {

void node_locals(const NodeScene& scene, const NodeSkeleton& skeleton, const Clip& clip, int frame,
                 RigidWorkspace& work, std::vector<NodeLocal>& nodes) {
  const std::size_t count = skeleton.joints.size();
  nodes.resize(count);
  work.world_from_node.resize(count);
  work.world_from_joint.resize(count);
  std::vector<Vec3d> positions(skeleton.all_uniform ? 0 : count);
  for (std::size_t j = 0; j < count; ++j) {
    const NodeJoint& joint = skeleton.joints[j];
    const auto index = static_cast<JointIndex>(j);
    Quatd rotation = clip.rotation(frame, index).cast<double>().normalized();
    Vec3d translation = clip.translation(frame, index).cast<double>();
    const JointIndex parent = clip.skeleton().parent(index);
    const double scale = joint.parent_scale * joint.base_scale;
    if (skeleton.all_uniform) {
      if (parent == 0 && skeleton.joints[0].node < 0) {
        // The added root has no node: what moves it moves those below.
        const Quatd root = clip.rotation(frame, 0).cast<double>().normalized();
        translation = clip.translation(frame, 0).cast<double>() + root * translation;
        rotation = root * rotation;
      }
      nodes[j].rotation = joint.base_rotation.conjugate() * rotation;
      nodes[j].translation =
          joint.base_rotation.conjugate() * ((translation - joint.parent_scale * joint.base_translation) / scale);
      continue;
    }

    // Place the node where the rigid joint is; its rotation is found by iteration, because stretch above it bends it.
    Eigen::Affine3d base = joint.parent_from_base;
    Quatd world_rotation = rotation;
    positions[j] = translation;
    if (parent != kNoJoint) {
      const auto p = static_cast<std::size_t>(parent);
      base = work.world_from_node[p] * base;
      world_rotation = work.world_from_joint[p] * rotation;
      positions[j] = positions[p] + work.world_from_joint[p] * translation;
    }
    work.world_from_joint[j] = world_rotation;
    nodes[j] =
        joint.node < 0 ? NodeLocal{} : NodeLocal{scene.nodes[joint.node].translation, scene.nodes[joint.node].rotation};
    if (std::abs(base.linear().determinant()) > 1e-30) {
      nodes[j].translation = base.linear().inverse() * (positions[j] - base.translation());
    }
    for (int i = 0; i < 30; ++i) {
      const Quatd now = nearest_rotation((base * node_local_matrix(scene, joint, nodes[j])).linear());
      const Quatd off = now.conjugate() * world_rotation;
      nodes[j].rotation = (nodes[j].rotation * off).normalized();
      if (off.vec().norm() < 1e-12) break;
    }
    work.world_from_node[j] = base * node_local_matrix(scene, joint, nodes[j]);
  }
}

}  // namespace shosa::io
