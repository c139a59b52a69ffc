#include <gmock/gmock.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/io/motion_file.h"
#include "support/real_data.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

class RetargetVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    save("walk.bvh", scenes::walk({.duration_s = 2.0}).clip);
    save("dog.bvh", scenes::dog_walk({.duration_s = 1.0}).clip);
    write("other.bvh", small_bvh());
  }
};

TEST_F(RetargetVerb, WritesTheTargetsHierarchyAndSaysWhichJointsAreAlike) {
  const Outcome run = shosa("retarget walk.bvh --onto other.bvh -o out.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["roles"]["left_foot"]["source"], "left_foot");
  EXPECT_EQ(json["roles"]["left_foot"]["target"], "LeftFoot");
  EXPECT_LT(json["foot_skate_mps"], 0.01);
  EXPECT_LT(json["penetration_m"], 0.01);
  EXPECT_GT(json["stances"], 1);

  const auto walk = io::read_motion(path("walk.bvh")), other = io::read_motion(path("other.bvh")),
             out = io::read_motion(path("out.bvh"));
  ASSERT_TRUE(out.has_value());
  EXPECT_TRUE(same_skeleton(*out->skeleton, *other->skeleton, 1e-4));
  EXPECT_EQ(out->clips[0].frame_count(), walk->clips[0].frame_count());
  EXPECT_NEAR(out->clips[0].frame_time_s(), walk->clips[0].frame_time_s(), 1e-9);
}

TEST_F(RetargetVerb, RefusesAHumanOnADogWithTheReason) {
  expect_refused("retarget walk.bvh --onto dog.bvh -o out.bvh", 1, "humanoid, the target is a quadruped");
  EXPECT_THAT(files(), testing::Not(testing::Contains("out.bvh")));
}

TEST_F(RetargetVerb, SaysWhatIsMissing) {
  EXPECT_EQ(shosa("retarget walk.bvh -o out.bvh").status, 2);
  EXPECT_EQ(shosa("retarget walk.bvh --onto none.bvh -o out.bvh").status, 3);
  EXPECT_EQ(shosa("retarget walk.bvh --onto other.bvh -o out.bvh --scale -1").status, 2);
  EXPECT_EQ(shosa("retarget walk.bvh --onto other.bvh -o out.xyz").status, 1);
}

TEST_F(RetargetVerb, GivesTheSameBitsOnOneCore) {
  SHOSA_NEEDS_REAL_DATA();
  const auto captured = [](const char* name) { return "'" + (real_data_dir() / "cmu-bvh" / name).string() + "'"; };
  for (const std::string& job :
       {"retarget " + captured("02_05.bvh") + " --onto " + captured("16_15.bvh"), "fix " + captured("02_05.bvh")}) {
    ASSERT_EQ(shosa(job + " -o many.bvh").status, 0);
    ASSERT_EQ(shosa_on_one_core(job + " -o one.bvh").status, 0);
    EXPECT_TRUE(file_text(path("many.bvh")) == file_text(path("one.bvh"))) << job;
  }
}

TEST_F(RetargetVerb, ACharacterKeepsItsMesh) {
  SHOSA_NEEDS_REAL_DATA();
  const std::string man = (real_data_dir() / "gltf/CesiumMan.glb").string();
  const Outcome run = shosa("retarget walk.bvh --onto '" + man + "' -o man.glb --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(run.json()["foot_skate_mps"], 0.01);
  const auto before = io::read_motion(man), after = io::read_motion(path("man.glb"));
  ASSERT_TRUE(after.has_value());
  EXPECT_TRUE(same_skeleton(*before->skeleton, *after->skeleton, 1e-5));
  ASSERT_EQ(after->clips.size(), 1u);
  EXPECT_EQ(after->clips[0].name(), "walk");
  // The mesh and its texture are most of the file.
  EXPECT_GT(std::filesystem::file_size(path("man.glb")), std::filesystem::file_size(man) * 9 / 10);
  EXPECT_THAT(file_text(path("man.glb")), HasSubstr("\"skins\""));
}

}  // namespace
}  // namespace shosa::test
