#include "shosa/analysis/cycle.h"

#include <gtest/gtest.h>

#include "analysis/real_clips.h"
#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"
#include "shosa/analysis/core_interval.h"

namespace shosa {
namespace {

using analysis::Cycle;

Cycle cycle_of(const Clip& clip) {
  const auto cycle = analysis::find_cycle(test::study_scene(clip));
  EXPECT_TRUE(cycle.has_value());
  return *cycle;
}

TEST(CycleSearch, FindsTheLengthOfMadeGaits) {
  for (const double fps : {30.0, 60.0, 120.0}) {
    const Cycle walk = cycle_of(scenes::walk({.fps = fps, .step_s = 0.5}).clip);
    ASSERT_TRUE(walk.found) << fps;
    EXPECT_NEAR(walk.end_s - walk.begin_s, 1.0, 1.01 / fps);
    const Cycle run = cycle_of(scenes::run({.fps = fps, .speed_mps = 3, .step_s = 0.4, .duty = 0.33}).clip);
    ASSERT_TRUE(run.found) << fps;
    EXPECT_NEAR(run.end_s - run.begin_s, 0.8, 1.01 / fps);
    const Cycle dog = cycle_of(scenes::dog_walk({.fps = fps, .cycle_s = 0.7}).clip);
    ASSERT_TRUE(dog.found) << fps;
    EXPECT_NEAR(dog.end_s - dog.begin_s, 0.7, 1.01 / fps);
  }
}

TEST(CycleSearch, FindsNoneInAJumpOrAStance) {
  EXPECT_FALSE(cycle_of(scenes::jump().clip).found);
  EXPECT_FALSE(cycle_of(scenes::stand().clip).found);
}

TEST(CycleSearch, FindsOneOnEveryStraightWalkAndRun) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string& name : test::kStraightWalks) {
    SHOSA_READ_CMU(walk, name);
    const auto cycle = find_cycle(walk);
    ASSERT_TRUE(cycle.has_value() && cycle->found) << name;
    EXPECT_GT(cycle->end_s - cycle->begin_s, 0.7) << name;
    EXPECT_LT(cycle->end_s - cycle->begin_s, 1.6) << name;
  }
  for (const std::string& name : std::vector<std::string>{"02_03", "09_01", "16_35", "35_17"}) {
    SHOSA_READ_CMU(run, name);
    const auto cycle = find_cycle(run);
    ASSERT_TRUE(cycle.has_value() && cycle->found) << name;
    EXPECT_GT(cycle->end_s - cycle->begin_s, 0.6) << name;
    EXPECT_LT(cycle->end_s - cycle->begin_s, 0.9) << name;
  }
}

TEST(CycleSearch, FindsNoneOnJumpsPunchesAndPickingUp) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string& name : std::vector<std::string>{"13_11", "16_01", "16_03", "16_05", "02_05", "79_08", "74_03",
                                                          "26_09", "115_06", "77_02", "49_18"}) {
    SHOSA_READ_CMU(single, name);
    const auto cycle = find_cycle(single);
    ASSERT_TRUE(cycle.has_value());
    EXPECT_FALSE(cycle->found) << name;
  }
}

TEST(CycleSearch, FindsNoneInAKickFromStanceToStance) {
  SHOSA_NEEDS_REAL_DATA();
  const std::string file = "bandai-NC/dataset-1_kick_normal_001.bvh";
  if (!std::filesystem::exists(test::real_data_dir() / file)) GTEST_SKIP() << "skipped: no " << file;
  const auto kick = test::read_clip(file);
  ASSERT_TRUE(kick.has_value()) << kick.error().message;
  const auto cycle = find_cycle(*kick);
  ASSERT_TRUE(cycle.has_value());
  EXPECT_FALSE(cycle->found) << cycle->begin_s << " to " << cycle->end_s;
}

TEST(CycleSearch, RefusesLengthsThatMakeNoSense) {
  const auto studied = test::study_scene(scenes::stand(0.5).clip);
  EXPECT_FALSE(analysis::find_cycle(studied, {.min_length_s = 2.0, .max_length_s = 1.0}).has_value());
}

analysis::CoreInterval core_of(const Clip& clip) {
  return *analysis::suggest_core(test::study_scene(clip), cycle_of(clip));
}

TEST(CoreInterval, OfAJumpHoldsTheWholeFlightAndLeavesTheStanceOut) {
  const auto scene = scenes::jump({.still_s = 1.0});
  const auto core = core_of(scene.clip);
  EXPECT_EQ(core.kind, analysis::CoreKind::action);
  EXPECT_LE(core.time.begin_s, scene.flights[0].begin_s);
  EXPECT_GE(core.time.end_s, scene.flights[0].end_s);
  EXPECT_GT(core.time.begin_s, 0.8);
  EXPECT_LT(core.time.end_s, scene.clip.last_time_s() - 0.8);
}

TEST(CoreInterval, OfAWalkHoldsAWholeCycle) {
  const auto scene = scenes::walk({.duration_s = 4.0});
  const auto core = core_of(scene.clip);
  EXPECT_EQ(core.kind, analysis::CoreKind::steps);
  EXPECT_GE(core.time.length_s(), 1.04);
  EXPECT_GT(core.time.begin_s, 0.2);
  EXPECT_LT(core.time.end_s, 3.8);
}

TEST(CoreInterval, IsInsideEveryCapturedClip) {
  SHOSA_NEEDS_REAL_DATA();
  for (const std::string& name :
       std::vector<std::string>{"02_05", "90_10", "82_01", "05_11", "135_07", "131_01", "140_07", "13_35", "16_41"}) {
    SHOSA_READ_CMU(real, name);
    const auto core = analysis::suggest_core(real, *find_cycle(real));
    ASSERT_TRUE(core.has_value());
    EXPECT_GE(core->time.begin_s, 0.0) << name;
    EXPECT_LE(core->time.end_s, real.clip().last_time_s() + 1e-9) << name;
    EXPECT_LT(core->time.begin_s, core->time.end_s) << name;
  }
}

}  // namespace
}  // namespace shosa
