#include "motions/swing.h"

#include <algorithm>
#include <cmath>

#include "motions/relax.h"

namespace shosa::motions {
namespace {

constexpr int kAngles = 6;
constexpr double kStraightest_rad = 0.05;
constexpr double kSoftKnee_rad = 0.16;
constexpr double kMostDorsal_rad = 0.28, kMostPlantar_rad = 0.75;  ///< Of the ankle in the guide.
constexpr double kFootShare = 0.45;  ///< Pitch, yaw and toes keep closer to the guide: an ankle has little room.
using Angles = Eigen::Matrix<double, kAngles, 1>;

Angles angles_of(const Vec3d& hip, const FootState& foot) {
  const Vec3d leg = foot.ankle - hip;
  const double length = std::min(leg.norm(), kLegLength_m * std::cos(0.5 * kStraightest_rad));
  Angles angles;
  // Thigh and shank are equally long.
  angles << 2.0 * std::acos(length / kLegLength_m), std::atan2(leg.z(), -leg.y()),
      std::asin(std::clamp(leg.x() / leg.norm(), -1.0, 1.0)), 0.0, foot.yaw_rad, foot.toe_pitch_rad;
  angles[3] = foot.pitch_rad + angles[1] - 0.5 * angles[0];
  return angles;
}

void apply(const Angles& angles, const Vec3d& hip, FootState& foot) {
  const double length = kLegLength_m * std::cos(0.5 * angles[0]);
  const double across = std::cos(angles[2]);
  foot.ankle = hip + length * Vec3d(std::sin(angles[2]), -across * std::cos(angles[1]), across * std::sin(angles[1]));
  foot.pitch_rad = angles[3] - angles[1] + 0.5 * angles[0];
  foot.yaw_rad = angles[4];
  foot.toe_pitch_rad = angles[5];
}

/// A knee that swings through is not locked: angles near and below kSoftKnee_rad are bent, smoothly.
double soft_knee(double knee_rad) {
  const double over = knee_rad - kSoftKnee_rad;
  return kSoftKnee_rad + 0.5 * (over + std::hypot(over, kSoftKnee_rad));
}

void clear_ground(std::vector<FootState*>& swing) {
  const auto at = [&](int i) -> FootState& { return *swing[i]; };
  raise_clear(
      static_cast<int>(swing.size()),
      [&](int i) { return at(i).ground_m + at(i).clear_m * clearing(at(i).air) - lowest_m(at(i)); },
      [&](int i, double height_m) { at(i).ankle.y() += height_m; });
}

}  // namespace

void relax_swings(Frames& frames) {
  const int count = static_cast<int>(frames.feet.size());
  for (int side = 0; side < 2; ++side) {
    const auto foot = [&](int i) -> FootState& { return frames.feet[i][side]; };
    std::vector<Vec3d> hips;
    Eigen::MatrixXd line(count, kAngles);
    for (int i = 0; i < count; ++i) {
      hips.push_back(hip_joint(frames.bodies[i], side));
      line.row(i) = angles_of(hips.back(), foot(i)).transpose();
    }
    for (int first = 0; first < count; ++first) {
      if (foot(first).stands) continue;
      int last = first;
      while (last + 1 < count && !foot(last + 1).stands) ++last;
      for (int i = first; i <= last; ++i) {
        double& ankle = line(i, 3);
        ankle = std::clamp(ankle, -kMostDorsal_rad, kMostPlantar_rad);
      }
      relax(line, first, last, foot(first).guide_share, 0, 3);
      relax(line, first, last, kFootShare, 3, 3);
      std::vector<FootState*> swing;
      for (int i = first; i <= last; ++i) {
        double& knee = line(i, 0);
        knee += inside(i - first, last - first + 1) * (soft_knee(knee) - knee);
        apply(line.row(i).transpose(), hips[i], foot(i));
        swing.push_back(&foot(i));
      }
      clear_ground(swing);
      first = last;
    }
  }
}

}  // namespace shosa::motions
