// What a `TransitionPlayer` knows about its set before it plays.

#include <algorithm>

#include "graph/transition.h"

namespace shosa::graph {

TransitionPlayer::TransitionPlayer(const MotionSet& set, double frame_time_s, bool keep_feet)
    : set_(&set),
      frame_time_s_(frame_time_s),
      keep_feet_(keep_feet && !set.feet.empty()),
      feet_(set),
      limit_(set, frame_time_s),
      shown_(Pose::rest(*set.skeleton)) {
  Shared shared;
  shared.hips = root_joint(set.body_map);
  const int joints = set.skeleton->joint_count();
  turns_.resize(static_cast<std::size_t>(joints));
  shifts_.resize(static_cast<std::size_t>(joints));
  // What carries the arms moves first.
  std::vector<bool> lower = lower_body(*set.skeleton, set.body_map);
  shared.limbs.emplace_back();
  for (const body::Role role : {body::Role::left_upper_arm, body::Role::right_upper_arm, body::Role::left_upper_leg,
                                body::Role::right_upper_leg}) {
    // Legs that reach for kept feet are limited there.
    const bool is_leg = role == body::Role::left_upper_leg || role == body::Role::right_upper_leg;
    if (!set.body_map.has(role) || (is_leg && keep_feet_)) continue;
    const auto limb = joints_below(*set.skeleton, set.body_map.joint(role));
    if (!is_leg) shared.limbs[0].watched.push_back(limb.front());
    shared.limbs.push_back({limb, limb, limb});
    for (const JointIndex j : limb) lower[j] = true;
  }
  std::vector<bool> carried(lower.size(), false);
  for (JointIndex j = 1; j < joints; ++j) {
    Limb& trunk = shared.limbs[0];
    const bool moved = !lower[j] && j != shared.hips;
    if (moved) trunk.moved.push_back(j), trunk.watched.push_back(j);
    carried[j] = moved || carried[set.skeleton->parent(j)];
    if (carried[j]) trunk.carried.push_back(j);
  }
  shares_.assign(shared.limbs.size(), 1.0);
  std::vector<bool> of_foot(static_cast<std::size_t>(joints), false);
  for (const body::FootPoints& foot : set.feet) {
    for (const JointIndex j : joints_below(*set.skeleton, foot.joint)) of_foot[j] = true;
  }
  for (JointIndex j = 0; j < joints; ++j) {
    if (!of_foot[j]) shared.above_feet.push_back(j);
  }
  for (const SetClip& clip : set.clips) {
    double& lowest_m = shared.lowest_m.emplace_back(1e9);
    for (int f = 0; f < clip.clip().frame_count(); ++f) {
      for (JointIndex j = 0; j < joints; ++j) lowest_m = std::min(lowest_m, clip.positions().joint(f, j).y());
    }
  }
  shared_ = std::make_shared<const Shared>(std::move(shared));
  played_.fill(shown_);
  forward_kinematics(*set.skeleton, shown_, world_shown_);
}

}  // namespace shosa::graph
