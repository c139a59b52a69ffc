#include "motions/swing.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "shosa/solve/minimum_jerk.h"

namespace shosa::motions {
namespace {

constexpr int kAngles = 6;
constexpr double kStraightest_rad = 0.05;
constexpr double kSoftKnee_rad = 0.16;
constexpr double kMostDorsal_rad = 0.28, kMostPlantar_rad = 0.75;  ///< Of the ankle in the guide.
constexpr int kLongest = 30;                                       ///< Frames: a longer swing is not smoothed more.
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

/// The frames [first, last] of `line` become the smoothest that keep to it; the others stay.
void relax(std::vector<Angles>& line, int first, int last, double share, int from, int angles) {
  const int count = last - first + 1, all = static_cast<int>(line.size());
  const double weight = std::pow(2.0 * M_PI / (share * std::min(count, kLongest)), 6);
  Eigen::MatrixXd normal = weight * Eigen::MatrixXd::Identity(count, count);
  Eigen::MatrixXd right(count, angles);
  for (int i = 0; i < count; ++i) {
    right.row(i) = weight * line[static_cast<std::size_t>(first + i)].segment(from, angles).transpose();
  }
  constexpr double kThird[4] = {-1.0, 3.0, -3.0, 1.0};
  for (int begin = std::max(0, first - 3); begin + 3 < all && begin <= last; ++begin) {
    for (int a = 0; a < 4; ++a) {
      const int row = begin + a - first;
      if (row < 0 || row >= count) continue;
      for (int b = 0; b < 4; ++b) {
        const int column = begin + b - first;
        if (column >= 0 && column < count) {
          normal(row, column) += kThird[a] * kThird[b];
        } else {
          right.row(row) -=
              kThird[a] * kThird[b] * line[static_cast<std::size_t>(begin + b)].segment(from, angles).transpose();
        }
      }
    }
  }
  const Eigen::MatrixXd solved = normal.ldlt().solve(right);
  for (int i = 0; i < count; ++i) {
    line[static_cast<std::size_t>(first + i)].segment(from, angles) = solved.row(i).transpose();
  }
}

/// 0 at both ends of a swing of `count` frames, 1 between.
double inside(int frame, int count) {
  const double ramp = std::min(0.2 * count, 6.0);
  return solve::minimum_jerk_value(frame + 1, 0.0, ramp) * solve::minimum_jerk_value(count - frame, 0.0, 1.25 * ramp);
}

/// A knee that swings through is not locked: angles near and below kSoftKnee_rad are bent, smoothly.
double soft_knee(double knee_rad) {
  const double over = knee_rad - kSoftKnee_rad;
  return kSoftKnee_rad + 0.5 * (over + std::hypot(over, kSoftKnee_rad));
}

/// How much of the clearance is asked for at a share of the swing.
double clearing(double air) {
  return solve::minimum_jerk_value(air, 0.05, 0.5) * (1.0 - solve::minimum_jerk_value(air, 0.7, 1.0));
}

/// Raises the foot, as seen from frame to frame by the smooth step of `clearing`'s kind, until the sole is clear.
void clear_ground(std::vector<FootState*>& swing) {
  const int count = static_cast<int>(swing.size()), half = std::max(2, count / 6);
  for (int round = 0; round < 40; ++round) {
    std::vector<double> lack(swing.size());
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
      const FootState& foot = *swing[static_cast<std::size_t>(i)];
      const double need = foot.ground_m + foot.clear_m * clearing(foot.air) - lowest_m(foot);
      lack[static_cast<std::size_t>(i)] = std::max(0.0, need);
      most = std::max(most, need);
    }
    if (most < 1e-4) return;
    for (int i = 0; i < count; ++i) {
      double raise = 0.0, weights = 0.0;
      for (int d = -half; d <= half; ++d) {
        const double weight = std::pow(std::cos(0.5 * M_PI * d / (half + 1.0)), 4);
        weights += weight;
        if (i + d >= 0 && i + d < count) raise += weight * lack[static_cast<std::size_t>(i + d)];
      }
      FootState& foot = *swing[static_cast<std::size_t>(i)];
      foot.ankle.y() += inside(i, count) * raise / weights;
    }
  }
}

}  // namespace

void relax_swings(Frames& frames) {
  const int count = static_cast<int>(frames.feet.size());
  for (int side = 0; side < 2; ++side) {
    const auto foot = [&](int i) -> FootState& {
      return frames.feet[static_cast<std::size_t>(i)][static_cast<std::size_t>(side)];
    };
    std::vector<Vec3d> hips;
    std::vector<Angles> line;
    for (int i = 0; i < count; ++i) {
      hips.push_back(hip_joint(frames.bodies[static_cast<std::size_t>(i)], side));
      line.push_back(angles_of(hips.back(), foot(i)));
    }
    for (int first = 0; first < count; ++first) {
      if (foot(first).stands) continue;
      int last = first;
      while (last + 1 < count && !foot(last + 1).stands) ++last;
      for (int i = first; i <= last; ++i) {
        double& ankle = line[static_cast<std::size_t>(i)][3];
        ankle = std::clamp(ankle, -kMostDorsal_rad, kMostPlantar_rad);
      }
      relax(line, first, last, foot(first).guide_share, 0, 3);
      relax(line, first, last, kFootShare, 3, 3);
      std::vector<FootState*> swing;
      for (int i = first; i <= last; ++i) {
        double& knee = line[static_cast<std::size_t>(i)][0];
        knee += inside(i - first, last - first + 1) * (soft_knee(knee) - knee);
        apply(line[static_cast<std::size_t>(i)], hips[static_cast<std::size_t>(i)], foot(i));
        swing.push_back(&foot(i));
      }
      clear_ground(swing);
      first = last;
    }
  }
}

}  // namespace shosa::motions
