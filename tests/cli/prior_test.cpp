// How people bend, as the verbs `pose` and `edit` take it.

#include <gmock/gmock.h>

#include <fstream>

#include "cli/run_shosa.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"

namespace shosa::test {
namespace {

using testing::HasSubstr;

class PriorOfPostures : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    save("stand.bvh", stand_);
  }
  /// A hand led to the floor at 1.5 s while a standing clip plays.
  Outcome pick_up(const std::string& more) {
    write("pick.json",
          R"({"clip": "stand.bvh", "drags": [{"joint": "right_hand", "keys": [[1.5, [-0.25, 0.15, 0.3]]]}])" + more +
              "}");
    return shosa("pose pick.json -o pick.bvh --json");
  }
  Clip written(const char* name) const {
    const auto motion = io::read_motion(path(name));
    EXPECT_TRUE(motion.has_value());
    return motion->clips[0];
  }
  double knee_deg(const Clip& clip, double time_s) const {
    const JointIndex knee = clip.skeleton().find("right_lower_leg");
    return clip.rotation(0, knee).angularDistance(clip.rotation(clip.nearest_frame(time_s), knee)) * 180.0 / M_PI;
  }
  Vec3d hand(const Clip& clip, double time_s) const {
    return clip_positions(clip).joint(clip.nearest_frame(time_s), clip.skeleton().find("right_hand"));
  }
  std::string text(const char* name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  Clip stand_ = scenes::stand().clip;
};

TEST_F(PriorOfPostures, AHandToTheFloorBendsTheKneesUnlessTheScriptSaysOtherwise) {
  const Outcome usual = pick_up("");
  ASSERT_EQ(usual.status, 0) << usual.err;
  EXPECT_LT(usual.json()["max_drag_error_m"].get<double>(), 1e-3);
  EXPECT_LT(usual.json()["max_pin_error_m"].get<double>(), 1e-3);
  const double bent = knee_deg(written("pick.bvh"), 1.5);

  ASSERT_EQ(pick_up(R"(, "prior": false)").status, 0);
  const double tipped = knee_deg(written("pick.bvh"), 1.5);
  const std::string without = text("pick.bvh");
  ASSERT_EQ(pick_up(R"(, "prior": [])").status, 0);
  EXPECT_EQ(text("pick.bvh"), without);
  EXPECT_GT(bent, 60.0);
  EXPECT_LT(tipped, 0.7 * bent);

  // A clip of one's own: one that only stands knows no bend.
  ASSERT_EQ(pick_up(R"(, "prior": ["stand.bvh", {"clip": "stand.bvh", "from": 0.5}])").status, 0);
  EXPECT_LT(knee_deg(written("pick.bvh"), 1.5), 0.7 * bent);
}

TEST_F(PriorOfPostures, ABodyThatComesAlongTakesItsTime) {
  ASSERT_EQ(pick_up("").status, 0);
  const Clip slow = written("pick.bvh");
  EXPECT_GT((hand(slow, 1.2) - hand(stand_, 1.2)).norm(), 0.1);
  EXPECT_GT((hand(slow, 2.0) - hand(stand_, 2.0)).norm(), 0.02);
  // A key that the arm reaches is come to in the usual 0.25 s.
  write("wave.json", R"({"clip": "stand.bvh", "drags": [{"joint": "right_hand", "relative": true,
    "keys": [[1.5, [0, 0.2, 0.1]]]}]})");
  ASSERT_EQ(shosa("pose wave.json -o wave.bvh").status, 0);
  EXPECT_LT((hand(written("wave.bvh"), 1.2) - hand(stand_, 1.2)).norm(), 1e-4);
}

TEST_F(PriorOfPostures, ARangeThatIsLeftIsWarnedOf) {
  write("stiff.json", R"({"joint_ranges": [{"joint": "right_lower_arm",
      "hinge": {"axis": [0, 1, 0], "min_deg": -1, "max_deg": 1}}]})");
  write("reach.json", R"({"clip": "stand.bvh", "at_s": 0.0, "duration_s": 1.0, "ranges": "stiff.json", "drags": [
    {"joint": "right_upper_arm", "relative": true, "keys": [[0.0, [0, 0, 0]], [1.0, [0, 0, 0]]]},
    {"joint": "right_hand", "relative": true, "keys": [[0.0, [0, 0, 0]], [1.0, [0, 0.25, 0.1]]]}]})");
  const Outcome run = shosa("pose reach.json -o reach.bvh --json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_GT(run.json()["max_range_violation_deg"].get<double>(), 5.0);
  EXPECT_THAT(run.json()["warnings"].dump(), HasSubstr("'right_lower_arm' leaves its range"));
}

TEST_F(PriorOfPostures, EditTakesItWithPinDrag) {
  const auto edit = [&](const std::string& more) {
    const Outcome run = shosa(
        "edit stand.bvh -o low.bvh --handle right_hand --end-position -0.25,0.2,0.3 --from 0.5 --to 1.5 "
        "--reconstruction pin_drag --json " +
        more);
    EXPECT_EQ(run.status, 0) << run.err;
    return knee_deg(written("low.bvh"), 1.5);
  };
  const double bent = edit(""), tipped = edit("--no-prior");
  EXPECT_GT(bent, 1.3 * tipped);
  EXPECT_LT(edit("--prior stand.bvh"), 0.8 * bent);
}

TEST_F(PriorOfPostures, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(pick_up(R"(, "prior": ["nowhere.bvh"])").err, HasSubstr("/prior/0"));
  EXPECT_THAT(pick_up(R"(, "prior": 3)").err, HasSubstr("/prior"));
  EXPECT_THAT(pick_up(R"(, "prior": [{"file": "a"}])").err, HasSubstr("/prior/0"));
  save("dog.bvh", scenes::dog_walk().clip);
  EXPECT_THAT(pick_up(R"(, "prior": ["dog.bvh"])").err, HasSubstr("/prior"));
  EXPECT_NE(shosa("edit stand.bvh -o out.bvh --handle right_hand --end-position 0,1,0 --reconstruction pin_drag "
                  "--prior nowhere.bvh")
                .status,
            0);
}

}  // namespace
}  // namespace shosa::test
