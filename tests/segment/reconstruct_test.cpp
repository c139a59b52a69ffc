#include "segment/reconstruct.h"

#include <gtest/gtest.h>

#include <cstring>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/body/body_map.h"

namespace shosa::segment {
namespace {

bool same_bits(const Pose& a, const Pose& b) {
  const auto same = [](std::span<const float> x, std::span<const float> y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size_bytes()) == 0;
  };
  return same(a.rotation_lanes(), b.rotation_lanes()) && same(a.translation_lanes(), b.translation_lanes());
}

class ReconstructTest : public testing::Test {
 protected:
  Clip walk_ = scenes::walk({.duration_s = 2.0}).clip;
  std::shared_ptr<const PointBody> body_ = make_point_body(walk_, body::guess_body_map(walk_.skeleton()));
  const Skeleton& skeleton() const { return walk_.skeleton(); }
  Vec3d at(const Pose& pose, const std::string& joint) const {
    return forward_kinematics(skeleton(), pose).positions[skeleton().find(joint)];
  }
  int point(const std::string& joint) const { return body_->point_of(skeleton().find(joint)); }
};

TEST(Particles, FixedPointsAreExactAfterAnyNumberOfIterationsAndErrorsShrink) {
  // A chain of ten whose ends are pulled apart but within reach.
  std::vector<Vec3d> start;
  std::vector<PointLink> links;
  std::vector<double> mobility(10, 1.0);
  for (int i = 0; i < 10; ++i) start.push_back({0.1 * i, 0.05 * (i % 2), 0.0});
  for (int i = 0; i < 9; ++i) links.push_back({i, i + 1, 0.15});
  mobility.front() = mobility.back() = 0.0;
  double error = max_link_error_m(start, links);
  for (const int count : {0, 1, 2, 4, 8, 16, 32, 64, 128}) {
    auto points = start;
    const RelaxReport report = relax(points, mobility, links, {.iterations = count, .tolerance_m = 0.0});
    EXPECT_LE(report.iterations, count);
    EXPECT_EQ(points.front(), start.front());
    EXPECT_EQ(points.back(), start.back());
    EXPECT_LE(report.max_link_error_m, error);
    EXPECT_DOUBLE_EQ(report.max_link_error_m, max_link_error_m(points, links));
    error = report.max_link_error_m;
  }
  EXPECT_LT(error, 1e-3);
}

TEST(Particles, PointsInOnePlaceAndContradictionsStayFinite) {
  std::vector<Vec3d> points(3, Vec3d::Zero());
  const std::vector<PointLink> links = {{0, 1, 1.0}, {1, 2, 1.0}, {0, 2, 5.0}};
  const std::vector<double> mobility = {0.0, 1.0, 1.0};
  relax(points, mobility, links, {.iterations = 50});
  for (const Vec3d& p : points) EXPECT_TRUE(p.allFinite());
}

TEST_F(ReconstructTest, UneditedPointsGiveThePostureBackBitForBit) {
  Reconstructor reconstructor(body_);
  for (int f = 0; f < walk_.frame_count(); f += 3) {
    const Pose base = walk_.frame(f);
    const WorldPose world = forward_kinematics(skeleton(), base);
    std::vector<PointGoal> goals;
    for (std::size_t i = 0; i < body_->points.size(); ++i) {
      goals.push_back({static_cast<int>(i), world.positions[body_->points[i]], i % 2 == 0});
    }
    Pose out;
    const auto report = reconstructor.solve(base, {.points = goals, .turns = {}}, out);
    EXPECT_TRUE(same_bits(base, out)) << f;
    EXPECT_EQ(report.iterations, 0);
  }
}

TEST_F(ReconstructTest, FixedFeetAndHandsAreMetAndBonesKeepTheirLengths) {
  scenes::Random random(5);
  Reconstructor reconstructor(body_);
  for (int f = 0; f < walk_.frame_count(); f += 2) {
    const Pose base = walk_.frame(f);
    const Vec3d left = at(base, "left_foot") +
                       Vec3d(random.uniform(-0.05, 0.05), random.uniform(0.0, 0.1), random.uniform(-0.05, 0.05));
    const Vec3d right = at(base, "right_foot");
    const Vec3d hips = at(base, "hips") + Vec3d(0.0, -0.12, 0.0);
    const std::vector<PointGoal> goals = {
        {0, hips, false}, {point("left_foot"), left, true}, {point("right_foot"), right, true}};
    Pose out;
    const auto report = reconstructor.solve(base, {.points = goals, .turns = {}}, out);
    EXPECT_LT((at(out, "left_foot") - left).norm(), 2e-6) << f;
    EXPECT_LT((at(out, "right_foot") - right).norm(), 2e-6) << f;
    EXPECT_LT(report.max_fixed_error_m, 1e-9);
    // Feet keep their orientation.
    const auto foot = static_cast<std::size_t>(skeleton().find("left_foot"));
    const Quatd before = forward_kinematics(skeleton(), base).rotations[foot],
                after = forward_kinematics(skeleton(), out).rotations[foot];
    EXPECT_LT(before.angularDistance(after), 2e-3);
  }
}

TEST_F(ReconstructTest, KneesAndElbowsKeepTheirSide) {
  scenes::Random random(9);
  Reconstructor reconstructor(body_);
  for (int f = 0; f < walk_.frame_count(); f += 2) {
    const Pose base = walk_.frame(f);
    for (const std::string side : {"left", "right"}) {
      // From a leg folded up to one that cannot reach.
      for (const double share : {0.3, 0.6, 0.9, 1.0, 1.3}) {
        const Vec3d hip = at(base, side + "_upper_leg");
        const Vec3d down = (at(base, side + "_foot") - hip).normalized();
        const std::vector<PointGoal> goals = {{0, at(base, "hips"), true},
                                              {point(side + "_foot"), hip + 0.84 * share * down, true}};
        Pose out;
        reconstructor.solve(base, {.points = goals, .turns = {}}, out);
        ASSERT_TRUE(at(out, side + "_foot").allFinite());
        const Vec3d h = at(out, side + "_upper_leg"), k = at(out, side + "_lower_leg"), a = at(out, side + "_foot");
        const Vec3d off = k - h - (k - h).dot((a - h).normalized()) * (a - h).normalized();
        // The walker faces +Z: knees point forward.
        EXPECT_GT(off.z(), -1e-4) << f << side << share;
        EXPECT_TRUE(share > 0.9 || off.z() > 0.01) << f << side << share;
        EXPECT_NEAR((k - h).norm(), 0.42, 1e-5);
      }
    }
  }
}

TEST_F(ReconstructTest, AnUnreachableFootIsApproachedOnAStraightLeg) {
  Reconstructor reconstructor(body_);
  const Pose base = walk_.frame(10);
  const Vec3d hip = at(base, "left_upper_leg");
  const Vec3d far = hip + Vec3d(0.0, -0.5, 1.2);
  const std::vector<PointGoal> goals = {
      {0, at(base, "hips"), true}, {point("left_upper_leg"), hip, true}, {point("left_foot"), far, true}};
  Pose out;
  const auto report = reconstructor.solve(base, {.points = goals, .turns = {}}, out);
  const Vec3d foot = at(out, "left_foot");
  EXPECT_NEAR((foot - hip).norm(), 0.84, 1e-4);
  EXPECT_LT((foot - hip).normalized().cross((far - hip).normalized()).norm(), 1e-4);
  EXPECT_NEAR(report.max_fixed_error_m, (far - hip).norm() - 0.84, 1e-4);
}

TEST_F(ReconstructTest, TheBodyComesAlongWhereALimbIsTooShort) {
  Reconstructor reconstructor(body_, {.iterations = 64});
  const Pose base = walk_.frame(10);
  const Vec3d hand = at(base, "left_hand") + Vec3d(0.3, 0.1, 0.6);
  const std::vector<PointGoal> goals = {{point("left_hand"), hand, true},
                                        {point("left_foot"), at(base, "left_foot"), true},
                                        {point("right_foot"), at(base, "right_foot"), true}};
  Pose out;
  const auto report = reconstructor.solve(base, {.points = goals, .turns = {}}, out);
  EXPECT_GT(report.iterations, 0);
  EXPECT_LT((at(out, "left_foot") - at(base, "left_foot")).norm(), 0.02);
  const double before = (at(base, "left_hand") - hand).norm(), after = (at(out, "left_hand") - hand).norm();
  EXPECT_LT(after, 0.15 * before);
  EXPECT_GT(at(out, "hips").z(), at(base, "hips").z());
}

TEST_F(ReconstructTest, AnElbowDoesNotFlipWhenAHangingArmIsRaisedOverhead) {
  Reconstructor reconstructor(body_);
  const Pose base = walk_.frame(10);
  const Vec3d shoulder = at(base, "left_upper_arm");
  // Around the direction opposite to the arm's, where the shortest turn goes from one side to the other.
  const Vec3d opposite = (shoulder - at(base, "left_hand")).normalized();
  const Vec3d side = opposite.unitOrthogonal(), other = opposite.cross(side);
  Pose out;
  Vec3d before = Vec3d::Zero();
  for (int i = 0; i <= 360; ++i) {
    const double a = i * M_PI / 180.0;
    const Vec3d goal = shoulder + 0.42 * opposite + 0.03 * (std::cos(a) * side + std::sin(a) * other);
    const std::vector<PointGoal> goals = {{point("left_hand"), goal, true}};
    reconstructor.solve(base, {.points = goals, .turns = {}}, out);
    const Vec3d elbow = at(out, "left_lower_arm");
    if (i > 0) {
      EXPECT_LT((elbow - before).norm(), 0.005) << i;
    }
    before = elbow;
  }
}

TEST_F(ReconstructTest, AHeadThatIsSentBeyondItsNeckTakesTheTrunkAlongWithoutAJump) {
  Reconstructor reconstructor(body_);
  const Pose base = walk_.frame(10);
  Pose out;
  Vec3d before = at(base, "neck");
  for (int i = 1; i <= 200; ++i) {
    const Vec3d goal = at(base, "head") + i / 200.0 * Vec3d(0.05, -0.4, 0.15);
    const std::vector<PointGoal> goals = {{point("head"), goal, true},
                                          {point("left_foot"), at(base, "left_foot"), true},
                                          {point("right_foot"), at(base, "right_foot"), true}};
    reconstructor.solve(base, {.points = goals, .turns = {}}, out);
    EXPECT_LT((at(out, "head") - goal).norm(), 1e-3) << i;
    EXPECT_LT((at(out, "neck") - before).norm(), 0.01) << i;
    before = at(out, "neck");
  }
}

TEST_F(ReconstructTest, TheWholeBodyTurnsAboutItsHips) {
  Reconstructor reconstructor(body_);
  const Pose base = walk_.frame(20);
  const Quatd turn(Eigen::AngleAxisd(0.7, Vec3d::UnitY()));
  Pose out;
  reconstructor.solve(base, {.points = {}, .turns = {}, .body_turn = turn}, out);
  for (const char* joint : {"head", "left_hand", "right_foot"}) {
    const Vec3d expected = at(base, "hips") + turn * (at(base, joint) - at(base, "hips"));
    EXPECT_LT((at(out, joint) - expected).norm(), 1e-5) << joint;
  }
}

TEST_F(ReconstructTest, ABodyWithoutRolesMovesAsAWhole) {
  const Clip clip = scenes::random_clip(scenes::chain(6), 10, 3);
  const auto body = make_point_body(clip, body::BodyMap());
  EXPECT_EQ(body->points.size(), 1u);
  EXPECT_FALSE(handle_point(*body, 3).has_value());
  Reconstructor reconstructor(body);
  const Pose base = clip.frame(4);
  const WorldPose world = forward_kinematics(clip.skeleton(), base);
  const std::vector<PointGoal> goals = {{0, world.positions[0] + Vec3d(1.0, 0.0, 0.0), true}};
  Pose out;
  reconstructor.solve(base, {.points = goals, .turns = {}}, out);
  EXPECT_LT((forward_kinematics(clip.skeleton(), out).positions[5] - world.positions[5] - Vec3d(1, 0, 0)).norm(), 1e-5);
}

}  // namespace
}  // namespace shosa::segment
