#include "io/node_scene.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <cmath>
#include <numbers>

#include "io/limits.h"
#include "io/node_choice.h"
#include "io/unique_names.h"

namespace shosa::io {
namespace {

// Exporters leave scales like 1.0000001; below this ratio they are taken for uniform.
constexpr double kUniformTolerance = 1e-5;

bool is_uniform(const Vec3d& scale) {
  const double low = scale.minCoeff(), high = scale.maxCoeff();
  return low > 0.0 && high - low <= kUniformTolerance * high;
}

/// Gives names that are not empty and not used twice, and says so once.
class JointNames {
 public:
  std::string make(const std::string& wanted, const std::string& if_empty) {
    std::string base = wanted.empty() ? if_empty : wanted;
    if (wanted.empty()) ++empty_;
    std::string name = unique_.make(base);
    if (name != base && duplicates_++ == 0) first_duplicate_ = base;
    return name;
  }

  void report(Notes& warnings) const {
    if (empty_ > 0)
      warnings.push_back(Note::done(fmt::format("{} joints without a name were named after their node", empty_)));
    if (duplicates_ > 0) {
      warnings.push_back(fmt::format("{} joints share their name with another ('{}') and got a number", duplicates_,
                                     first_duplicate_));
    }
  }

 private:
  UniqueNames unique_;
  std::string first_duplicate_;
  int empty_ = 0;
  int duplicates_ = 0;
};

/// Rotation, translation and scale of a similarity; false when it is none.
bool split_similarity(const Eigen::Affine3d& affine, NodeJoint& joint) {
  const Eigen::Matrix3d linear = affine.linear();
  const double determinant = linear.determinant();
  if (!(determinant > 0.0) || !std::isfinite(determinant)) return false;
  const double scale = std::cbrt(determinant);
  const Eigen::Matrix3d rotation = linear / scale;
  if (!(rotation.transpose() * rotation).isIdentity(2.0 * kUniformTolerance)) return false;
  joint.base_scale = scale;
  joint.base_rotation = Quatd(rotation).normalized();
  joint.base_translation = affine.translation();
  return true;
}

}  // namespace

Eigen::Affine3d SceneNode::rest() const {
  if (sheared) return matrix;
  Eigen::Affine3d affine = Eigen::Affine3d::Identity();
  affine.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
  affine.translation() = translation;

  return affine;
}

void set_matrix(SceneNode& node, const Eigen::Matrix4d& matrix) {
  node.matrix.matrix() = matrix;
  node.matrix.makeAffine();
  node.translation = node.matrix.translation();
  Eigen::Matrix3d linear = node.matrix.linear();
  Vec3d scale = linear.colwise().norm();
  if (linear.determinant() < 0.0) scale = -scale;
  for (int i = 0; i < 3; ++i) {
    if (scale[i] != 0.0) linear.col(i) /= scale[i];
  }
  node.sheared = !(linear.transpose() * linear).isIdentity(kUniformTolerance);
  if (node.sheared) return;
  node.scale = scale;
  node.rotation = Quatd(linear).normalized();
}

Quatd nearest_rotation(const Eigen::Matrix3d& linear) {
  if (!linear.allFinite()) return Quatd::Identity();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d rotation = svd.matrixU() * svd.matrixV().transpose();
  // A mirrored frame has no rotation of its own; its negative does, and turns with it.
  if (rotation.determinant() < 0.0) rotation = -rotation;
  return Quatd(rotation).normalized();
}

void rigid_locals(const NodeScene& scene, const NodeSkeleton& skeleton, std::span<const JointIndex> parents,
                  std::span<const NodeLocal> nodes, RigidWorkspace& work) {
  const std::size_t count = skeleton.joints.size();
  work.locals.resize(count);
  if (skeleton.all_uniform) {
    for (std::size_t j = 0; j < count; ++j) {
      const NodeJoint& joint = skeleton.joints[j];
      work.locals[j].rotation = joint.base_rotation * nodes[j].rotation;
      work.locals[j].translation =
          joint.parent_scale *
          (joint.base_translation + joint.base_scale * (joint.base_rotation * nodes[j].translation));
    }
    return;
  }

  // Some scale is not uniform: full matrices, and for each joint the rotation nearest to its matrix.
  work.world_from_node.resize(count);
  work.world_from_joint.resize(count);
  for (std::size_t j = 0; j < count; ++j) {
    const NodeJoint& joint = skeleton.joints[j];
    Eigen::Affine3d base = joint.parent_from_base;
    Quatd parent_rotation = Quatd::Identity();
    Vec3d parent_position = Vec3d::Zero();
    if (parents[j] != kNoJoint) {
      const auto p = static_cast<std::size_t>(parents[j]);
      base = work.world_from_node[p] * base;
      parent_rotation = work.world_from_joint[p];
      parent_position = work.world_from_node[p].translation();
    }
    work.world_from_node[j] = base * node_local_matrix(scene, joint, nodes[j]);
    if (joint.uniform) {
      work.world_from_joint[j] = parent_rotation * joint.base_rotation * nodes[j].rotation;
    } else {
      work.world_from_joint[j] = nearest_rotation(work.world_from_node[j].linear());
    }
    work.locals[j].rotation = parent_rotation.conjugate() * work.world_from_joint[j];
    work.locals[j].translation =
        parent_rotation.conjugate() * (work.world_from_node[j].translation() - parent_position);
  }
}

Eigen::Affine3d node_local_matrix(const NodeScene& scene, const NodeJoint& joint, const NodeLocal& local) {
  Eigen::Affine3d matrix = Eigen::Affine3d::Identity();
  if (joint.node < 0) return matrix;
  const SceneNode& node = scene.nodes[joint.node];
  if (node.sheared) return node.matrix;
  matrix.linear() = local.rotation.toRotationMatrix() * node.scale.asDiagonal();
  matrix.translation() = local.translation;
  return matrix;
}

std::vector<NodeLocal> rest_locals(const NodeScene& scene, const NodeSkeleton& skeleton) {
  std::vector<NodeLocal> locals(skeleton.joints.size());
  for (std::size_t j = 0; j < locals.size(); ++j) {
    if (skeleton.joints[j].node < 0) continue;
    const SceneNode& node = scene.nodes[skeleton.joints[j].node];
    locals[j] = {node.translation, node.rotation};
  }
  return locals;
}

Result<NodeSkeleton> build_node_skeleton(const NodeScene& scene, double unit_m, UpAxis up, const std::string& file,
                                         Notes& warnings) {
  if (scene.nodes.empty()) return fail(ErrorCode::bad_file, "{}: no nodes, expected a skeleton", file);
  const std::vector<int> order = topological_order(scene.nodes);
  if (order.empty()) return fail(ErrorCode::bad_file, "{}: the nodes form a cycle, expected a tree", file);

  // The file's world in ours: unit, and Z up turned to Y up.
  Eigen::Affine3d world_from_file = Eigen::Affine3d::Identity();
  if (up == UpAxis::z) world_from_file.rotate(Eigen::AngleAxisd(-std::numbers::pi / 2.0, Vec3d::UnitX()));
  world_from_file.scale(unit_m);

  std::vector<Eigen::Affine3d> file_from_node(scene.nodes.size());
  for (int index : order) {
    const auto i = static_cast<std::size_t>(index);
    const int parent = scene.nodes[i].parent;
    file_from_node[i] = scene.nodes[i].rest();
    if (parent >= 0) file_from_node[i] = file_from_node[parent] * file_from_node[i];
  }

  auto [nodes, root_count] = choose_joints(scene, order);
  NodeSkeleton result;
  result.joint_of_node.assign(scene.nodes.size(), kNoJoint);
  const bool added_root = root_count > 1;
  if (added_root) {
    nodes.insert(nodes.begin(), -1);
    warnings.push_back(Note::done(fmt::format("{} separate skeletons were joined under an added root", root_count)));
  }

  // Scales, base transforms and names.
  std::vector<Joint> joints(nodes.size());
  std::vector<double> total_scale(nodes.size(), 1.0);
  std::vector<bool> total_uniform(nodes.size(), true);
  JointNames names;
  result.joints.resize(nodes.size());
  int stretched = 0;
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    if (nodes[j] < 0) continue;
    const SceneNode& node = scene.nodes[nodes[j]];
    NodeJoint& joint = result.joints[j];
    joint.node = nodes[j];
    result.joint_of_node[nodes[j]] = static_cast<JointIndex>(j);
    joints[j].name = names.make(node.name, fmt::format("node_{}", nodes[j]));
    const JointIndex parent = node.parent < 0 ? kNoJoint : result.joint_of_node[node.parent];
    if (parent != kNoJoint) {
      joints[j].parent = parent;
      joint.parent_scale = total_scale[parent];
      joint.uniform = total_uniform[parent];
    } else {
      if (added_root) joints[j].parent = 0;
      joint.parent_from_base = world_from_file;
      if (node.parent >= 0) {
        joint.parent_from_base = world_from_file * file_from_node[node.parent];
      }
      joint.uniform = split_similarity(joint.parent_from_base, joint);
    }
    joint.uniform = joint.uniform && !node.sheared && node.scale.minCoeff() > 0.0;
    total_uniform[j] = joint.uniform && is_uniform(node.scale);
    total_scale[j] = joint.parent_scale * joint.base_scale * node.scale.mean();
    if (!total_uniform[j]) result.all_uniform = false;
    if (!joint.uniform || !is_uniform(node.scale)) ++stretched;
  }
  if (added_root) joints[0].name = names.make("root", "root");
  if (stretched > 0) {
    warnings.push_back(fmt::format(
        "{} joints are stretched unevenly or mirrored; positions are kept, rotations are the nearest rigid ones",
        stretched));
  }

