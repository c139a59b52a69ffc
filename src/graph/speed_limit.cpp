#include "graph/speed_limit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "shosa/core/parallel.h"

namespace shosa::graph {
namespace {

double bend_between(const Quatf& a, const Quatf& b) {
  return a.cast<double>().angularDistance(b.cast<double>());
}

/// The cosine of half an angle; 0 for all that are no smaller than half a turn, which every turn keeps to.
double half_cosine(double angle_rad) {
  return std::max(0.0, std::cos(0.5 * std::min(angle_rad, std::numbers::pi)));
}

}  // namespace

SpeedLimit::SpeedLimit(const MotionSet& set, double frame_time_s) : kept_(std::exp(-frame_time_s / kSlowsDown_s)) {
  const auto joints = static_cast<std::size_t>(set.skeleton->joint_count());
  const int lag = std::max(1, static_cast<int>(std::lround(frame_time_s / set.frame_time_s)));
  const double scale = frame_time_s / (lag * set.frame_time_s);
  std::vector<std::vector<Bound>> own(set.clips.size());
  parallel_for(own.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      const Clip& clip = set.clips[c].clip();
      std::vector<double> step_m(joints, 0.0), turn_rad(joints, 0.0), bend_rad(joints, 0.0);
      std::vector<WorldPose> worlds(static_cast<std::size_t>(lag) + 1);
      for (int f = 0; f < clip.frame_count(); ++f) {
        WorldPose& now = worlds[f % (lag + 1)];
        forward_kinematics(*set.skeleton, clip.frame(f), now);
        // Frame 0 may be a T-pose that was kept: its step is no motion.
        if (f <= lag) continue;
        const WorldPose& then = worlds[(f - lag) % (lag + 1)];
        for (std::size_t j = 0; j < joints; ++j) {
          const auto joint = static_cast<JointIndex>(j);
          step_m[j] = std::max(step_m[j], scale * (now.positions[j] - then.positions[j]).norm());
          turn_rad[j] = std::max(turn_rad[j], scale * now.rotations[j].angularDistance(then.rotations[j]));
          bend_rad[j] =
              std::max(bend_rad[j], scale * bend_between(clip.rotation(f, joint), clip.rotation(f - lag, joint)));
        }
      }
      for (std::size_t j = 0; j < joints; ++j) {
        const double most_m = step_m[j] + kStep_m;
        own[c].push_back({most_m * most_m, half_cosine(turn_rad[j] + kTurn_rad), half_cosine(bend_rad[j] + kTurn_rad)});
      }
    }
  });
  own_ = std::make_shared<const std::vector<std::vector<Bound>>>(std::move(own));
}

bool SpeedLimit::holds(std::span<const JointIndex> joints, const Frame& last, const Frame& now) const {
  const std::vector<Bound>&a = (*own_)[clip_], &b = (*own_)[before_];
  return std::all_of(joints.begin(), joints.end(), [&](JointIndex joint) {
    const auto j = static_cast<std::size_t>(joint);
    const auto bend = now.pose.rotation(joint).cast<double>().dot(last.pose.rotation(joint).cast<double>());
    // An angle p times as large: 1 - cos(p x) <= p^2 (1 - cos x), and nearly equal for the turns of a frame.
    const auto least = [&](double cosine) { return 1.0 - rate2_ * (1.0 - cosine); };
    return (now.world.positions[j] - last.world.positions[j]).squaredNorm() <=
               rate2_ * std::max(a[j].most_m2, b[j].most_m2) &&
           std::abs(now.world.rotations[j].dot(last.world.rotations[j])) >=
               least(std::min(a[j].least_turn, b[j].least_turn)) &&
           std::abs(bend) >= least(std::min(a[j].least_bend, b[j].least_bend));
  });
}

}  // namespace shosa::graph
