#include <gmock/gmock.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

class EditVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    save("walk.bvh", walk_);
  }
  Clip walk_ = scenes::walk({.duration_s = 2.0}).clip;
};

TEST_F(EditVerb, MeetsTheEndOnTheWrittenFile) {
  const Outcome run = shosa(
      "edit walk.bvh -o out.bvh --handle right_hand --end-position -0.2,1.2,1.5 --end-velocity 0,0.2,1.2 --from 0.5 "
      "--to 1.0 --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["handles"][0]["joint"], "right_hand");
  EXPECT_LT(json["handles"][0]["end_error_m"], 1e-4);
  EXPECT_TRUE(json["handles"][0]["end_velocity_error_mps"].is_number());
  const auto motion = io::read_motion(path("out.bvh"));
  ASSERT_TRUE(motion.has_value());
  EXPECT_EQ(motion->clips[0].frame_count(), walk_.frame_count());
  const JointIndex hand = motion->skeleton->find("right_hand");
  EXPECT_LT((clip_positions(motion->clips[0]).joint(60, hand) - Vec3d(-0.2, 1.2, 1.5)).norm(), 1e-3);
}

TEST_F(EditVerb, TakesSeveralHandlesMethodsAndReconstructions) {
  const std::string two =
      "edit walk.bvh -o out.glb --handle left_hand --end-position 0.3,1.1,1.4 --handle hips --end-position 0,0.8,1.25 "
      "--end-velocity none --to 1.0 --json";
  for (const char* extra :
       {"", " --method one_step", " --method linear", " --reconstruction pin_drag", " --free-feet"}) {
    const Outcome run = shosa(two + extra);
    ASSERT_EQ(run.status, 0) << extra << run.err;
    EXPECT_EQ(run.json()["handles"].size(), 2u);
  }
}

TEST_F(EditVerb, SaysWhatIsWrong) {
  EXPECT_EQ(shosa("edit walk.bvh -o out.bvh --handle head").status, 2);
  EXPECT_EQ(shosa("edit walk.bvh -o out.bvh --handle head --end-position 1,2,3 --method two").status, 2);
  expect_refused("edit walk.bvh -o out.bvh --handle head --end-position 1,2", 2, "expected X,Y,Z");
  EXPECT_EQ(shosa("edit walk.bvh -o out.bvh --handle head --end-position 1,2,3 --end-velocity 1,2").status, 2);
  EXPECT_EQ(shosa("edit walk.bvh -o out.bvh --handle head --end-position 1,2,3 --to nan").status, 2);
  expect_refused("edit walk.bvh -o out.bvh --handle tail --end-position 1,2,3", 1, "tail");
  expect_refused("edit walk.bvh -o out.bvh --handle head --end-position 1,2,3 --to 9", 1, "the clip lasts");
  EXPECT_EQ(shosa("edit nowhere.bvh -o out.bvh --handle head --end-position 1,2,3").status, 3);
  EXPECT_FALSE(std::filesystem::exists(path("out.bvh")));
}

TEST_F(EditVerb, LeavesAxesFreeAndKeepsToASpeed) {
  const Outcome run =
      shosa("edit walk.bvh -o out.bvh --handle right_hand --end-position -0.4,none,1.4 --to 1.0 --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(run.json()["handles"][0]["end_error_m"], 1e-4);
  const auto motion = io::read_motion(path("out.bvh"));
  const JointIndex hand = motion->skeleton->find("right_hand");
  EXPECT_NEAR(clip_positions(motion->clips[0]).joint(60, hand).x(), -0.4, 1e-3);
  EXPECT_NEAR(clip_positions(motion->clips[0]).joint(60, hand).y(), clip_positions(walk_).joint(60, hand).y(), 1e-3);
  const Outcome slow = shosa(
      "edit walk.bvh -o slow.bvh --handle right_hand --end-position 0,2,1.4 --from 0.8 --to 1.0 --max-speed 4 --json");
  ASSERT_EQ(slow.status, 0) << slow.err;
  EXPECT_LE(slow.json()["handles"][0]["max_speed_mps"], 4.0 + 1e-6);
  EXPECT_LT(slow.json()["handles"][0]["share"], 1.0);
  for (const char* wrong : {"none,none,none", "1,none", "1,none,2,3", "1,nothing,2"}) {
    const Outcome refused = shosa(std::string("edit walk.bvh -o no.bvh --handle head --end-position ") + wrong);
    EXPECT_EQ(refused.status, 2) << wrong;
    EXPECT_THAT(refused.err, HasSubstr("expected X,Y,Z")) << wrong;
  }
}

}  // namespace
}  // namespace shosa::test