  // Rest transforms.
  std::vector<JointIndex> parents(nodes.size());
  for (std::size_t j = 0; j < nodes.size(); ++j) parents[j] = joints[j].parent;
  RigidWorkspace work;
  rigid_locals(scene, result, parents, rest_locals(scene, result), work);
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    if (!(work.locals[j].translation.cwiseAbs().maxCoeff() <= kFarthest_m)) {
      return fail(ErrorCode::bad_file,
                  "{}: joint '{}' rests farther than {} m from its parent, expected a nearer place", file,
                  joints[j].name, kFarthest_m);
    }
    joints[j].rest_translation_m = work.locals[j].translation.cast<float>();
    joints[j].rest_rotation = work.locals[j].rotation.cast<float>();
  }

  std::vector<EndSite> end_sites;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const SceneNode& node = scene.nodes[i];
    if (!node.end_site || node.parent < 0 || result.joint_of_node[i] != kNoJoint) continue;
    const JointIndex parent = result.joint_of_node[node.parent];
    if (parent == kNoJoint) continue;
    const auto p = static_cast<std::size_t>(parent);
    Vec3d offset = total_scale[p] * node.translation;
    if (!result.all_uniform) {
      offset = work.world_from_joint[p].conjugate() * (work.world_from_node[p].linear() * node.translation);
    }
    end_sites.push_back({names.make(node.name, fmt::format("node_{}", i)), parent, offset.cast<float>()});
  }
  names.report(warnings);

  Result<Skeleton> skeleton = Skeleton::create(std::move(joints), std::move(end_sites));
  if (!skeleton) return fail(ErrorCode::bad_file, "{}: {}", file, skeleton.error().message);
  result.skeleton = std::make_shared<const Skeleton>(std::move(*skeleton));
  return result;
}

double body_size_m(const Skeleton& skeleton) {
  Eigen::AlignedBox3d box;
  for (const Vec3d& position : skeleton.rest_positions()) box.extend(position);
  return box.sizes().maxCoeff();
}

void warn_about_size(const Skeleton& skeleton, double unit_m, Notes& warnings) {
  const double size_m = body_size_m(skeleton);
  if (!(size_m > 0.0) || (size_m >= 0.3 && size_m <= 3.0)) return;
  const char* fit = nullptr;
  for (const auto& [name, unit] : {std::pair{"m", 1.0}, {"cm", 0.01}, {"in", 0.0254}}) {
    const double fitted_m = size_m / unit_m * unit;
    if (fitted_m >= 0.3 && fitted_m <= 3.0 && fit == nullptr) fit = name;
  }
  warnings.push_back(fit != nullptr ? fmt::format("the body is {:.3g} m large; --unit {} would fit a body", size_m, fit)
                                    : fmt::format("the body is {:.3g} m large, which no usual unit explains", size_m));
}

}  // namespace shosa::io
