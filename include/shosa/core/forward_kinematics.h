#pragma once

#include <span>
#include <vector>

#include "shosa/core/clip.h"

namespace shosa {

/// world_from_joint of every joint, column major, single precision: what a renderer or an engine takes.
/// `world_from_joint` needs one matrix per joint (assert). Allocates nothing.
void world_matrices(const Skeleton& skeleton, const Pose& pose, std::span<Eigen::Matrix4f> world_from_joint);

/// The same for many characters of one skeleton; character c writes matrices c * joint_count onward. Runs on all cores;
/// the result does not depend on how many there are.
void world_matrices(const Skeleton& skeleton, std::span<const Pose> poses, std::span<Eigen::Matrix4f> world_from_joint);

/// World transforms in double precision: what solvers and measurements take.
struct WorldPose {
  std::vector<Vec3d> positions;  ///< Metres, one per joint.
  std::vector<Quatd> rotations;  ///< world_from_joint.

  Vec3d end_site(const EndSite& site) const {
    const auto parent = static_cast<std::size_t>(site.parent);
    return positions[parent] + rotations[parent] * site.offset_m.cast<double>();
  }
};

/// Resizes `world` when needed, otherwise allocates nothing.
void forward_kinematics(const Skeleton& skeleton, const Pose& pose, WorldPose& world);
WorldPose forward_kinematics(const Skeleton& skeleton, const Pose& pose);

/// World positions of every joint and end site over a whole clip, metres, double precision.
class ClipPositions {
 public:
  ClipPositions(int frame_count, int joint_count, int end_site_count)
      : frame_count_(frame_count),
        joint_count_(joint_count),
        point_count_(joint_count + end_site_count),
        points_(static_cast<std::size_t>(frame_count) * static_cast<std::size_t>(point_count_)) {}

  int frame_count() const { return frame_count_; }
  int joint_count() const { return joint_count_; }
  int point_count() const { return point_count_; }
  /// Joints first, then end sites in the skeleton's order.
  const Vec3d& point(int frame, int point) const { return points_[index(frame, point)]; }
  Vec3d& point(int frame, int point) { return points_[index(frame, point)]; }
  const Vec3d& joint(int frame, JointIndex joint) const { return point(frame, joint); }
  const Vec3d& end_site(int frame, int site) const { return point(frame, joint_count_ + site); }
  std::span<const Vec3d> frame(int frame) const {
    return {points_.data() + index(frame, 0), static_cast<std::size_t>(point_count_)};
  }

 private:
  std::size_t index(int frame, int point) const {
    return static_cast<std::size_t>(frame) * static_cast<std::size_t>(point_count_) + static_cast<std::size_t>(point);
  }
  int frame_count_;
  int joint_count_;
  int point_count_;
  std::vector<Vec3d> points_;
};

/// Forward kinematics of every stored frame, on all cores.
ClipPositions clip_positions(const Clip& clip);

}  // namespace shosa
