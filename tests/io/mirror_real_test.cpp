#include <gtest/gtest.h>

#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/mirror.h"
#include "shosa/io/motion_file.h"
#include "support/real_data.h"

namespace shosa::io {
namespace {

// Bones of the two sides may differ in length: a chain of them is off by as much.
double asymmetry_m(const Skeleton& skeleton, std::span<const JointIndex> partner) {
  std::vector<double> chain(partner.size(), 0.0);
  double most = 0.0;
  for (JointIndex j = 1; j < skeleton.joint_count(); ++j) {
    const Vec3f &own = skeleton.joint(j).rest_translation_m, &other = skeleton.joint(partner[j]).rest_translation_m;
    // Sides of the trunk have their own bends; half a bone's angle of 6 degrees is that.
    chain[j] = chain[skeleton.parent(j)] + std::abs(own.norm() - other.norm()) + 0.1 * own.norm();
    most = std::max(most, chain[j]);
  }
  return most;
}

TEST(MirrorRealFiles, EveryBodyKeepsItsHeightsAndComesBackWhenMirroredTwice) {
  SHOSA_NEEDS_REAL_DATA();
  int bodies = 0;
  for (const char* extension : {".bvh", ".glb", ".gltf", ".vrma"}) {
    for (const auto& path : test::real_files("", extension)) {
      SCOPED_TRACE(path.filename().string());
      const auto motion = read_motion(path);
      ASSERT_TRUE(motion.has_value());
      const auto partner = body::mirror_partners(*motion->skeleton, motion->body_map);
      for (const Clip& clip : motion->clips) {
        const auto seen = mirror(clip, partner);
        ASSERT_TRUE(seen.has_value());
        const auto twice = mirror(*seen, partner);
        ASSERT_TRUE(twice.has_value());
        const ClipPositions before = clip_positions(clip), after = clip_positions(*seen),
                            again = clip_positions(*twice);
        double off = 0.0, back = 0.0;
        for (int f = 0; f < clip.frame_count(); ++f)
          for (int r = 0; r < body::kRoleCount; ++r) {
            const JointIndex j = motion->body_map.joint(static_cast<body::Role>(r));
            if (j == kNoJoint) continue;
            off = std::max(off, (after.joint(f, j) - mirror_point(before.joint(f, partner[j]))).norm());
            back = std::max(back, (again.joint(f, j) - before.joint(f, j)).norm());
          }
        const double allowed = asymmetry_m(clip.skeleton(), partner);
        EXPECT_LT(off, allowed + 1e-4);
        EXPECT_LT(back, 1e-3);
        ++bodies;
      }
    }
  }
  EXPECT_GT(bodies, 90);
}

}  // namespace
}  // namespace shosa::io
