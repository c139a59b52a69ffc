#include "character/gaze.h"

#include "character/scratch.h"
#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

constexpr double kMost_rad = 1.2;  ///< Of head and neck together.
constexpr double kNeckShare = 0.4;
constexpr double kTurn_s = 0.3, kBack_s = 0.45;
constexpr double kMet_rad = 0.05;

}  // namespace

Gaze::Gaze(const graph::MotionSet& set) {
  if (!set.body_map.has(body::Role::head)) return;
  head_ = set.body_map.joint(body::Role::head);
  const JointIndex above = set.skeleton->parent(head_);
  if (set.body_map.has(body::Role::neck) && set.body_map.joint(body::Role::neck) != head_)
    neck_ = set.body_map.joint(body::Role::neck);
  else if (above != kNoJoint && above != 0 && above != root_joint(set.body_map))
    neck_ = above;
  Vec3d sum = Vec3d::Zero();
  Pose pose;
  WorldPose world;
  for (const graph::SetClip& clip : set.clips) {
    for (int f = 0; f < clip.clip().frame_count(); f += 4) {
      clip.clip().get_frame(f, pose);
      forward_kinematics(*set.skeleton, pose, world);
      sum += world.rotations[head_].conjugate() * (about_y(clip.studied.heading_rad(f)) * Vec3d::UnitZ());
    }
  }
  if (sum.norm() > 1e-6) forward_in_head_ = sum.normalized();
}

void Gaze::apply(const Skeleton& skeleton, Pose& pose, double step_s) {
  if (handle_ == kNoHandle && turn_.is_zero()) return;
  WorldPose& world = thread_scratch<Scratch>(pose.joint_count()).world;
  forward_kinematics(skeleton, pose, world);
  Vec3d wanted = Vec3d::Zero();
  if (handle_ != kNoHandle) {
    const Vec3d way = target_m_ - world.positions[head_];
    const Vec3d forward = world.rotations[head_] * forward_in_head_;
    if (way.norm() > 0.05) wanted = log_rotation(shortest_turn(forward, way));
    // Nobody looks behind: what is there is looked for over one shoulder.
    if (wanted.norm() > kMost_rad) wanted *= kMost_rad / wanted.norm();
  }
  const bool back = handle_ == kNoHandle;
  turn_.lead(wanted, back ? kBack_s : kTurn_s, step_s);
  if (back && turn_.value.norm() < 1e-5 && turn_.rate.norm() < 1e-3) turn_.rest(Vec3d::Zero());
  met_ = !back && (turn_.value - wanted).norm() < kMet_rad;
  if (turn_.is_zero()) return;
  const Vec3d turn = turn_.value;
  if (neck_ != kNoJoint) {
    const Quatd above = world.rotations[skeleton.parent(neck_)];
    const Quatd neck = exp_rotation(kNeckShare * turn) * world.rotations[neck_];
    pose.set_rotation(neck_, (above.conjugate() * neck).normalized().cast<float>());
  }
  const Quatd carried = neck_ != kNoJoint ? exp_rotation(kNeckShare * turn) : Quatd::Identity();
  const Quatd above = carried * world.rotations[skeleton.parent(head_)];
  const Quatd head = exp_rotation(turn) * world.rotations[head_];
  pose.set_rotation(head_, (above.conjugate() * head).normalized().cast<float>());
}

}  // namespace shosa::character
