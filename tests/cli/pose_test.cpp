#include <gmock/gmock.h>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

class PoseVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    for (const auto& [name, clip] : {std::pair{"walk.bvh", &walk_}, std::pair{"stand.bvh", &stand_}}) {
      save(name, *clip);
    }
  }
  Clip walk_ = scenes::walk({.duration_s = 2.0}).clip;
  Clip stand_ = scenes::stand().clip;
};

TEST_F(PoseVerb, AHeldPostureFollowsADraggedHandWithPinnedFeet) {
  write("reach.json", R"({"clip": "stand.bvh", "at_s": 0.0, "duration_s": 2.0, "fps": 60,
    "pins": [{"joint": "left_foot"}, {"joint": "left_toes"}, {"joint": "right_foot"}, {"joint": "right_toes"}],
    "drags": [{"joint": "right_hand", "keys": [[0.0, [-0.25, 0.85, 0.05]], [1.0, [-0.3, 0.5, 0.4]], [2.0, [-0.3, 1.2, 0.35]]]}],
    "ranges": true, "balance": true})");
  const Outcome run = shosa("pose reach.json -o reach.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["frames"], 121);
  EXPECT_LT(json["max_pin_error_m"], 2e-3);
  for (const char* key : {"max_drag_error_m", "max_range_violation_deg", "us_per_step"})
    EXPECT_TRUE(json[key].is_number()) << key;

  // Measured on the written file.
  const auto motion = io::read_motion(path("reach.bvh"));
  ASSERT_TRUE(motion.has_value());
  const Clip& clip = motion->clips[0];
  const ClipPositions positions = clip_positions(clip);
  const JointIndex hand = clip.skeleton().find("right_hand"), foot = clip.skeleton().find("left_foot");
  EXPECT_LT((positions.joint(60, hand) - Vec3d(-0.3, 0.5, 0.4)).norm(), 2e-3);
  EXPECT_LT((positions.joint(120, hand) - Vec3d(-0.3, 1.2, 0.35)).norm(), 2e-3);
  EXPECT_LT((positions.joint(120, foot) - positions.joint(0, foot)).norm(), 2e-3);
}

TEST_F(PoseVerb, APlayingClipKeepsItsFeet) {
  write("duck.json", R"({"clip": "walk.bvh",
    "pins": [{"joint": "left_foot"}, {"joint": "left_toes"}, {"joint": "right_foot"}, {"joint": "right_toes"}],
    "drags": [{"joint": "head", "relative": true, "keys": [[0.6, [0, 0, 0]], [1.0, [0, -0.2, 0]], [1.4, [0, 0, 0]]]}]})");
  const Outcome run = shosa("pose duck.json -o duck.glb --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["frames"], walk_.frame_count());
  EXPECT_LT(run.json()["max_pin_error_m"], 1e-3);
  EXPECT_LT(run.json()["max_drag_error_m"], 1e-3);
}

TEST_F(PoseVerb, ADragGoesHomeUnlessTheScriptSaysThatItStays) {
  const auto left_m = [&](const std::string& keys) {
    write("wave.json", R"({"clip": "stand.bvh", "drags": [{"joint": "right_hand", "relative": true,
      "keys": [[0.5, [0, 0, 0]], [1.0, [0, 0.2, 0.1]]]}])" +
                           keys + "}");
    const Outcome run = shosa("pose wave.json -o wave.bvh --json");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_LT(run.json()["max_drag_error_m"].get<double>(), 1e-4);
    const auto made = io::read_motion(path("wave.bvh"));
    const int later = stand_.nearest_frame(2.0);
    const JointIndex hand = stand_.skeleton().find("right_hand");
    return (clip_positions(made->clips[0]).joint(later, hand) - clip_positions(stand_).joint(later, hand)).norm();
  };
  EXPECT_LT(left_m(""), 1e-4);
  EXPECT_LT(left_m(R"(, "return_s": 0.8, "weights": "equal")"), 1e-3);
  EXPECT_GT(left_m(R"(, "return_s": 5)"), 0.1);
  EXPECT_NEAR(left_m(R"(, "return_s": false)"), std::hypot(0.2, 0.1), 1e-3);
}

