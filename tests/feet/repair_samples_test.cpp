#include "shosa/feet/repair_samples.h"

#include <gtest/gtest.h>

#include <numbers>

#include "scenes/scenes.h"
#include "shosa/io/motion_file.h"
#include "support/real_data.h"

namespace shosa::feet {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;

double most_step_deg(const Clip& clip, int first, int last) {
  double most = 0.0;
  for (JointIndex j = 0; j < clip.joint_count(); ++j)
    for (int f = first; f < last; ++f)
      most = std::max(most, kDegrees * clip.rotation(f, j).angularDistance(clip.rotation(f + 1, j)));
  return most;
}

TEST(RepairSamples, AnArmThatIsLostAtAnEndIsPlayedAsItsNext) {
  const Clip whole = scenes::walk({.duration_s = 1.0, .fps = 120.0}).clip;
  const JointIndex arm = whole.skeleton().find("left_upper_arm");
  const Quatf lost(Eigen::AngleAxisf(1.6f, Vec3f::UnitZ()));
  for (const int width : {1, 2}) {
    for (const bool at_end : {false, true}) {
      Clip clip = whole;
      for (int k = 0; k < width; ++k) clip.set_rotation(at_end ? clip.frame_count() - 1 - k : k, arm, lost);
      EXPECT_EQ(repair_samples(clip), width) << width << at_end;
      const int next = at_end ? clip.frame_count() - 1 - width : width;
      for (int k = 0; k < width; ++k)
        EXPECT_EQ(clip.rotation(at_end ? clip.frame_count() - 1 - k : k, arm).coeffs(),
                  whole.rotation(next, arm).coeffs());
    }
  }
}

TEST(RepairSamples, MotionThatBeginsFastKeepsItsBits) {
  Clip clip = scenes::run().clip;
  EXPECT_EQ(repair_samples(clip), 0);
  // A throw that is cut in its midst: a quarter turn within the first six frames of 1/120 s.
  Clip thrown = scenes::walk({.duration_s = 1.0, .fps = 120.0}).clip;
  const JointIndex arm = thrown.skeleton().find("right_upper_arm");
  for (int f = 0; f < thrown.frame_count(); ++f) {
    const float angle = 1.6f * std::exp(-static_cast<float>(f) / 4.0f);
    thrown.set_rotation(f, arm, thrown.rotation(f, arm) * Quatf(Eigen::AngleAxisf(angle, Vec3f::UnitX())));
  }
  EXPECT_EQ(repair_samples(thrown), 0);
}

TEST(RepairSamplesReal, TheArmThatStaysInTPoseIsPlayedAsItGoesOn) {
  SHOSA_NEEDS_REAL_DATA();
  auto motion = io::read_motion(test::real_data_dir() / "cmu-bvh/16_15.bvh", {.drop_tpose = true});
  ASSERT_TRUE(motion.has_value());
  Clip& clip = motion->clips[0];
  EXPECT_GT(most_step_deg(clip, 0, 4), 60.0) << "nothing is lost in this clip any more";
  EXPECT_GT(repair_samples(clip), 0);
  EXPECT_LT(most_step_deg(clip, 0, 4), 10.0);
}

}  // namespace
}  // namespace shosa::feet
