#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"
#include "support/real_data.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

class DecomposeVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    save("walk.bvh", walk_);
  }
  // Of any joint of moved.bvh from original.bvh, at times that are not between these.
  double most_change_outside(double from_s, double to_s) const {
    const auto original = io::read_motion(path("original.bvh")), moved = io::read_motion(path("moved.bvh"));
    const ClipPositions a = clip_positions(original->clips[0]), b = clip_positions(moved->clips[0]);
    double most = 0.0;
    for (int f = 0; f < a.frame_count(); ++f) {
      const double time_s = f * original->clips[0].frame_time_s();
      if (time_s > from_s && time_s < to_s) continue;
      for (JointIndex j = 0; j < a.joint_count(); ++j) most = std::max(most, (b.joint(f, j) - a.joint(f, j)).norm());
    }
    return most;
  }

  // A goal of the right hand in original.bvh raised, that with the longest effect of those that end with the clip.
  void expect_itself_outside_the_edit() const {
    const auto list = shosa("decompose original.bvh --joint right_hand --json").json()["submovements"];
    const double end_s = io::read_motion(path("original.bvh"))->clips[0].duration_s();
    std::size_t index = 0;
    double from_s = 0.0, to_s = 0.0;
    for (std::size_t k = 0; k + 1 < list.size(); ++k) {
      const double t0 = list[k]["t0"];
      const double tf = std::max(list[k]["tf"].get<double>(), list[k + 1]["tf"].get<double>());
      if (tf >= end_s || tf - t0 <= to_s - from_s) continue;
      index = k, from_s = t0, to_s = tf;
    }
    ASSERT_GT(to_s, from_s);
    const auto& goal = list[index]["goal"];
    const Outcome run =
        shosa(fmt::format("decompose original.bvh --joint right_hand --move-goal {},{},{},{} -o moved.bvh", index,
                          goal[0].get<double>(), goal[1].get<double>() + 0.2, goal[2].get<double>()));
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_LE(most_change_outside(from_s, to_s), 0.0005) << index << ", " << from_s << " to " << to_s << " s";
    EXPECT_GE(most_change_outside(to_s, to_s), 0.05);
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

TEST_F(DecomposeVerb, TheBodyIsItselfAgainWhenTheHandIs) {
  ASSERT_EQ(shosa("convert walk.bvh original.bvh").status, 0);
  expect_itself_outside_the_edit();
}

TEST_F(DecomposeVerb, ACapturedBodyIsItselfAgainWhenTheHandIs) {
  SHOSA_NEEDS_REAL_DATA();
  const std::string clip = (real_data_dir() / "cmu-bvh/115_06.bvh").string();
  ASSERT_EQ(shosa("convert '" + clip + "' original.bvh --drop-tpose").status, 0);
  expect_itself_outside_the_edit();
}

TEST_F(DecomposeVerb, EveryEditChangesTheMotionWhileThePathIsChangedOnly) {
  ASSERT_EQ(shosa("convert walk.bvh original.bvh --in-place").status, 0);  // Movements of decimetres, not of metres.
  const auto list = shosa("decompose original.bvh --joint right_hand --json").json()["submovements"];
  const std::size_t k = 1;
  ASSERT_GT(list.size(), k + 2);
  const double t0 = list[k]["t0"], tf = list[k]["tf"], next_tf = list[k + 1]["tf"];
  struct Case {
    std::string edit;
    double from_s, to_s;
  };
  for (const auto& [edit, from_s, to_s] :
       {Case{fmt::format("--set-timing {},{},{}", k, t0 - 0.05, tf + 0.1), t0 - 0.05, tf + 0.1},
        Case{fmt::format("--remove {}", k), t0, std::max(tf, next_tf)},
        Case{fmt::format("--merge {}", k), t0, std::max(tf, next_tf)},
        Case{fmt::format("--insert {},{},0,0.1,0", t0 + 1e-6, tf), t0, std::max(tf, next_tf)}}) {
    const Outcome run = shosa("decompose original.bvh --joint right_hand -o moved.bvh --json " + edit);
    ASSERT_EQ(run.status, 0) << edit << run.err;
    EXPECT_LT(run.json()["edited"]["max_drag_error_m"], 0.001) << edit;
    EXPECT_LT(run.json()["edited"]["max_pin_error_m"], 0.001) << edit;
    EXPECT_LE(most_change_outside(from_s, to_s), 0.0005) << edit;
    EXPECT_GE(most_change_outside(to_s, to_s), 0.005) << edit << ": nothing has changed at all";
  }
}

TEST_F(DecomposeVerb, SeveralEditsAreMadeInOneCall) {
  ASSERT_EQ(shosa("convert walk.bvh original.bvh --in-place").status, 0);
  const auto list = shosa("decompose original.bvh --joint right_hand --json").json()["submovements"];
  ASSERT_GT(list.size(), 3u);
  const auto& place = list[1]["passes"];
  const Outcome run =
      shosa(fmt::format("decompose original.bvh --joint right_hand --pass 1,{},{},{} --shift 3,0.1 -o moved.bvh --json",
                        place[0].get<double>(), place[1].get<double>() + 0.1, place[2].get<double>()));
  ASSERT_EQ(run.status, 0) << run.err;
  const auto edits = run.json()["edited"]["edits"];
  ASSERT_EQ(edits.size(), 2u);
  EXPECT_LT(edits[0]["off_by_m"], 0.01);
  // What it passes and what it misses are said of one and the same: the joint of the written motion.
  Vec3d missed;
  for (int i = 0; i < 3; ++i)
    missed[i] = edits[0]["passes"][i].get<double>() - place[i].get<double>() - (i == 1 ? 0.1 : 0.0);
  EXPECT_NEAR(edits[0]["missed_m"].get<double>(), missed.norm(), 1e-6);
  EXPECT_NEAR(edits[0]["passes"][1].get<double>(), place[1].get<double>() + 0.1, 0.002);
  EXPECT_EQ(edits[1]["submovement"], 3);
}

// The last submovements may end after the motion does: where they lead the joint then, nobody sees.
TEST_F(DecomposeVerb, APlaceThatIsPassedAfterTheMotionIsWarnedOf) {
  const auto list = shosa("decompose walk.bvh --joint right_hand --json").json()["submovements"];
  const double last_s = shosa("info walk.bvh --json").json()["duration_s"].get<double>();
  int within = 0, beyond = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto& place = list[k]["passes"];
    const Outcome run =
        shosa(fmt::format("decompose walk.bvh --joint right_hand --pass {},{},{},{} -o moved.bvh --json", k,
                          place[0].get<double>(), place[1].get<double>() + 0.05, place[2].get<double>()));
    // Nothing else is under way then.
    if (run.status != 0) continue;
    const bool after = list[k]["tf"].get<double>() > last_s;
    ++(after ? beyond : within);
    const std::string warnings = run.json()["warnings"].dump();
    EXPECT_EQ(warnings.find(fmt::format("submovement {} ends at", k)) != std::string::npos, after) << warnings;
  }
  EXPECT_GT(within, 0);
  EXPECT_GT(beyond, 0);
}

