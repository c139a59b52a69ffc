// Makes a skeleton and a clip, samples it, and writes it as BVH when a path is given.
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/sampling.h"
#include "shosa/io/motion_file.h"

int main(int argc, char** argv) {
  auto made = shosa::Skeleton::create({{.name = "root"}, {.name = "tip", .parent = 0, .rest_translation_m = {1, 0, 0}}},
                                      {{.name = "tip_end", .parent = 1, .offset_m = {0.1F, 0, 0}}});
  if (!made) {
    std::fprintf(stderr, "%s\n", made.error().message.c_str());
    return 1;
  }
  const auto skeleton = std::make_shared<const shosa::Skeleton>(std::move(*made));

  // A quarter turn about z in one step of 0.1 s; half-way the tip stands at 45 degrees.
  shosa::Clip clip(skeleton, 2, 0.1);
  const float half_angle = std::numbers::pi_v<float> / 4;
  clip.set_rotation(1, 0, shosa::Quatf(std::cos(half_angle), 0, 0, std::sin(half_angle)));
  shosa::Pose pose;
  shosa::sample(clip, 0.05, pose);
  const shosa::Vec3d tip = shosa::forward_kinematics(*skeleton, pose).positions[1];
  std::printf("joints %d, at 0.05 s the tip stands at %.4f %.4f %.4f\n", skeleton->joint_count(), tip.x(), tip.y(),
              tip.z());

  if (argc > 1) {
    shosa::io::MotionFile motion;
    motion.skeleton = skeleton;
    motion.clips.push_back(clip);
    if (auto written = shosa::io::write_motion(argv[1], motion); !written) {
      std::fprintf(stderr, "%s\n", written.error().message.c_str());
      return 1;
    }
  }
  return 0;
}
