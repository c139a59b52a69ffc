#include "posing/toe_lift.h"

#include <algorithm>
#include <cmath>

#include "posing/smooth_path.h"
#include "shosa/analysis/local_ground.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::posing {
namespace {

/// The axis across the foot about which the tip turns up, in the frame of the toes' parent: the mean over the frames in
/// which the toes lie rather than hang, because toes that point straight down have no side. Zero where they never do.
Vec3d axis_across(const Clip& clip, JointIndex toe, const EndSite& site) {
  Vec3d sum = Vec3d::Zero();
  Pose pose;
  WorldPose world;
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    const Vec3d bone = world.end_site(site) - world.positions[static_cast<std::size_t>(toe)];
    const Vec3d axis = bone.cross(Vec3d::UnitY());
    if (axis.norm() < 0.7 * bone.norm()) continue;
    sum += world.rotations[static_cast<std::size_t>(clip.skeleton().parent(toe))].conjugate() * axis.normalized();
  }
  return sum.norm() > 1e-6 ? Vec3d(sum.normalized()) : Vec3d::Zero();
}

}  // namespace

void lift_toes(Clip& clip, const analysis::FootContactTrack& foot, double ground_m, double envelope_s) {
  // The tip must be an end site of a toe joint of its own.
  const JointIndex toe = foot.points.toe;
  if (foot.points.tip < clip.joint_count() || toe < 0 || toe >= clip.joint_count()) return;
  const EndSite& site = clip.skeleton().end_sites()[static_cast<std::size_t>(foot.points.tip - clip.joint_count())];
  if (site.parent != toe) return;

  const auto frames = static_cast<std::size_t>(clip.frame_count());
  std::vector<double> needed_rad(frames, 0.0);
  const Vec3d axis_in_parent = axis_across(clip, toe, site);
  if (axis_in_parent.isZero()) return;
  Pose pose;
  WorldPose world;
  for (std::size_t f = 0; f < frames; ++f) {
    clip.get_frame(static_cast<int>(f), pose);
    forward_kinematics(clip.skeleton(), pose, world);
    const Vec3d& joint = world.positions[static_cast<std::size_t>(toe)];
    const Vec3d bone = world.end_site(site) - joint;
    const Vec3d axis = world.rotations[static_cast<std::size_t>(clip.skeleton().parent(toe))] * axis_in_parent;
    // Seen along the axis: ahead, and the part of up that a turn about it reaches.
    const Vec3d up = Vec3d::UnitY() - axis.y() * axis;
    if (up.norm() < 0.1) continue;
    const double height = bone.dot(up.normalized()), ahead = bone.dot(up.normalized().cross(axis));
    const double length = std::hypot(height, ahead);
    if (length < 1e-6) continue;
    const double ground = analysis::local_ground_m(foot, static_cast<double>(f) * clip.frame_time_s(), ground_m);
    // What lies along the axis stays where it is.
    const double stays = joint.y() + bone.dot(axis) * axis.y();
    const double lowest = std::clamp((ground - stays) / (length * up.norm()), -1.0, 1.0);
    needed_rad[f] = std::max(0.0, std::asin(lowest) - std::atan2(height, ahead));
  }
  if (std::all_of(needed_rad.begin(), needed_rad.end(), [](double angle) { return angle == 0.0; })) return;
  const std::vector<double> angle =
      smooth_upper_envelope(needed_rad, std::max(1, static_cast<int>(envelope_s / clip.frame_time_s())));
  for (std::size_t f = 0; f < frames; ++f) {
    if (angle[f] == 0.0) continue;
    const Quatd turn(Eigen::AngleAxisd(angle[f], axis_in_parent));
    const Quatd now = clip.rotation(static_cast<int>(f), toe).cast<double>();
    clip.set_rotation(static_cast<int>(f), toe, (turn * now).normalized().cast<float>());
  }
}

}  // namespace shosa::posing
