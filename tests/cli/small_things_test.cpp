#include <gmock/gmock.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class SmallThings : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    save("walk.bvh", walk_);
  }
  Clip walk_ = scenes::walk({.duration_s = 2.0}).clip;
};

TEST_F(SmallThings, InfoSaysWhereJointsAreAtATime) {
  const Outcome run = shosa("info walk.bvh --at 0.5 --joint right_hand --joint hips --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto places = run.json()["places"];
  ASSERT_EQ(places.size(), 2u);
  const int frame = walk_.nearest_frame(0.5);
  ASSERT_NEAR(frame * walk_.frame_time_s(), 0.5, 1e-6);
  const WorldPose world = forward_kinematics(walk_.skeleton(), walk_.frame(frame));
  const Vec3d& hand = world.positions[walk_.skeleton().find("right_hand")];
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(places[0]["position"][i].get<double>(), hand[i], 1e-4);
  EXPECT_EQ(shosa("info walk.bvh --at 99").status, 1);
  EXPECT_EQ(shosa("info walk.bvh --joint nobody").status, 1);
  EXPECT_THAT(shosa("info walk.bvh --at 0.5").out, HasSubstr("left_foot"));
}

TEST_F(SmallThings, AFileThatIsReadIsWrittenOverOnlyWhenTold) {
  const std::string before = file_text(path("walk.bvh"));
  for (const char* job : {"fix walk.bvh -o walk.bvh", "convert walk.bvh walk.bvh --mirror",
                          "convert walk.bvh ./walk.bvh --fps 10", "retarget walk.bvh --onto walk.bvh -o walk.bvh"}) {
    const Outcome run = shosa(job);
    EXPECT_EQ(run.status, 1) << job;
    EXPECT_THAT(run.err, HasSubstr("--overwrite")) << job;
    EXPECT_EQ(file_text(path("walk.bvh")), before) << job;
  }
  EXPECT_EQ(shosa("convert walk.bvh walk.bvh --mirror --overwrite").status, 0);
  EXPECT_NE(file_text(path("walk.bvh")), before);
}

TEST_F(SmallThings, NotesAreNoWarningsAndEachKindTakesOneLine) {
  Clip posed(walk_.skeleton_ptr(), walk_.frame_count() + 1, walk_.frame_time_s(), walk_.translated());
  posed.set_frame(0, Pose::rest(walk_.skeleton()));
  for (int f = 0; f < walk_.frame_count(); ++f) posed.set_frame(f + 1, walk_.frame(f));
  save("a.bvh", posed);
  save("b.bvh", posed);
  const Outcome run = shosa("compose a.bvh b.bvh -o ab.bvh");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("note: a.bvh: left out 1 frame of T-pose (and 1 more like this)"));
  EXPECT_THAT(run.out, Not(HasSubstr("warning: a.bvh: left out")));
  EXPECT_THAT(run.out, Not(HasSubstr("b.bvh: left out")));
  EXPECT_THAT(shosa("compose a.bvh b.bvh -o ab.bvh --quiet").out, Not(HasSubstr("note:")));
  const Outcome json = shosa("compose a.bvh b.bvh -o ab.bvh --json --quiet");
  EXPECT_EQ(json.err, "");
  EXPECT_GE(json.json()["notes"].size(), 2u);
  EXPECT_THAT(json.json()["warnings"].dump(), Not(HasSubstr("T-pose")));
}

TEST_F(SmallThings, PoseKeysOutsideTheClipAreAnErrorThatNamesThem) {
  write("late.json",
        R"({"clip": "walk.bvh", "drags": [{"joint": "head", "keys": [[0.5, [0, 1, 0]], [9, [0, 1, 0]]]}]})");
  expect_refused("pose late.json -o late.bvh", 3, "/drags/0/keys/1: 9 s, expected a time from 0 to 2");
  EXPECT_THAT(files(), Not(Contains("late.bvh")));
  write("early.json",
        R"({"clip": "walk.bvh", "drags": [{"joint": "head", "keys": [[-2, [0, 1, 0]], [1, [0, 1, 0]]]}]})");
  EXPECT_EQ(shosa("pose early.json -o late.bvh").status, 3);
  write("pin.json", R"({"clip": "walk.bvh", "pins": [{"joint": "head", "from_s": 7}]})");
  EXPECT_EQ(shosa("pose pin.json -o late.bvh").status, 3);
}

