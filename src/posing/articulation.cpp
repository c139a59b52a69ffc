#include "shosa/posing/articulation.h"

#include <cassert>
#include <utility>

#include "shosa/core/rotations.h"
#include "shosa/core/state_bytes.h"

namespace shosa::posing {

Articulation::Articulation(std::shared_ptr<const Skeleton> skeleton) : skeleton_(std::move(skeleton)) {
  const auto joints = static_cast<std::size_t>(skeleton_->joint_count());
  rotations_.resize(joints);
  translations_.resize(joints);
  world_.positions.resize(joints);
  world_.rotations.resize(joints);
  set_pose(Pose::rest(*skeleton_));
}

void Articulation::set_pose(const Pose& pose) {
  assert(pose.joint_count() == joint_count());
  for (JointIndex j = 0; j < joint_count(); ++j) {
    const auto index = static_cast<std::size_t>(j);
    rotations_[index] = pose.rotation(j).cast<double>().normalized();
    translations_[index] = pose.translation(j).cast<double>();
  }
  update_world();
}

void Articulation::get_pose(Pose& pose) const {
  if (pose.joint_count() != joint_count()) pose = Pose(joint_count());
  for (JointIndex j = 0; j < joint_count(); ++j) {
    const auto index = static_cast<std::size_t>(j);
    pose.set_rotation(j, rotations_[index].cast<float>());
    pose.set_translation(j, translations_[index].cast<float>());
  }
}

void Articulation::set_rotation(JointIndex joint, const Quatd& parent_from_joint) {
  rotations_[joint] = parent_from_joint.normalized();
}

void Articulation::move(const Vec3d& way_m) {
  translations_[0] += way_m;
  for (Vec3d& place : world_.positions) place += way_m;
}

Vec3d Articulation::point(JointIndex joint, const Vec3d& offset_m) const {
  const auto index = static_cast<std::size_t>(joint);
  return world_.positions[index] + world_.rotations[index] * offset_m;
}

void Articulation::integrate(const Vec3d& root_velocity, std::span<const Vec3d> turn_rates, double step_s) {
  assert(static_cast<int>(turn_rates.size()) == joint_count());
  translations_[0] += root_velocity * step_s;
  for (JointIndex j = 0; j < joint_count(); ++j) {
    const auto index = static_cast<std::size_t>(j);
    const JointIndex parent = skeleton_->parent(j);
    Vec3d turn = turn_rates[index] * step_s;
    if (turn.isZero(0.0)) continue;
    if (parent != kNoJoint) turn = world_.rotations[parent].conjugate() * turn;
    rotations_[index] = (exp_rotation(turn) * rotations_[index]).normalized();
  }
  update_world();
}

void Articulation::visit_state(StateBytes& bytes) {
  bytes(rotations_, translations_, world_);
}

void Articulation::update_world(JointIndex joint) {
  const auto index = static_cast<std::size_t>(joint);
  const JointIndex parent = skeleton_->parent(joint);
  if (parent == kNoJoint) {
    world_.positions[index] = translations_[index];
    world_.rotations[index] = rotations_[index];
    return;
  }
  const auto above = static_cast<std::size_t>(parent);
  world_.positions[index] = world_.positions[above] + world_.rotations[above] * translations_[index];
  world_.rotations[index] = world_.rotations[above] * rotations_[index];
}

void Articulation::update_world() {
  for (JointIndex j = 0; j < joint_count(); ++j) update_world(j);
}

void Articulation::update_world(std::span<const JointIndex> joints) {
  for (const JointIndex j : joints) update_world(j);
}

}  // namespace shosa::posing
