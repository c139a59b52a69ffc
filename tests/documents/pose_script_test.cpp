#include "shosa/documents/pose_script.h"

#include <gmock/gmock.h>

#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/documents/joint_ranges.h"
#include "support/test_folder.h"

namespace shosa::documents {
namespace {

using testing::HasSubstr;

class PoseScripts : public testing::Test {
 protected:
  PoseScripts() { clips_.add("stand.bvh", test::as_file(stand_)); }
  /// A hand of the standing body led somewhere, with more keys of the script.
  WorldPose reach(const std::string& keys) const {
    const std::string text = R"({"clip": "stand.bvh", "at_s": 0, "duration_s": 0.5, "prior": false,
      "drags": [{"joint": "right_hand", "keys": [[0, [-0.3, 1.2, 0.4]]]}])" +
                             keys + "}";
    const auto script = parse_pose_script(text, "p.json");
    if (!script) ADD_FAILURE() << script.error().message;
    const auto posed = evaluate(*script, clips_);
    if (!posed) ADD_FAILURE() << posed.error().message;
    return forward_kinematics(stand_.skeleton(), posed->edited.clip.frame(0));
  }
  Result<PoseJob> staged(const std::string& keys) const {
    const auto script = parse_pose_script(R"({"clip": "stand.bvh", "at_s": 0)" + keys + "}", "p.json");
    if (!script) return std::unexpected(script.error());
    return stage(*script, clips_);
  }
  JointIndex joint(const char* name) const { return stand_.skeleton().find(name); }

  Clip stand_ = scenes::stand(1.0).clip;
  ClipsInMemory clips_;
};

TEST_F(PoseScripts, APinOfATurnAloneLetsThePlaceGo) {
  const WorldPose free = reach(""), held = reach(R"(, "pins": [{"joint": "right_hand", "position": false,
    "orientation": [0, 0, 0.7071, 0.7071], "weight": 10}])");
  const JointIndex hand = joint("right_hand");
  const Quatd turn(Eigen::AngleAxisd(M_PI / 2, Vec3d::UnitZ()));
  EXPECT_GT(free.rotations[hand].angularDistance(turn), 0.5);
  EXPECT_LT(held.rotations[hand].angularDistance(turn), 0.02);
  EXPECT_LT((held.positions[hand] - Vec3d(-0.3, 1.2, 0.4)).norm(), 1e-3);
}

TEST_F(PoseScripts, APinFadesForAsLongAsTheBodyNeedsToItsPlace) {
  const auto fade_s = [&](const char* place) {
    const auto job =
        staged(fmt::format(R"(, "pins": [{{"joint": "right_hand", "position": {}, "to_s": 0.1}}])", place));
    return job ? job->layers[0].pins[0].fade_s : 0.0;
  };
  EXPECT_EQ(fade_s("[-0.3, 1.3, 0.2]"), 0.25);
  EXPECT_GT(fade_s("[-0.3, 0.1, 1.2]"), 0.5);
}

TEST_F(PoseScripts, AStifferJointTurnsLess) {
  const auto bend = [&](const WorldPose& world) {
    const JointIndex elbow = joint("right_lower_arm");
    return world.rotations[joint("right_upper_arm")].angularDistance(world.rotations[elbow]);
  };
  EXPECT_LT(bend(reach(R"(, "stiffness": [{"joint": "right_lower_arm", "factor": 20}])")), bend(reach("")) - 0.01);
}

TEST_F(PoseScripts, SaysWhatIsWrongWithAStiffnessOrAPin) {
  EXPECT_THAT(staged(R"(, "stiffness": [{"joint": "wing", "factor": 2}])").error().message,
              HasSubstr("p.json: /stiffness/0: "));
  EXPECT_THAT(staged(R"(, "stiffness": [{"joint": "head", "factor": 0}])").error().message,
              HasSubstr("/stiffness/0/factor"));
  EXPECT_THAT(staged(R"(, "pins": [{"joint": "head", "position": false}])").error().message,
              HasSubstr("[x, y, z], or false beside an orientation"));
  EXPECT_THAT(staged(R"(, "pins": [{"joint": "head", "from_s": -5, "to_s": -2}])").error().message,
              HasSubstr("/pins/0/to_s: -2 s, expected a time from 0"));
}

TEST_F(PoseScripts, AFileOfRangesLeavesTheOthersToTheStandardSetWhereItSaysSo) {
  const char* elbow =
      R"({"joint_ranges": [{"joint": "left_lower_arm", "hinge": {"axis": [0, 1, 0], "min_deg": -1, "max_deg": 9}}])";
  clips_.add_text("alone.json", std::string(elbow) + "}");
  clips_.add_text("others.json", std::string(elbow) + R"(, "others": "human"})");
  const auto alone = staged(R"(, "ranges": "alone.json")"), others = staged(R"(, "ranges": "others.json")");
  const auto standard = staged(R"(, "ranges": true)");
  ASSERT_TRUE(alone && others && standard);
  EXPECT_EQ(alone->layers[0].ranges.size(), 1U);
  EXPECT_TRUE(alone->layers[0].freedoms.empty());
  EXPECT_EQ(others->layers[0].ranges.size(), standard->layers[0].ranges.size());
  EXPECT_EQ(others->layers[0].freedoms.size(), standard->layers[0].freedoms.size());
  const Quatd bent(Eigen::AngleAxisd(1.0, Vec3d::UnitY()));
  for (const auto* job : {&*alone, &*others}) {
    const auto& ranges = job->layers[0].ranges;
    const auto found = std::ranges::find(ranges, joint("left_lower_arm"), &posing::HumanRange::joint);
    ASSERT_NE(found, ranges.end());
    EXPECT_FALSE(found->range.nearest(bent).inside);
  }
  clips_.add_text("odd.json", R"({"joint_ranges": [], "others": "dogs"})");
  EXPECT_THAT(staged(R"(, "ranges": "odd.json")").error().message, HasSubstr("/others: "));
}

}  // namespace
}  // namespace shosa::documents
