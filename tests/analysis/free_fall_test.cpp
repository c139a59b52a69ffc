#include "shosa/analysis/free_fall.h"

#include <gtest/gtest.h>

#include <set>

#include "analysis/real_clips.h"
#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"

namespace shosa {
namespace {

analysis::FreeFall check(const Clip& clip) {
  return analysis::check_free_fall(test::study_scene(clip));
}

TEST(FreeFallCheck, AJumpFallsWithOneG) {
  for (const double fps : {60.0, 120.0}) {
    const auto result = check(scenes::jump({.fps = fps}).clip);
    ASSERT_TRUE(result.gravity_ratio.has_value()) << fps;
    // The arms and legs move in flight, so that the hips' parabola is not quite that of the centre of mass.
    EXPECT_NEAR(*result.gravity_ratio, 1.0, 0.35) << fps;
    EXPECT_FALSE(result.rate_is_suspect);
    EXPECT_TRUE(result.warning.empty());
  }
}

TEST(FreeFallCheck, AJumpAtTwiceItsSpeedIsSuspect) {
  Clip clip = scenes::jump({.fps = 60.0}).clip;
  clip.set_frame_time_s(1.0 / 120.0);
  const auto result = check(clip);
  EXPECT_TRUE(result.rate_is_suspect);
  EXPECT_NEAR(result.suggested_fps, 60.0, 1e-9);
  EXPECT_NE(result.warning.find("--fps-is 60"), std::string::npos) << result.warning;
}

TEST(FreeFallCheck, AWalkAtTwiceItsSpeedIsSuspectByItsCadence) {
  Clip clip = scenes::walk({.duration_s = 6.0, .fps = 60.0, .speed_mps = 0.9, .step_s = 0.55, .duty = 0.66}).clip;
  EXPECT_FALSE(check(clip).rate_is_suspect);
  clip.set_frame_time_s(1.0 / 120.0);
  const auto result = check(clip);
  ASSERT_TRUE(result.walk_cadence_hz.has_value());
  EXPECT_NEAR(*result.walk_cadence_hz, 2.0 / 0.55, 0.1);
  EXPECT_TRUE(result.rate_is_suspect);
}

TEST(FreeFallCheck, OnCaptureFlagsClipsWithADoubledRateAndNoOthers) {
  SHOSA_NEEDS_REAL_DATA();
  // Really 60 fps: subjects 75, 93, 141, 143. Those with a clear flight must be found, the others cannot be.
  const std::set<std::string> wrong = {"75", "93", "141", "143"};
  const std::set<std::string> detectable = {"75_01", "75_09", "143_03"};
  for (const auto& path : test::real_files("cmu-bvh", ".bvh")) {
    const std::string name = path.stem().string();
    SHOSA_READ_CMU(real, name);
    const auto result = analysis::check_free_fall(real);
    if (!wrong.contains(name.substr(0, name.find('_')))) {
      EXPECT_FALSE(result.rate_is_suspect) << name << ": " << result.warning;
    }
    if (detectable.contains(name)) {
      EXPECT_TRUE(result.rate_is_suspect) << name;
    }
  }
}

TEST(FreeFallCheck, CapturedJumpsFallWithOneG) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string& name : std::vector<std::string>{"13_11", "16_01", "16_03", "16_05"}) {
    SHOSA_READ_CMU(jump, name);
    const auto result = analysis::check_free_fall(jump);
    ASSERT_TRUE(result.gravity_ratio.has_value()) << name;
    EXPECT_NEAR(*result.gravity_ratio, 1.0, 0.1) << name;
  }
}

}  // namespace
}  // namespace shosa
