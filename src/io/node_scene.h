#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shosa/core/skeleton.h"
#include "shosa/io/motion_file.h"

// What glTF and FBX have in common: a tree of nodes with scale, moved by keys at uneven times.

namespace shosa::io {

struct SceneNode {
  std::string name;
  int parent = -1;
  std::vector<int> children;
  Vec3d translation = Vec3d::Zero();
  Quatd rotation = Quatd::Identity();
  Vec3d scale = Vec3d::Ones();
  /// A matrix that is no translation, rotation and scale (shear); used instead of them when `sheared`.
  Eigen::Affine3d matrix = Eigen::Affine3d::Identity();
  bool sheared = false;
  bool carries_object = false;  ///< A mesh, camera or light hangs here.
  bool end_site = false;        ///< Written by us as the end of a chain.

  Eigen::Affine3d rest() const;
};

/// Splits a matrix into the fields of `node`; sets `sheared` when that is not possible within 1e-5.
void set_matrix(SceneNode& node, const Eigen::Matrix4d& matrix);

enum class TrackPath {
  translation,
  rotation,
  scale
};
enum class Interpolation {
  step,
  linear,
  cubic_spline
};

/// Keys of one property of one node. Values: 3 or 4 (x y z w) per key; three times as many for cubic splines
/// (in-tangent, value, out-tangent).
struct Track {
  int node = -1;
  TrackPath path = TrackPath::rotation;
  Interpolation interpolation = Interpolation::linear;
  std::shared_ptr<const std::vector<double>> times_s;  ///< Ascending, not empty.
  std::shared_ptr<const std::vector<double>> values;
};

struct SceneAnimation {
  std::string name;
  std::vector<Track> tracks;
  std::optional<double> frame_time_s;  ///< As recorded by our own writer.
  std::optional<int> frame_count;
};

struct NodeScene {
  std::vector<SceneNode> nodes;
  std::vector<SceneAnimation> animations;
  std::vector<int> joint_hints;     ///< Nodes known to be joints (skins, humanoid bones); may be empty.
  bool hints_are_complete = false;  ///< Humanoid map: nothing else is a joint unless it lies between.
};

/// One joint of the rigid skeleton and the node it stands for.
///
/// world_from_node = world_from_parent_node * parent_from_base * node_local(t), where `parent_from_base` holds unmoved
/// nodes above a root (with unit and up axis) and is the identity elsewhere.
struct NodeJoint {
  int node = -1;  ///< -1: a root added by us.
  Eigen::Affine3d parent_from_base = Eigen::Affine3d::Identity();
  /// True when every scale down to the parent is uniform and positive: then the joint's own transform is
  /// rotation = base_rotation * R(t), translation = parent_scale * (base_translation + base_scale * base_rotation *
  /// T(t)).
  bool uniform = true;
  double parent_scale = 1.0;
  double base_scale = 1.0;
  Quatd base_rotation = Quatd::Identity();
  Vec3d base_translation = Vec3d::Zero();
};

/// The skeleton of a scene and how its joints and nodes belong together.
struct NodeSkeleton {
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<NodeJoint> joints;          ///< One per joint.
  std::vector<JointIndex> joint_of_node;  ///< kNoJoint for other nodes.
  bool all_uniform = true;                ///< No joint needs the matrix path.
};

/// Chooses the joints and bakes scale, unit and up axis. Appends to `warnings`.
Result<NodeSkeleton> build_node_skeleton(const NodeScene& scene, double unit_m, UpAxis up, const std::string& file,
                                         Notes& warnings);

/// Translation and rotation of a node or joint relative to its parent.
struct NodeLocal {
  Vec3d translation = Vec3d::Zero();
  Quatd rotation = Quatd::Identity();
};

/// The nodes' own rest, one per joint.
std::vector<NodeLocal> rest_locals(const NodeScene& scene, const NodeSkeleton& skeleton);

/// Reused between samples.
struct RigidWorkspace {
  std::vector<NodeLocal> locals;                 ///< parent_from_joint of the rigid skeleton, metres.
  std::vector<Eigen::Affine3d> world_from_node;  ///< Only when some scale is not uniform.
  std::vector<Quatd> world_from_joint;           ///< Only when some scale is not uniform.
};

/// From the nodes' own frames (`nodes`, one per joint) to the rigid skeleton's.
void rigid_locals(const NodeScene& scene, const NodeSkeleton& skeleton, std::span<const JointIndex> parents,
                  std::span<const NodeLocal> nodes, RigidWorkspace& work);

/// The inverse: the nodes' own frames that give a sample of a clip on the rigid skeleton.
void node_locals(const NodeScene& scene, const NodeSkeleton& skeleton, const Clip& clip, int frame,
                 RigidWorkspace& work, std::vector<NodeLocal>& nodes);

Eigen::Affine3d node_local_matrix(const NodeScene& scene, const NodeJoint& joint, const NodeLocal& local);

/// The rotation of the polar decomposition; of the negative where the matrix mirrors.
Quatd nearest_rotation(const Eigen::Matrix3d& linear);

/// Frames times joints that a file may ask for: this many without keys to match (ten minutes of 28 joints at 60 Hz,
/// 28 MB), and `kSamplesPerKey` for every key that it holds.
inline constexpr double kFreeSamples = 1e6;
inline constexpr double kSamplesPerKey = 32.0;

struct SampledAnimations {
  std::vector<Clip> clips;
  std::vector<int> animation_of_clip;  ///< Animations that move no joint give no clip.
};

/// Every animation that moves a joint as a clip. `options` has been checked.
Result<SampledAnimations> sample_animations(const NodeScene& scene, const NodeSkeleton& skeleton,
                                            const ReadOptions& options, const std::string& file, Notes& warnings);

/// The largest side of the rest pose, which may lie down.
double body_size_m(const Skeleton& skeleton);

/// Warns when the body is larger than 3 m or smaller than 0.3 m, and says which unit would fit.
void warn_about_size(const Skeleton& skeleton, double unit_m, Notes& warnings);

}  // namespace shosa::io