TEST_F(PoseVerb, SaysWhatIsWrongInAScriptAndWhere) {
  const auto error = [&](const std::string& script) {
    write("bad.json", script);
    const Outcome run = shosa("pose bad.json -o out.bvh");
    EXPECT_EQ(run.status, 3) << script << run.err;
    return run.err;
  };
  EXPECT_THAT(error("{"), HasSubstr("bad.json: byte"));
  EXPECT_THAT(error("[]"), HasSubstr("an object with the keys clip"));
  EXPECT_THAT(error(R"({"clip": "nowhere.bvh"})"), HasSubstr("nowhere.bvh"));
  EXPECT_THAT(error(R"({"clip": "walk.bvh", "pins": [{"joint": "tail"}]})"), HasSubstr("/pins/0: "));
  EXPECT_THAT(error(R"({"clip": "walk.bvh", "pins": [{"joint": "head", "weight": 0}]})"), HasSubstr("/pins/0/weight"));
  EXPECT_THAT(error(R"({"clip": "walk.bvh", "drags": [{"joint": "head"}]})"), HasSubstr("keys"));
  EXPECT_THAT(error(R"({"clip": "walk.bvh", "drags": [{"joint": "head", "keys": [[1, [0, 0]]]}]})"),
              HasSubstr("[x, y, z]"));
  EXPECT_THAT(error(R"({"clip": "walk.bvh", "drags": [{"joint": "head", "keys": [[1, [0,0,0]], [1, [0,0,0]]]}]})"),
              HasSubstr("after the key before"));
  EXPECT_THAT(error(R"({"clip": "walk.bvh", "at_s": 99})"), HasSubstr("/at_s"));
  EXPECT_THAT(error(R"({"clip": "walk.bvh", "ranges": 1})"), HasSubstr("true, false or a file of joint ranges"));
  EXPECT_THAT(error(R"({"clip": "walk.bvh", "return_s": true})"), HasSubstr("/return_s"));
  EXPECT_THAT(error(R"({"clip": "walk.bvh", "weights": "light"})"), HasSubstr("/weights"));
  EXPECT_FALSE(std::filesystem::exists(path("out.bvh")));
}

TEST_F(PoseVerb, RangesComeFromAFileThatTheVerbRangesWrote) {
  ASSERT_EQ(shosa("ranges stand.bvh -o ranges.json --picture ranges.svg --json").status, 0);
  EXPECT_TRUE(std::filesystem::exists(path("ranges.svg")));
  const auto pose_with = [&](const std::string& ranges) {
    write("reach.json", R"({"clip": "stand.bvh", "at_s": 0.0, "duration_s": 1.0, "fps": 60,
      "pins": [{"joint": "left_foot"}, {"joint": "right_foot"}],
      "drags": [{"joint": "right_hand", "keys": [[0.0, [-0.25, 0.85, 0.05]], [1.0, [-0.3, 1.2, 0.35]]]}],
      "ranges": )" + ranges +
                            "}");
    return shosa("pose reach.json -o reach.bvh --json");
  };
  const Outcome from_file = pose_with("\"ranges.json\""), standard = pose_with("true");
  ASSERT_EQ(from_file.status, 0) << from_file.err;
  EXPECT_NEAR(from_file.json()["max_range_violation_deg"].get<double>(),
              standard.json()["max_range_violation_deg"].get<double>(), 1e-3);

  // An edited file is what counts: an elbow that may hardly bend is left by far more.
  write("stiff.json", R"({"joint_ranges": [{"joint": "right_lower_arm",
      "hinge": {"axis": [0, 1, 0], "min_deg": -1, "max_deg": 1}}]})");
  const Outcome stiff = pose_with("\"stiff.json\"");
  ASSERT_EQ(stiff.status, 0) << stiff.err;
  EXPECT_EQ(stiff.json()["worst_range"], "right_lower_arm");

  write("broken.json", R"({"joint_ranges": [{"joint": "right_lower_arm"}]})");
  const Outcome broken = pose_with("\"broken.json\"");
  EXPECT_EQ(broken.status, 3);
  EXPECT_THAT(broken.err, HasSubstr("broken.json: /joint_ranges/0/corners"));
  EXPECT_EQ(pose_with("\"missing.json\"").status, 3);
  EXPECT_EQ(pose_with("7").status, 3);
}

