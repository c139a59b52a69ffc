// A clip is made, looked at, blended, written and read again.

#include <fmt/format.h>

#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/sampling.h"
#include "shosa/io/motion_file.h"

int main() {
  using namespace shosa;

  // A walk made in code; io::read_motion("walk.bvh") gives the same kind of thing from a file.
  const Clip walk = scenes::walk().clip;
  fmt::print("{} joints, {} frames at {} fps\n", walk.joint_count(), walk.frame_count(), walk.fps());

  // The posture at any time, and halfway between two of them.
  Pose early, late, between;
  sample(walk, 0.25, early);
  sample(walk, 0.75, late);
  mix_poses(early, late, 0.5f, between);

  // Where the left foot is, in metres.
  const JointIndex foot = walk.skeleton().find("left_foot");
  const WorldPose world = forward_kinematics(walk.skeleton(), between);
  const Vec3d place = world.positions[foot];
  fmt::print("left foot at ({:.3f}, {:.3f}, {:.3f}) m\n", place.x(), place.y(), place.z());

  // Out to a file and back; every failure says what was found and what was expected.
  io::MotionFile motion;
  motion.skeleton = walk.skeleton_ptr();
  motion.clips = {walk};
  motion.body_map = body::guess_body_map(walk.skeleton());
  if (const auto written = io::write_motion("walk.glb", motion); !written) {
    fmt::print(stderr, "{}\n", written.error().message);
    return 1;
  }
  const auto again = io::read_motion("walk.glb");
  if (!again) {
    fmt::print(stderr, "{}\n", again.error().message);
    return 1;
  }
  fmt::print("walk.glb holds {} clip(s), {} frames\n", again->clips.size(), again->clips[0].frame_count());
  return again->clips[0].frame_count() == walk.frame_count() ? 0 : 1;
}
