#include "shosa/core/joint_track.h"

#include "shosa/core/forward_kinematics.h"

namespace shosa {

JointTrack joint_track(const Clip& clip, JointIndex joint, JointSpace space) {
  JointTrack track;
  Pose pose;
  WorldPose world;
  for (int f = 0; f < clip.frame_count(); ++f) {
    if (space == JointSpace::parent) {
      track.positions_m.push_back(clip.translation(f, joint).cast<double>());
      track.rotations.push_back(clip.rotation(f, joint).cast<double>());
      continue;
    }
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    track.positions_m.push_back(world.positions[joint]);
    track.rotations.push_back(world.rotations[joint]);
  }
  return track;
}

}  // namespace shosa
