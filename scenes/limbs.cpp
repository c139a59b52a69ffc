#include "scenes/limbs.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace shosa::scenes {
namespace {

/// The rotation that takes (direction, +X) to (towards, side), both pairs orthogonal.
Quatd frame_rotation(const Vec3d& direction, const Vec3d& towards, const Vec3d& side) {
  Eigen::Matrix3d from, to;
  from.col(0) = Vec3d::UnitX();
  from.col(1) = direction.normalized();
  from.col(2) = from.col(0).cross(from.col(1));
  to.col(0) = side;
  to.col(1) = towards.normalized();
  to.col(2) = to.col(0).cross(to.col(1));
  return Quatd(to * from.transpose()).normalized();
}

}  // namespace

JointIndex PoseWriter::index(const std::string& joint) const {
  const JointIndex i = skeleton_.find(joint);
  assert(i != kNoJoint);
  return i;
}

void PoseWriter::root(const Vec3d& position, const Quatd& world_from_hips) {
  pose_.set_translation(0, position.cast<float>());
  pose_.set_rotation(0, world_from_hips.normalized().cast<float>());
}

void PoseWriter::rotate(const std::string& joint, const Quatd& parent_from_joint) {
  pose_.set_rotation(index(joint), parent_from_joint.normalized().cast<float>());
}

void PoseWriter::rotate_world(const std::string& joint, const Quatd& world_from_joint) {
  const JointIndex i = index(joint);
  const Quatd parent = i == 0 ? Quatd::Identity() : rotation(skeleton_.name(skeleton_.parent(i)));
  pose_.set_rotation(i, (parent.conjugate() * world_from_joint).normalized().cast<float>());
}

Quatd PoseWriter::rotation(const std::string& joint) const {
  Quatd world = Quatd::Identity();
  for (JointIndex i = index(joint); i != kNoJoint; i = skeleton_.parent(i)) {
    world = pose_.rotation(i).cast<double>() * world;
  }
  return world.normalized();
}

Vec3d PoseWriter::position(const std::string& joint) const {
  const JointIndex i = index(joint);
  Vec3d world = Vec3d::Zero();
  for (JointIndex j = i; j != kNoJoint; j = skeleton_.parent(j)) {
    const Vec3d offset = pose_.translation(j).cast<double>();
    world = j == i ? offset : Vec3d(pose_.rotation(j).cast<double>() * world + offset);
  }
  return world;
}

void PoseWriter::reach(const std::string& upper, const std::string& middle, const std::string& end, const Vec3d& target,
                       const Vec3d& bend) {
  const Vec3d rest_upper = skeleton_.joint(index(middle)).rest_translation_m.cast<double>();
  const Vec3d rest_lower = skeleton_.joint(index(end)).rest_translation_m.cast<double>();
  const double a = rest_upper.norm(), b = rest_lower.norm();

  // Law of cosines in the plane of the target and the bend direction.
  const Vec3d origin = position(upper);
  const Vec3d to_target = target - origin;
  const double distance = std::clamp(to_target.norm(), std::abs(a - b) + 1e-6, (a + b) * (1.0 - 1e-9));
  const Vec3d along = to_target.normalized();
  const Vec3d out = (bend - bend.dot(along) * along).normalized();
  const double projection = (distance * distance + a * a - b * b) / (2.0 * distance);
  const double height = std::sqrt(std::max(0.0, a * a - projection * projection));
  const Vec3d knee = origin + projection * along + height * out;
  const Vec3d foot = origin + distance * along;

  // The body's left stays the hinge axis, whichever way the limb bends.
  Vec3d side = along.cross(out);
  if (side.dot(rotation(skeleton_.name(skeleton_.parent(index(upper)))) * Vec3d::UnitX()) < 0.0) side = -side;
  rotate_world(upper, frame_rotation(rest_upper, knee - origin, side));
  rotate_world(middle, frame_rotation(rest_lower, foot - knee, side));
}

}  // namespace shosa::scenes