TEST_F(DecomposeVerb, AFootThatIsLedTakesItsToesAlong) {
  const auto before = shosa("decompose walk.bvh --joint left_foot --json").json();
  const auto& goal = before["submovements"][0]["goal"];
  const Outcome run = shosa(fmt::format("decompose walk.bvh --joint left_foot --move-goal 0,{},{},{} -o x.bvh --json",
                                        goal[0].get<double>() + 0.05, goal[1].get<double>(), goal[2].get<double>()));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(run.json()["edited"]["max_pin_error_m"], 0.001);
  EXPECT_LT(run.json()["edited"]["max_drag_error_m"], 0.001);
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
        "--joint right_hand --count 3", "--joint right_hand --remove 1", "--all --merge 1 -o x.submove",
        "--joint right_hand --remove 0.5 -o x.bvh", "--joint right_hand --merge -1 -o x.bvh",
        "--joint right_hand --set-timing 1,2 -o x.bvh",
        "--joint right_hand --kind rotation --insert 0,1,1,1,1 -o x.bvh"}) {
    EXPECT_EQ(shosa(std::string("decompose walk.bvh ") + usage).status, 2) << usage;
  }
  EXPECT_EQ(shosa("decompose walk.bvh --joint nose_of_nobody").status, 1);
  EXPECT_EQ(shosa("decompose walk.bvh --joint right_hand --solver magic").status, 2);
  EXPECT_EQ(shosa("decompose walk.bvh --joint right_hand --max-error -1").status, 2);
  EXPECT_EQ(shosa("decompose nowhere.bvh --joint right_hand").status, 3);
  const std::pair<const char*, const char*> edits[] = {{"--move-goal 99,0,0,0", "submovement 99 is not there"},
                                                       {"--set-timing 0,2,1", "its start must lie before its end"},
                                                       {"--insert 2,2,0,0,0", "its start must lie before its end"}};
  for (const auto& [edit, said] : edits) {
    const Outcome wrong = shosa(std::string("decompose walk.bvh --joint right_hand -o x.bvh ") + edit);
    EXPECT_EQ(wrong.status, 1) << edit;
    EXPECT_THAT(wrong.err, HasSubstr(said));
  }
  EXPECT_THAT(files(), testing::ElementsAre("walk.bvh"));
}

}  // namespace
}  // namespace shosa::test
