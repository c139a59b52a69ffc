#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

class DecomposeVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    save_clip("walk.bvh", walk_);
  }
  Clip walk_ = scenes::walk({.duration_s = 2.0}).clip;
};

TEST_F(DecomposeVerb, GivesTheKeysOfTheContractWithinTheErrorAskedFor) {
  for (const char* kind : {"position", "rotation"}) {
    const Outcome run = shosa(std::string("decompose walk.bvh --joint right_hand --json --kind ") + kind);
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    EXPECT_LE(json["rmse"], kind[0] == 'p' ? 0.005 : 2.0);
    EXPECT_EQ(json["solver"], "fast");
    EXPECT_GT(json["evaluations"], 0);
    EXPECT_TRUE(json["seconds"].is_number());
    ASSERT_FALSE(json["submovements"].empty());
    for (const auto& s : json["submovements"]) {
      EXPECT_LT(s["t0"], s["tf"]);
      EXPECT_EQ(s[kind[0] == 'p' ? "displacement" : "rotation_deg"].size(), 3u);
    }
  }
  const auto coarse = shosa("decompose walk.bvh --joint right_hand --max-error 0.03 --json").json();
  const auto fine = shosa("decompose walk.bvh --joint right_hand --max-error 0.002 --json").json();
  EXPECT_LT(coarse["submovements"].size(), fine["submovements"].size());
}

TEST_F(DecomposeVerb, TheSeedsMethodCanBeChosen) {
  const Outcome run = shosa("decompose walk.bvh --joint right_hand --solver cma_es --count 2 --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["solver"], "cma_es");
  EXPECT_EQ(run.json()["submovements"].size(), 2u);
}

TEST_F(DecomposeVerb, DrawsAPicture) {
  for (const char* name : {"foot.svg", "foot.png"}) {
    const Outcome run = shosa(std::string("decompose walk.bvh --joint left_foot --picture ") + name);
    ASSERT_EQ(run.status, 0) << run.err;
  }
  EXPECT_TRUE(file_text(path("foot.svg")).starts_with("<?xml"));
  EXPECT_TRUE(file_text(path("foot.png")).starts_with("\x89PNG"));
  EXPECT_EQ(shosa("decompose walk.bvh --joint left_foot --picture foot.gif").status, 2);
}

TEST_F(DecomposeVerb, AMovedGoalLeadsTheBodyAndKeepsTheFeet) {
  const auto before = shosa("decompose walk.bvh --joint right_hand --json").json();
  const auto& goal = before["submovements"][0]["goal"];
  const std::string arguments =
      fmt::format("decompose walk.bvh --joint right_hand --move-goal 0,{},{},{} -o moved.bvh --json",
                  goal[0].get<double>(), goal[1].get<double>() + 0.15, goal[2].get<double>());
  const Outcome run = shosa(arguments);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(run.json()["edited"]["max_pin_error_m"], 0.005);
  EXPECT_LT(run.json()["edited"]["max_drag_error_m"], 0.03);
  const auto moved = io::read_motion(path("moved.bvh"));
  ASSERT_TRUE(moved.has_value());
  const ClipPositions a = clip_positions(walk_), b = clip_positions(moved->clips[0]);
  const JointIndex hand = walk_.skeleton().find("right_hand");
  double most = 0.0;
  for (int i = 0; i < a.frame_count(); ++i) most = std::max(most, (b.joint(i, hand) - a.joint(i, hand)).norm());
  EXPECT_GT(most, 0.05);
  EXPECT_LT(most, 0.18);
}

TEST_F(DecomposeVerb, TheBodyIsItselfAgainAfterTheEdit) {
  const auto before = shosa("decompose walk.bvh --joint right_hand --json").json();
  const auto& edited = before["submovements"][0];
  const auto& goal = edited["goal"];
  ASSERT_EQ(shosa(fmt::format("decompose walk.bvh --joint right_hand --move-goal 0,{},{},{} -o moved.bvh",
                              goal[0].get<double>(), goal[1].get<double>() + 0.2, goal[2].get<double>()))
                .status,
            0);
  const auto moved = io::read_motion(path("moved.bvh"));
  const ClipPositions a = clip_positions(walk_), b = clip_positions(moved->clips[0]);
  const int last = a.frame_count() - 1;
  for (JointIndex j = 0; j < a.joint_count(); ++j)
    EXPECT_LT((b.joint(last, j) - a.joint(last, j)).norm(), 0.005) << walk_.skeleton().name(j);
}

TEST_F(DecomposeVerb, WhatCannotBeMetIsSaid) {
  const Outcome far = shosa("decompose walk.bvh --joint right_hand --move-goal 0,50,1,1 -o far.bvh --json");
  ASSERT_EQ(far.status, 0) << far.err;
  EXPECT_THAT(far.json()["warnings"].dump(), HasSubstr("out of reach"));
  EXPECT_EQ(shosa("decompose walk.bvh --joint right_hand --move-goal 0,1e300,1,1 -o farther.bvh").status, 1);
  const auto fine = shosa("decompose walk.bvh --joint right_hand --max-error 1e-300 --json").json();
  EXPECT_THAT(fine["warnings"].dump(), HasSubstr("allowed"));
}

TEST_F(DecomposeVerb, SaysWhatIsWrong) {
  for (const char* usage :
       {"", "--all", "--joint right_hand --all -o x.submove", "--joint right_hand -o x.bvh",
        "--joint right_hand --move-goal 0,1,1,1", "--all --solver cma_es -o x.submove",
        "--joint right_hand --kind rotation --move-goal 0,1,1,1 -o x.bvh", "--all --picture x.png -o x.submove",
        "--all --move-goal 0,1,1,1 -o x.submove", "--all -o walk.bvh", "--joint right_hand --shared-timings",
        "--joint right_hand --count 3"}) {
    EXPECT_EQ(shosa(std::string("decompose walk.bvh ") + usage).status, 2) << usage;
  }
  EXPECT_EQ(shosa("decompose walk.bvh --joint nose_of_nobody").status, 1);
  EXPECT_EQ(shosa("decompose walk.bvh --joint right_hand --solver magic").status, 2);
  EXPECT_EQ(shosa("decompose walk.bvh --joint right_hand --max-error -1").status, 2);
  EXPECT_EQ(shosa("decompose nowhere.bvh --joint right_hand").status, 3);
  const Outcome missing = shosa("decompose walk.bvh --joint right_hand --move-goal 99,0,0,0 -o x.bvh");
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.err, HasSubstr("99"));
  EXPECT_THAT(files(), testing::ElementsAre("walk.bvh"));
}

}  // namespace
}  // namespace shosa::test