TEST_F(PoseVerb, LayersWithKeptFeetDuckAndReachWhileTheStepsStay) {
  write("dodge.json", R"({"clip": "walk.bvh", "layers": [
    {"keep_feet": true, "drags": [{"joint": "head", "relative": true, "keys": [[0.6, [0, 0, 0]], [1.0, [0, -0.2, 0]], [1.4, [0, 0, 0]]]}]},
    {"keep_feet": true, "drags": [{"joint": "left_hand", "relative": true, "keys": [[0.6, [0, 0, 0]], [1.0, [0, 0.2, 0]], [1.4, [0, 0, 0]]]}]}]})");
  const Outcome run = shosa("pose dodge.json -o dodge.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(run.json()["max_drag_error_m"].get<double>(), 1e-3);
  const auto made = io::read_motion(path("dodge.bvh"));
  ASSERT_TRUE(made.has_value());
  const ClipPositions before = clip_positions(walk_), after = clip_positions(made->clips[0]);
  const JointIndex head = walk_.skeleton().find("head");
  const int middle = walk_.nearest_frame(1.0);
  EXPECT_LT(after.joint(middle, head).y(), before.joint(middle, head).y() - 0.15);
}

TEST_F(PoseVerb, ALayerThatIsOffIsLeftOut) {
  write("off.json", R"({"clip": "walk.bvh", "layers": [
    {"on": false, "drags": [{"joint": "head", "relative": true, "keys": [[0.6, [0, 0, 0]], [1.0, [0, -0.2, 0]]]}]}]})");
  ASSERT_EQ(shosa("pose off.json -o off.bvh").status, 0);
  const auto made = io::read_motion(path("off.bvh"));
  ASSERT_TRUE(made.has_value());
  const ClipPositions before = clip_positions(walk_), after = clip_positions(made->clips[0]);
  EXPECT_LT((after.joint(60, 3) - before.joint(60, 3)).norm(), 1e-4);
}

TEST_F(PoseVerb, WrongLayersAreNamedByPlace) {
  write("wrong.json", R"({"clip": "walk.bvh", "layers": [{"drags": [{"joint": "head"}]}]})");
  expect_refused("pose wrong.json -o wrong.bvh", 3, "/layers/0/drags/0");
}