TEST_F(SmallThings, AnOutputThatCannotBeIsNoticedBeforeAnythingIsDone) {
  write("plan.json", R"({"stride_percent": 90})");
  const auto before = files();
  for (const char* job :
       {"compose walk.bvh walk.bvh -o out.bvh --picture none/x.png",
        "compose walk.bvh walk.bvh -o out.bvh --report none/x",
        "decompose walk.bvh --joint right_hand --shift 1,0.1 -o out.bvh --picture none/x.png",
        "ranges walk.bvh -o out.json --picture none/x.svg",
        "footsteps walk.bvh plan.json -o out.bvh --write-plan none/x", "graph build walk.bvh -o none/x",
        "convert walk.bvh none/x.glb", "loop not_there.bvh -o none/x.bvh"}) {
    const Outcome run = shosa(job);
    EXPECT_EQ(run.status, 1) << job;
    EXPECT_THAT(run.err, AllOf(HasSubstr("none/x"), HasSubstr("cannot be written"))) << job;
    EXPECT_EQ(files(), before) << job;
  }
  EXPECT_THAT(shosa("compose walk.bvh walk.bvh -o out.bvh --report ./out.bvh").err, HasSubstr("two outputs"));
}

TEST_F(SmallThings, AllOutputsAreWrittenOrNone) {
  // No file system has names as long as this, which is noticed only when it is written.
  const std::string report = std::string(300, 'r') + ".json";
  EXPECT_EQ(shosa("compose walk.bvh walk.bvh -o new.bvh --report " + report).status, 1);
  EXPECT_THAT(files(), testing::ElementsAre("walk.bvh"));
  write("old.bvh", "as it was");
  EXPECT_EQ(shosa("compose walk.bvh walk.bvh -o old.bvh --report " + report).status, 1);
  EXPECT_EQ(file_text(path("old.bvh")), "as it was");
  EXPECT_THAT(files(), testing::ElementsAre("old.bvh", "walk.bvh"));
  EXPECT_EQ(shosa("compose walk.bvh walk.bvh -o old.bvh --report r.json").status, 0);
  EXPECT_NE(file_text(path("old.bvh")), "as it was");
  EXPECT_THAT(files(), testing::ElementsAre("old.bvh", "r.json", "walk.bvh"));
}

TEST_F(SmallThings, WhatTakesLongSaysSoWhenAsked) {
  save("long.bvh", scenes::walk({.duration_s = 6.0}).clip);
  const std::string job = "decompose long.bvh --joint right_hand --solver cma_es --count 12 --json";
  EXPECT_THAT(shosa(job).err, Not(HasSubstr("decompose, ")));
  const Outcome asked = shosa(job + " --progress");
  ASSERT_EQ(asked.status, 0) << asked.err;
  if (asked.json()["seconds"] < 1.5) GTEST_SKIP() << "too quick to be told of";
  EXPECT_THAT(asked.err, HasSubstr("shosa: decompose, "));
}

