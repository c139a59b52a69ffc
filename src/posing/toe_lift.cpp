#include "posing/toe_lift.h"

#include <algorithm>
#include <cmath>

#include "posing/smooth_path.h"
#include "shosa/analysis/local_ground.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::posing {

void lift_toes(Clip& clip, const analysis::FootContactTrack& foot, double ground_m, double envelope_s) {
  // The tip must be an end site of a toe joint of its own.
  const JointIndex toe = foot.points.toe;
  if (foot.points.tip < clip.joint_count() || toe < 0 || toe >= clip.joint_count()) return;
  const EndSite& site = clip.skeleton().end_sites()[static_cast<std::size_t>(foot.points.tip - clip.joint_count())];
  if (site.parent != toe) return;

  const auto frames = static_cast<std::size_t>(clip.frame_count());
  std::vector<double> needed_rad(frames, 0.0);
  std::vector<Vec3d> axis_in_parent(frames, Vec3d::Zero());  // turns the tip up
  Pose pose;
  WorldPose world;
  for (std::size_t f = 0; f < frames; ++f) {
    clip.get_frame(static_cast<int>(f), pose);
    forward_kinematics(clip.skeleton(), pose, world);
    const Vec3d& joint = world.positions[static_cast<std::size_t>(toe)];
    const Vec3d bone = world.end_site(site) - joint;
    const Vec3d axis = bone.cross(Vec3d::UnitY());
    if (axis.norm() < 1e-6 * (1.0 + bone.norm())) continue;
    const Quatd& world_from_parent = world.rotations[static_cast<std::size_t>(clip.skeleton().parent(toe))];
    axis_in_parent[f] = world_from_parent.conjugate() * axis.normalized();
    const double ground = analysis::local_ground_m(foot, static_cast<double>(f) * clip.frame_time_s(), ground_m);
    const double lowest = std::clamp((ground - joint.y()) / bone.norm(), -1.0, 1.0);
    needed_rad[f] = std::max(0.0, std::asin(lowest) - std::asin(std::clamp(bone.y() / bone.norm(), -1.0, 1.0)));
  }
  if (std::all_of(needed_rad.begin(), needed_rad.end(), [](double angle) { return angle == 0.0; })) return;
  const std::vector<double> angle =
      smooth_upper_envelope(needed_rad, std::max(1, static_cast<int>(envelope_s / clip.frame_time_s())));
  for (std::size_t f = 0; f < frames; ++f) {
    if (angle[f] == 0.0 || axis_in_parent[f].isZero()) continue;
    const Quatd turn(Eigen::AngleAxisd(angle[f], axis_in_parent[f]));
    const Quatd now = clip.rotation(static_cast<int>(f), toe).cast<double>();
    clip.set_rotation(static_cast<int>(f), toe, (turn * now).normalized().cast<float>());
  }
}

}  // namespace shosa::posing
