#include "graph/speed_limit.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/parallel.h"

namespace shosa::graph {
namespace {

double bend_between(const Quatf& a, const Quatf& b) {
  return a.cast<double>().angularDistance(b.cast<double>());
}

}  // namespace

SpeedLimit::SpeedLimit(const MotionSet& set, double frame_time_s) {
  const auto joints = static_cast<std::size_t>(set.skeleton->joint_count());
  const int lag = std::max(1, static_cast<int>(std::lround(frame_time_s / set.frame_time_s)));
  const double scale = frame_time_s / (lag * set.frame_time_s);
  std::vector<Own> own(set.clips.size());
  parallel_for(own.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      const Clip& clip = set.clips[c].clip();
      own[c].step_m.assign(joints, 0.0f), own[c].turn_rad = own[c].bend_rad = own[c].step_m;
      std::vector<WorldPose> worlds(static_cast<std::size_t>(lag) + 1);
      for (int f = 0; f < clip.frame_count(); ++f) {
        WorldPose& now = worlds[f % (lag + 1)];
        forward_kinematics(*set.skeleton, clip.frame(f), now);
        // Frame 0 may be a T-pose that was kept: its step is no motion.
        if (f <= lag) continue;
        const WorldPose& then = worlds[(f - lag) % (lag + 1)];
        for (std::size_t j = 0; j < joints; ++j) {
          const double step = scale * (now.positions[j] - then.positions[j]).norm();
          const double turn = scale * now.rotations[j].angularDistance(then.rotations[j]);
          own[c].step_m[j] = std::max(own[c].step_m[j], static_cast<float>(step));
          const auto joint = static_cast<JointIndex>(j);
          const double bend = scale * bend_between(clip.rotation(f, joint), clip.rotation(f - lag, joint));
          own[c].turn_rad[j] = std::max(own[c].turn_rad[j], static_cast<float>(turn));
          own[c].bend_rad[j] = std::max(own[c].bend_rad[j], static_cast<float>(bend));
        }
      }
    }
  });
  own_ = std::make_shared<const std::vector<Own>>(std::move(own));
}

bool SpeedLimit::holds(std::span<const JointIndex> joints, const Frame& last, const Frame& now) const {
  const Own &a = (*own_)[clip_], &b = (*own_)[before_];
  return std::all_of(joints.begin(), joints.end(), [&](JointIndex joint) {
    const auto j = static_cast<std::size_t>(joint);
    const double most_m = std::max(a.step_m[j], b.step_m[j]) + kStep_m;
    const double most_rad = std::max(a.turn_rad[j], b.turn_rad[j]) + kTurn_rad;
    const double most_bend_rad = std::max(a.bend_rad[j], b.bend_rad[j]) + kTurn_rad;
    return (now.world.positions[j] - last.world.positions[j]).squaredNorm() <= most_m * most_m &&
           now.world.rotations[j].angularDistance(last.world.rotations[j]) <= most_rad &&
           bend_between(now.pose.rotation(joint), last.pose.rotation(joint)) <= most_bend_rad;
  });
}

}  // namespace shosa::graph
