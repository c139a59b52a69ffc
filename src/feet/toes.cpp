#include "feet/toes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "shosa/core/forward_kinematics.h"
#include "shosa/solve/block_tridiagonal.h"

namespace shosa::feet {

namespace {

constexpr int kSteps = 20;

/// What is asked of the toes of one frame.
struct ToeFrame {
  BendRange over;  ///< Keeps the tip out of the ground.
  bool stands = false;
  double lying_rad = 0.0;  ///< Where the ball stands: brings the tip to the height over it that it has in the capture.
  double bone_m = 0.0;
};

/// The least sum of squares over the bends of all frames. Linear but for the ground, which each step takes in where it
/// is met.
std::vector<double> solve_bends(const std::vector<ToeFrame>& frames, const FeetScales& scales, double scale,
                                double dt) {
  const std::size_t count = frames.size();
  std::vector<double> bend(count, 0.0);
  std::vector<int> groups(count / 2, 2);
  if (count % 2 == 1) groups.push_back(1);
  const double root_dt = std::sqrt(dt), soft = root_dt / (scales.toe_rate_radps2 * dt * dt);
  for (int step = 0; step < kSteps; ++step) {
    solve::BlockTridiagonal matrix(groups);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(count));
    for (std::size_t f = 0; f < count; ++f) {
      const ToeFrame& toe = frames[f];
      const auto wish = [&](double rad, double scale_rad) {
        const double weight = dt / (scale_rad * scale_rad);
        matrix.add(static_cast<int>(f), static_cast<int>(f), weight);
        right[static_cast<Eigen::Index>(f)] += weight * rad;
      };
      const double length = std::max(toe.bone_m, 1e-3 * scale), allowed = toe.over.nearest_rad(bend[f]);
      wish(0.0, scales.turn_rad);
      if (toe.stands) wish(toe.over.nearest_rad(toe.lying_rad), scales.tip_m * scale / length);
      if (bend[f] != allowed) wish(allowed, scales.below_m * scale / length);
      for (std::size_t i = 0; f >= 2 && i < 3; ++i) {
        constexpr std::array<double, 3> kSecond = {1.0, -2.0, 1.0};
        for (std::size_t j = 0; j <= i; ++j) {
          matrix.add(static_cast<int>(f - 2 + i), static_cast<int>(f - 2 + j), soft * soft * kSecond[i] * kSecond[j]);
        }
      }
    }
    if (!matrix.factor()) break;
    matrix.solve(right);
    double moved = 0.0;
    for (std::size_t f = 0; f < count; ++f) {
      moved = std::max(moved, std::abs(bend[f] - right[static_cast<Eigen::Index>(f)]));
      bend[f] = right[static_cast<Eigen::Index>(f)];
    }
    if (moved < 1e-6) break;
  }
  return bend;
}

}  // namespace

ToeBends find_bends(const Clip& captured, const FootPlan& plan, const Toes& toes, const FeetScales& scales,
                    double scale, const Clip& placed, const ToeBends* before) {
  const Skeleton& skeleton = placed.skeleton();
  const double dt = placed.frame_time_s();
  const auto count = static_cast<std::size_t>(placed.frame_count());
  std::vector<ToeFrame> frames(count);
  for (const Stance& stance : plan.stances) {
    for (int f = stance.first; f <= stance.last && stance.ball_m && !stance.rises; ++f) {
      frames[static_cast<std::size_t>(f)].stands = true;
    }
  }
  ToeBends out{.rad = {}, .crosses = std::vector<char>(count, 0)};
  std::vector<BendRange> all(count);
  Pose pose;
  WorldPose world;
  double last_rad = 0.0;  // What the frame before asks for: toes stay on the side on which they are.
  for (std::size_t f = 0; f < count; ++f) {
    const auto see = [&](const Clip& clip) {
      clip.get_frame(static_cast<int>(f), pose);
      forward_kinematics(skeleton, pose, world);
      return toes.seen(skeleton, world, f);
    };
    const double lying_m = see(captured).bone_m.y();
    const ToeBend now = see(placed);
    const double least_m = plan.ground_m[f] - world.positions[static_cast<std::size_t>(toes.joint)].y();
    BendRange& over = frames[f].over;
    over = now.over(least_m, before ? before->rad[f] : 0.0);
    if (!before && !over.holds(0.0)) over = now.over(least_m, last_rad);
    all[f] = now.range;
    frames[f].bone_m = now.bone_m.norm();
    if (frames[f].stands && lying_m != now.bone_m.y()) frames[f].lying_rad = now.level_rad(lying_m);
    // From bent up to bent down, or back, they take their time; the frame in which they have to is in its middle.
    const double next_rad = over.nearest_rad(0.0);
    if (!before && next_rad * last_rad < 0.0) {
      const double way_rad = std::abs(next_rad - last_rad);
      const auto half = static_cast<std::size_t>(std::sqrt(way_rad / scales.toe_rate_radps2) / dt) + 1;
      std::fill(out.crosses.begin() + (f - std::min(f, half)), out.crosses.begin() + std::min(count, f + half), 1);
    }
    last_rad = next_rad;
  }
  for (std::size_t f = 0; f < count; ++f) {
    if (out.crosses[f]) frames[f] = {.over = all[f], .bone_m = frames[f].bone_m};
  }
  out.rad = solve_bends(frames, scales, scale, dt);
  return out;
}

void bend_toes(const Toes& toes, const ToeBends& bends, Clip& placed) {
  for (std::size_t f = 0; f < bends.rad.size(); ++f) {
    if (std::abs(bends.rad[f]) < 1e-6) continue;
    const Quatd turn(Eigen::AngleAxisd(bends.rad[f], toes.axis_in_parent));
    const Quatd now = placed.rotation(static_cast<int>(f), toes.joint).cast<double>();
    placed.set_rotation(static_cast<int>(f), toes.joint, (turn * now).normalized().cast<float>());
  }
}

}  // namespace shosa::feet
