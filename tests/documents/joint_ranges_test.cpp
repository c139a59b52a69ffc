#include "shosa/documents/joint_ranges.h"

#include <gmock/gmock.h>

#include "scenes/random.h"
#include "scenes/scenes.h"

namespace shosa::documents {
namespace {

using posing::human_ranges;
using posing::HumanRange;
using posing::JointRange;
using testing::HasSubstr;

class JointRangesJson : public testing::Test {
 protected:
  std::shared_ptr<const Skeleton> skeleton_ = scenes::humanoid();
  body::BodyMap map_ = body::guess_body_map(*skeleton_);

  Result<std::vector<HumanRange>> parse(const std::string& text) const {
    const auto document = parse_joint_ranges(text, "r.json");
    if (!document) return std::unexpected(document.error());
    return evaluate(*document, *skeleton_, map_);
  }
  std::string refusal(const std::string& text) const {
    const auto ranges = parse(text);
    return ranges ? "accepted" : ranges.error().message;
  }
};

TEST_F(JointRangesJson, StandardSetComesBackTheSame) {
  const auto ranges = *human_ranges(*skeleton_, map_);
  const auto again = parse(format_joint_ranges(ranges, *skeleton_, map_));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  ASSERT_EQ(again->size(), ranges.size());
  scenes::Random random(3);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_EQ((*again)[i].joint, ranges[i].joint);
    for (int k = 0; k < 50; ++k) {
      const Quatd q = random.rotation();
      const auto a = ranges[i].range.nearest(q), b = (*again)[i].range.nearest(q);
      EXPECT_EQ(a.inside, b.inside);
      EXPECT_LT(a.rotation.angularDistance(b.rotation), 1e-6);
    }
  }
}

TEST_F(JointRangesJson, JointsGoByRoleSoThatTheTextFitsOtherSkeletons) {
  const auto text = format_joint_ranges(*human_ranges(*skeleton_, map_), *skeleton_, map_);
  EXPECT_THAT(text, HasSubstr("\"joint\": \"left_upper_arm\""));
}

TEST_F(JointRangesJson, AHingeTurnsAboutItsAxisBetweenItsLimits) {
  const auto ranges = parse(
      R"({"joint_ranges": [{"joint": "left_lower_leg", "hinge": {"axis": [1, 0, 0], "min_deg": 0, "max_deg": 140}}]})");
  ASSERT_TRUE(ranges.has_value()) << ranges.error().message;
  const JointRange& knee = (*ranges)[0].range;
  const auto turned = [](double deg, const Vec3d& axis) { return Quatd(Eigen::AngleAxisd(deg * M_PI / 180, axis)); };
  EXPECT_TRUE(knee.nearest(turned(1, Vec3d::UnitX())).inside);
  EXPECT_TRUE(knee.nearest(turned(139, Vec3d::UnitX())).inside);
  EXPECT_NEAR(knee.nearest(turned(-10, Vec3d::UnitX())).correction_rad.norm(), 10 * M_PI / 180, 1e-9);
  EXPECT_NEAR(knee.nearest(turned(150, Vec3d::UnitX())).correction_rad.norm(), 10 * M_PI / 180, 1e-9);
  EXPECT_NEAR(knee.nearest(turned(30, Vec3d::UnitZ())).correction_rad.norm(), 28 * M_PI / 180, 0.01);
}

TEST_F(JointRangesJson, BoneAndRestPoseAreTheZeroWhereNothingIsSaid) {
  const auto ranges = parse(R"({"joint_ranges": [{"joint": "left_upper_leg", "bone": [0, -1, 0],
      "corners": [[-0.3, -0.3, -10, 10], [0.3, -0.3, -10, 10], [0, 0.3, -10, 10]], "triangles": [[0, 1, 2]]}]})");
  ASSERT_TRUE(ranges.has_value()) << ranges.error().message;
  const JointRange& range = (*ranges)[0].range;
  EXPECT_TRUE(range.nearest(Quatd::Identity()).inside);
  // A turn about the bone is twist and nothing else.
  const Quatd twisted(Eigen::AngleAxisd(25 * M_PI / 180, Vec3d::UnitY()));
  EXPECT_NEAR(range.nearest(twisted).correction_rad.norm(), 15 * M_PI / 180, 1e-9);
}

TEST_F(JointRangesJson, ErrorsNameTheFileThePlaceAndWhatWasExpected) {
  EXPECT_THAT(refusal("{"), HasSubstr("r.json: byte 2: no JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("expected an object"));
  EXPECT_THAT(refusal("{}"), HasSubstr("r.json: /joint_ranges: nothing, expected a list"));
  EXPECT_THAT(refusal(R"({"ranges": []})"), HasSubstr("r.json: /ranges: unknown key, expected one of joint_ranges"));
  EXPECT_THAT(refusal(R"({"joint_ranges": [{}]})"),
              HasSubstr("r.json: /joint_ranges/0/joint: nothing, expected a joint's role or name"));
  EXPECT_THAT(
      refusal(R"({"joint_ranges": [{"joint": "tail_9", "hinge": {"axis": [1, 0, 0], "min_deg": 0, "max_deg": 1}}]})"),
      HasSubstr("r.json: /joint_ranges/0 ('tail_9'): "));
  EXPECT_THAT(refusal(R"({"joint_ranges": [{"joint": "head", "cornres": []}]})"),
              HasSubstr("/joint_ranges/0/cornres: unknown key"));
  EXPECT_THAT(refusal(R"({"joint_ranges": [{"joint": "head"}]})"),
              HasSubstr("/joint_ranges/0/corners: nothing, expected a list"));
  EXPECT_THAT(refusal(R"({"joint_ranges": [{"joint": "head", "corners": [[0, 0, 1]], "triangles": []}]})"),
              HasSubstr("/joint_ranges/0/corners/0: [0, 0, 1], expected [a_y, a_z, twist_min_deg, twist_max_deg]"));
  EXPECT_THAT(refusal(R"({"joint_ranges": [{"joint": "head", "corners": [[0, 0, 0, 1]], "triangles": [[0, 0, 1]]}]})"),
              HasSubstr("/joint_ranges/0/triangles/0/2: 1, expected a whole number from 0 to 0"));
  EXPECT_THAT(refusal(R"({"joint_ranges": [{"joint": "head", "corners": [[0, 2, 0, 1]], "triangles": [[0, 0, 0]]}]})"),
              HasSubstr("expected the unit disc"));
  EXPECT_THAT(
      refusal(R"({"joint_ranges": [{"joint": "head", "hinge": {"axis": [0, 0, 0], "min_deg": 0, "max_deg": 1}}]})"),
      HasSubstr("/joint_ranges/0/hinge/axis: [0, 0, 0], expected a direction [x, y, z] that is not 0"));
  EXPECT_THAT(
      refusal(R"({"joint_ranges": [{"joint": "head", "hinge": {"axis": [0, 1, 0], "min_deg": 9, "max_deg": 1}}]})"),
      HasSubstr("r.json: /joint_ranges/0 ('head'): 9 to 1 deg"));
  const std::string hinge = R"({"joint": "head", "hinge": {"axis": [0, 1, 0], "min_deg": 0, "max_deg": 1}})";
  EXPECT_THAT(refusal("{\"joint_ranges\": [" + hinge + "," + hinge + "]}"),
              HasSubstr("/joint_ranges/1 ('head'): a second range of this joint"));
  EXPECT_THAT(refusal(std::string(1000, '[')), HasSubstr("nested deeper"));
}

}  // namespace
}  // namespace shosa::documents