TEST_F(PoseVerb, BalanceWithoutPinsLeavesTheClipAsItIs) {
  write("balance.json", R"({"clip": "walk.bvh", "balance": true})");
  const Outcome run = shosa("pose balance.json -o balance.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(run.json()["max_balance_error_m"].is_number());
  const auto made = io::read_motion(path("balance.bvh"));
  ASSERT_TRUE(made.has_value());
  const ClipPositions before = clip_positions(walk_), after = clip_positions(made->clips[0]);
  for (int f = 0; f < walk_.frame_count(); ++f) EXPECT_LT((after.joint(f, 5) - before.joint(f, 5)).norm(), 1e-3);
}

TEST_F(PoseVerb, AKeyThatNobodyReadsIsNamed) {
  const auto complaint = [&](const std::string& rest) {
    write("slip.json", R"({"clip": "walk.bvh", )" + rest + "}");
    const Outcome run = shosa("pose slip.json -o slip.bvh");
    EXPECT_EQ(run.status, 3) << rest;
    return run.err;
  };
  EXPECT_THAT(complaint(R"("range": true)"), HasSubstr("slip.json: /range: unknown key, expected one of clip"));
  EXPECT_THAT(complaint(R"("pins": [{"joint": "head", "wieght": 2}])"), HasSubstr("/pins/0/wieght"));
  EXPECT_THAT(complaint(R"("layers": [{"drag": []}])"), HasSubstr("/layers/0/drag"));
  EXPECT_THAT(complaint(R"("pins": [{"joint": "head", "from_s": 2, "to_s": 1}])"), HasSubstr("/pins/0/to_s"));
}

TEST_F(PoseVerb, TakesTheOptionsThatSayHowAMotionIsReadWhereTheScriptSaysNothing) {
  write("hold.json", R"({"clip": "walk.bvh", "at_s": 0})");
  write("slow.json", R"({"clip": "walk.bvh", "at_s": 0, "fps_is": 10})");
  EXPECT_EQ(shosa("pose hold.json -o out.bvh --fps-is 20 --json").json()["fps"], 20.0);
  EXPECT_EQ(shosa("pose slow.json -o out.bvh --fps-is 20 --json").json()["fps"], 10.0);
  ASSERT_EQ(shosa("pose hold.json -o whole.csv").status, 0);
  ASSERT_EQ(shosa("pose hold.json -o feet.csv --unit ft").status, 0);
  EXPECT_NE(file_text(path("whole.csv")), file_text(path("feet.csv")));
  write("map.json", R"({"left_hand": "head"})");
  write(
      "nod.json",
      R"({"clip": "walk.bvh", "at_s": 0, "drags": [{"joint": "leftHand", "relative": true, "keys": [[0, [0, 9, 0]]]}]})");
  EXPECT_EQ(shosa("pose nod.json -o out.bvh --json").json()["worst_drag"], "left_hand");
  EXPECT_EQ(shosa("pose nod.json -o out.bvh --body-map map.json --json").json()["worst_drag"], "head");
  EXPECT_EQ(shosa("pose hold.json -o out.bvh --clip none").status, 1);
}

TEST_F(PoseVerb, NumbersBeyondMeasureAreRefused) {
  write("huge.json", R"({"clip": "walk.bvh", "drags": [{"joint": "head", "keys": [[0, [0, 1e400, 0]]]}]})");
  EXPECT_EQ(shosa("pose huge.json -o huge.bvh").status, 3);
  write("far.json", R"({"clip": "walk.bvh", "drags": [{"joint": "head", "keys": [[0, [0, 1e300, 0]]]}]})");
  expect_refused("pose far.json -o far.bvh", 3, "/drags/0/keys/0/1");
  write("long.json", R"({"clip": "walk.bvh", "at_s": 0, "duration_s": 90, "fps": 100000})");
  EXPECT_EQ(shosa("pose long.json -o long.bvh").status, 3);
}

TEST_F(PoseVerb, TheClipThatAScriptNamesIsNotWrittenOver) {
  const std::string before = file_text(path("walk.bvh"));
  write("held.json", R"({"clip": "walk.bvh", "at_s": 0, "duration_s": 0.1})");
  expect_refused("pose held.json -o walk.bvh", 1, "--overwrite");
  EXPECT_EQ(file_text(path("walk.bvh")), before);
  EXPECT_EQ(shosa("pose held.json -o walk.bvh --overwrite").status, 0);
}

TEST_F(PoseVerb, RangesAreWrittenToJsonOnlyAndNeverOverTheClip) {
  expect_refused("ranges walk.bvh -o walk.bvh", 1, "--overwrite");
  EXPECT_THAT(shosa("ranges walk.bvh -o walk.bvh --overwrite").err, HasSubstr(".json"));
  EXPECT_TRUE(io::read_motion(path("walk.bvh")).has_value());
  EXPECT_NE(shosa("ranges walk.bvh -o ranges.json --picture ranges.jpg").status, 0);
  EXPECT_FALSE(std::filesystem::exists(path("ranges.json")));
  EXPECT_NE(shosa("ranges walk.bvh -o ranges.json --at 1e9").status, 0);
}

}  // namespace
}  // namespace shosa::test
