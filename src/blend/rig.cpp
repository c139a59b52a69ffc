#include "blend/rig.h"

#include <algorithm>
#include <cmath>

#include "shosa/body/two_bones.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/rotations.h"
#include "shosa/core/tree_paths.h"

namespace shosa::blend {

FootPose mixed(const FootPose& a, const FootPose& b, double weight) {
  Quatd to = b.rotation;
  if (a.rotation.dot(to) < 0.0) to.coeffs() = -to.coeffs();
  Quatd rotation;
  rotation.coeffs() = a.rotation.coeffs() * (1.0 - weight) + to.coeffs() * weight;
  return {a.anchor_m + (b.anchor_m - a.anchor_m) * weight, rotation.normalized()};
}

FootPose moved(const FootPose& foot, const FootOffset& offset) {
  return {foot.anchor_m + offset.shift_m, about_y(offset.yaw_rad) * foot.rotation};
}

double foot_heading_rad(const FootPose& foot, const Vec3d& anchor_in_foot_m) {
  const Vec3d ahead = foot.rotation * anchor_in_foot_m;
  return std::hypot(ahead.x(), ahead.z()) > 1e-6 ? heading_of(ahead) : 0.0;
}

namespace {

void find_toes(const Skeleton& skeleton, const body::FootPoints& points, Leg& leg) {
  if (points.tip < skeleton.joint_count() || points.toe < 0 || points.toe >= skeleton.joint_count()) return;
  const EndSite& site = skeleton.end_sites()[points.tip - skeleton.joint_count()];
  if (site.parent != points.toe || skeleton.parent(points.toe) != points.joint) return;
  WorldPose rest;
  forward_kinematics(skeleton, Pose::rest(skeleton), rest);
  const Vec3d across = (rest.end_site(site) - rest.positions[points.joint]).cross(Vec3d::UnitY());
  if (across.norm() < 1e-6) return;
  leg.toes = points.toe;
  leg.tip_offset_m = site.offset_m.cast<double>();
  leg.across_in_foot = rest.rotations[points.joint].conjugate() * across.normalized();
}

}  // namespace

Rig::Rig(const Motion& motion)
    : skeleton_(motion.clip().skeleton_ptr()),
      hips_(root_joint(motion.map())),
      lower_(lower_body(motion.clip().skeleton(), motion.map())) {
  const Skeleton& skeleton = *skeleton_;
  std::vector<bool> used(skeleton.joint_count(), false);
  const auto use = [&](JointIndex joint) {
    for (JointIndex j = joint; j != kNoJoint; j = skeleton.parent(j)) used[j] = true;
  };
  use(hips_);
  const Pose rest = Pose::rest(skeleton);
  for (const auto& foot : motion.contacts().feet) {
    const body::FootPoints& points = foot.points;
    Leg leg{.hip = points.limb, .knee = points.knee, .ankle = points.joint};
    leg.solvable = leg.hip != kNoJoint && leg.knee != kNoJoint && leg.knee != leg.hip &&
                   skeleton.parent(leg.ankle) == leg.knee && !joint_chain(skeleton, leg.hip, leg.knee).empty();
    JointIndex last = leg.ankle;
    if (points.toe >= skeleton.joint_count()) {
      const EndSite& site = skeleton.end_sites()[points.toe - skeleton.joint_count()];
      last = site.parent;
      leg.anchor_offset_m = site.offset_m.cast<double>();
    } else if (points.toe >= 0) {
      last = points.toe;
    }
    leg.below_ankle = joint_chain(skeleton, leg.ankle, last);
    if (leg.below_ankle.empty()) {
      leg.anchor_offset_m.setZero();
    } else {
      leg.below_ankle.erase(leg.below_ankle.begin());
    }
    find_toes(skeleton, points, leg);
    if (leg.solvable) leg.length_m = chain_length_m(skeleton, skeleton.rest_positions(), leg.hip, leg.ankle);
    use(leg.ankle);
    legs_.push_back(std::move(leg));
  }
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    if (used[j]) joints_.push_back(j);
  }
}

void Rig::world(const Pose& pose, RigWorld& out) const {
  for (const JointIndex j : joints_) {
    const Quatd rotation = pose.rotation(j).cast<double>();
    const Vec3d translation = pose.translation(j).cast<double>();
    const JointIndex parent = skeleton_->parent(j);
    if (parent == kNoJoint) {
      out[j] = {rotation, translation};
    } else {
      const Rigid& above = out[parent];
      out[j] = {above.rotation * rotation, above.position + above.rotation * translation};
    }
  }
}

Vec3d Rig::anchor_in_foot(const Pose& pose, std::size_t index) const {
  const Leg& leg = legs_[index];
  Vec3d point = leg.anchor_offset_m;
  for (auto joint = leg.below_ankle.rbegin(); joint != leg.below_ankle.rend(); ++joint) {
    point = pose.translation(*joint).cast<double>() + pose.rotation(*joint).cast<double>() * point;
  }
  return point;
}

FootPose Rig::foot(const Pose& pose, const RigWorld& world, std::size_t index) const {
  const Rigid& ankle = world[legs_[index].ankle];
  return {ankle.position + ankle.rotation * anchor_in_foot(pose, index), ankle.rotation};
}

void Rig::set_hips(Pose& pose, RigWorld& world, const Vec3d& hips_m) const {
  const JointIndex parent = skeleton_->parent(hips_);
  Vec3d local = hips_m;
  if (parent != kNoJoint) {
    const Rigid& above = world[parent];
    local = above.rotation.conjugate() * (hips_m - above.position);
  }
  pose.set_translation(hips_, local.cast<float>());
  this->world(pose, world);
}

double Rig::solve_leg(Pose& pose, const RigWorld& world, std::size_t index, const FootPose& target,
                      const Vec3d& knee_axis) const {
  const Leg& leg = legs_[index];
  const Vec3d goal = ankle_of(target, anchor_in_foot(pose, index));
  const Rigid &hip = world[leg.hip], &knee = world[leg.knee], &ankle = world[leg.ankle];

  const auto [swing, bend] = body::bend_leg(hip.position, knee.position, ankle.position, knee.rotation * knee_axis,
                                            goal, body::BackwardKnee::comes_over);
  const Vec3d bent = knee.position + bend * (ankle.position - knee.position);

  const JointIndex above = skeleton_->parent(leg.hip);
  const Quatd parent_from_world = above == kNoJoint ? Quatd::Identity() : world[above].rotation.conjugate();
  const Quatd knee_rotation = swing * bend * knee.rotation;
  pose.set_rotation(leg.hip, (parent_from_world * swing * hip.rotation).normalized().cast<float>());
  pose.set_rotation(leg.knee,
                    (pose.rotation(leg.knee).cast<double>() * (knee.rotation.conjugate() * bend * knee.rotation))
                        .normalized()
                        .cast<float>());
  pose.set_rotation(leg.ankle, (knee_rotation.conjugate() * target.rotation).normalized().cast<float>());
  return (hip.position + swing * (bent - hip.position) - goal).norm();
}

}  // namespace shosa::blend
