#include "feet/toes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "shosa/core/forward_kinematics.h"
#include "shosa/solve/block_tridiagonal.h"

namespace shosa::feet {

namespace {

constexpr int kSteps = 20;

/// Toes of one frame: the bend about `axis` (world, unit) that lifts the tip to a height, and what is asked of it.
struct ToeFrame {
  Vec3d bone_m = Vec3d::Zero(), axis = Vec3d::UnitX();
  double ball_y_m = 0.0;
  bool stands = false;
  double lying_rad = 0.0;  ///< Brings the tip to the height over the ball that it has in the capture.
  double least_rad = 0.0;  ///< Brings the tip to the ground; more brings it out.

  /// With the toes ahead, not bent over backwards; the nearest that a bend can do where none reaches the height.
  double bend_to(double height_m) const {
    // Seen along the axis: ahead, and the part of up that a turn about it reaches. What lies along the axis stays.
    const Vec3d up = Vec3d::UnitY() - axis.y() * axis;
    const double height = bone_m.dot(up.normalized()), ahead = bone_m.dot(up.normalized().cross(axis));
    const double reach = std::hypot(height, ahead) * up.norm();
    if (up.norm() < 0.1 || reach < 1e-6) return 0.0;
    const double stays = bone_m.dot(axis) * axis.y();
    return std::asin(std::clamp((height_m - stays) / reach, -1.0, 1.0)) - std::atan2(height, ahead);
  }
};

/// The axis across the foot about which the tip turns up, in the frame of the toes' parent: the mean over the frames in
/// which the toes lie rather than hang, because toes that point straight down have no side. Zero where they never do.
Vec3d axis_across(const Clip& clip, JointIndex toe, const EndSite& site) {
  Vec3d sum = Vec3d::Zero();
  Pose pose;
  WorldPose world;
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    const Vec3d bone = world.end_site(site) - world.positions[toe];
    const Vec3d axis = bone.cross(Vec3d::UnitY());
    if (axis.norm() < 0.7 * bone.norm()) continue;
    sum += world.rotations[clip.skeleton().parent(toe)].conjugate() * axis.normalized();
  }
  return sum.norm() > 1e-6 ? Vec3d(sum.normalized()) : Vec3d::Zero();
}

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
      const double length = std::max(toe.bone_m.norm(), 1e-3 * scale);
      wish(0.0, scales.turn_rad);
      if (toe.stands) wish(std::max(toe.lying_rad, toe.least_rad), scales.tip_m * scale / length);
      if (bend[f] < toe.least_rad) wish(toe.least_rad, scales.below_m * scale / length);
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

void bend_toes(const Clip& captured, const FootPlan& plan, const FeetScales& scales, double scale, Clip& placed) {
  // The tip must be an end site of a toe joint of its own.
  const JointIndex toe = plan.points.toe;
  if (plan.points.tip < placed.joint_count() || toe < 0 || toe >= placed.joint_count()) return;
  const Skeleton& skeleton = placed.skeleton();
  const EndSite& site = skeleton.end_sites()[plan.points.tip - placed.joint_count()];
  if (site.parent != toe) return;
  const Vec3d axis_in_parent = axis_across(captured, toe, site);
  if (axis_in_parent.isZero()) return;

  std::vector<ToeFrame> frames(static_cast<std::size_t>(placed.frame_count()));
  const auto at = [&](int i) { return static_cast<std::size_t>(i); };
  for (const Stance& stance : plan.stances) {
    for (int f = stance.first; f <= stance.last && stance.ball_m && !stance.rises; ++f) frames[at(f)].stands = true;
  }
  Pose pose;
  WorldPose world;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    ToeFrame& toe_frame = frames[f];
    captured.get_frame(static_cast<int>(f), pose);
    forward_kinematics(skeleton, pose, world);
    const double lying_m = world.end_site(site).y() - world.positions[at(toe)].y();
    placed.get_frame(static_cast<int>(f), pose);
    forward_kinematics(skeleton, pose, world);
    toe_frame.bone_m = world.end_site(site) - world.positions[at(toe)];
    toe_frame.ball_y_m = world.positions[at(toe)].y();
    toe_frame.axis = world.rotations[at(skeleton.parent(toe))] * axis_in_parent;
    const double least_m = std::max(plan.ground_m[f] - toe_frame.ball_y_m, -1e3);
    toe_frame.least_rad = toe_frame.bend_to(least_m);
    // A tip that is out of the ground asks for nothing, also where the toes point backwards and the turn that brings
    // them ahead would be one upwards: a foot upside down in the swing.
    if (toe_frame.bone_m.y() >= least_m) toe_frame.least_rad = std::min(toe_frame.least_rad, 0.0);
    if (toe_frame.stands && lying_m != toe_frame.bone_m.y()) toe_frame.lying_rad = toe_frame.bend_to(lying_m);
  }
  const std::vector<double> bend = solve_bends(frames, scales, scale, placed.frame_time_s());
  for (std::size_t f = 0; f < frames.size(); ++f) {
    if (std::abs(bend[f]) < 1e-6) continue;
    const Quatd turn(Eigen::AngleAxisd(bend[f], axis_in_parent));
    const Quatd now = placed.rotation(static_cast<int>(f), toe).cast<double>();
    placed.set_rotation(static_cast<int>(f), toe, (turn * now).normalized().cast<float>());
  }
}

}  // namespace shosa::feet