TEST_F(SmallThings, AScriptThatAsksForNothingTakesNoStep) {
  write("nothing.json", R"({"clip": "walk.bvh"})");
  const Outcome run = shosa("pose nothing.json -o same.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["us_per_step"], 0.0);
}

TEST_F(SmallThings, RecomposeAndConvertGiveTheSameFrames) {
  ASSERT_EQ(shosa("decompose walk.bvh --all -o walk.submove").status, 0);
  for (const char* fps : {"24", "30", "60", "120", "47.5"}) {
    const auto converted = shosa(fmt::format("convert walk.bvh c.bvh --fps {} --json", fps)).json();
    const auto played = shosa(fmt::format("recompose walk.submove -o r.bvh --fps {} --json", fps)).json();
    EXPECT_EQ(converted["frames"], played["frames"]) << fps;
  }
}

TEST_F(SmallThings, AScoreTakesAPartOfAClip) {
  write("score.json", R"({"motions": [{"clip": "walk.bvh", "from": 0.5, "to": 1.5}]})");
  const Outcome run = shosa("compose score.json -o part.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NEAR(run.json()["duration_s"].get<double>(), 1.0, 0.05);
  write("wrong.json", R"({"motions": [{"clip": "walk.bvh", "from": 1.5, "to": 0.5}]})");
  EXPECT_EQ(shosa("compose wrong.json -o part.bvh").status, 3);
  write("late.json", R"({"motions": [{"clip": "walk.bvh", "from": 1.5, "to": 9}]})");
  expect_refused("compose late.json -o part.bvh", 3, "late.json: /motions/0/to: 9 s, expected a time within 0 s to 2");
  write("never.json", R"({"motions": [{"clip": "walk.bvh", "from": 9}]})");
  expect_refused("compose never.json -o part.bvh", 3,
                 "never.json: /motions/0/from: 9 s, expected a time within 0 s to 2");
}

TEST_F(SmallThings, SeveralMotionsAreRetargetedIntoOneFile) {
  save("jog.bvh", scenes::walk({.duration_s = 1.0}).clip);
  ASSERT_EQ(shosa("convert walk.bvh body.glb").status, 0);
  const Outcome run = shosa("retarget walk.bvh jog.bvh --onto body.glb -o moves.glb --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["clips"].size(), 2u);
  EXPECT_EQ(run.json()["clips"][1]["name"], "jog");
  EXPECT_THAT(run.json()["notes"].dump(), HasSubstr("1 clip of its own left out"));
  const auto moves = io::read_motion(path("moves.glb"));
  ASSERT_TRUE(moves.has_value());
  ASSERT_EQ(moves->clips.size(), 2u);
  EXPECT_EQ(moves->clips[1].frame_count(), run.json()["clips"][1]["frames"]);

  ASSERT_EQ(shosa("retarget walk.bvh walk.bvh --onto body.glb -o all.glb --keep-clips").status, 0);
  const auto all = io::read_motion(path("all.glb"));
  ASSERT_EQ(all->clips.size(), 3u);
  EXPECT_NE(all->clips[1].name(), all->clips[2].name());
  EXPECT_EQ(shosa("retarget walk.bvh jog.bvh --onto body.glb -o moves.bvh").status, 1);
}

TEST_F(SmallThings, GraphNodesBearTheNamesThatTheyWereGiven) {
  save("jog.bvh", scenes::walk({.duration_s = 3.0}).clip);
  save("stroll.bvh", scenes::walk({.duration_s = 3.0}).clip);
  const Outcome build = shosa("graph build stroll.bvh jog.bvh --name run=jog.bvh --threshold auto -o g.json --json");
  ASSERT_EQ(build.status, 0) << build.err;
  EXPECT_GE(build.json()["threshold_m"], 0.06);
  const Outcome play = shosa("graph play g.json -o x.bvh --start stroll --to run --duration 5 --json");
  ASSERT_EQ(play.status, 0) << play.err;
  const auto last = play.json()["path"].back();
  EXPECT_EQ(last["name"], "run");
  EXPECT_EQ(last["clip"], "jog.bvh");
  EXPECT_GT(last["clip_time_s"], 0.0);
  EXPECT_EQ(shosa("graph build stroll.bvh jog.bvh --name run=none.bvh -o g.json").status, 1);
}

}  // namespace
}  // namespace shosa::test
