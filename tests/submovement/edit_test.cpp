#include "shosa/submovement/edit.h"

#include <gmock/gmock.h>

#include <array>

#include "shosa/core/rotations.h"
#include "shosa/submovement/reach.h"
#include "submovement/synthetic.h"

namespace shosa::submovement::test {
namespace {

using testing::HasSubstr;

// Largest jump of velocity and of acceleration anywhere, from a fine sampling on both sides of every knot.
template <class Model>
void expect_c2(const Model& model) {
  for (const auto& s : model.submovements) {
    for (const double t : {s.t0_s, s.tf_s}) {
      const auto before = evaluate(model, t - 1e-10), after = evaluate(model, t + 1e-10);
      if constexpr (requires { before.velocity_mps; }) {
        EXPECT_LT((before.velocity_mps - after.velocity_mps).norm(), 1e-6);
        EXPECT_LT((before.acceleration_mps2 - after.acceleration_mps2).norm(), 1e-4);
      } else {
        EXPECT_LT((before.velocity_radps - after.velocity_radps).norm(), 1e-6);
        EXPECT_LT((before.acceleration_radps2 - after.acceleration_radps2).norm(), 1e-4);
      }
    }
  }
}

TEST(Edit, AMovedGoalIsReachedAndEverythingOutsideItsTwoSubmovementsStays) {
  const Synthetic made = make_synthetic(3, 5, 60.0);
  PositionModel edited = made.positions;
  const Vec3d goal(0.4, 1.2, 0.3);
  ASSERT_TRUE(move_goal(edited, 2, goal).has_value());
  EXPECT_LT((goal_m(edited, 2) - goal).norm(), 1e-12);
  for (const std::size_t k : {0, 1, 3, 4})
    EXPECT_LT((goal_m(edited, k) - goal_m(made.positions, k)).norm(), 1e-12) << k;
  const double begin = edited.submovements[2].t0_s, end = edited.submovements[3].tf_s;
  for (double t = 0.0; t < 5.0; t += 0.01) {
    if (t > begin && t < std::max(end, edited.submovements[2].tf_s)) continue;
    EXPECT_LT((position_at(edited, t) - position_at(made.positions, t)).norm(), 1e-12) << t;
  }
  expect_c2(edited);
}

TEST(Edit, WhatComesAfterCanBeCarriedAlong) {
  const Synthetic made = make_synthetic(3, 4, 60.0);
  PositionModel edited = made.positions;
  const Vec3d change(0.1, 0.0, -0.2);
  ASSERT_TRUE(move_goal(edited, 1, goal_m(edited, 1) + change, After::moves).has_value());
  EXPECT_LT((position_at(edited, 99.0) - position_at(made.positions, 99.0) - change).norm(), 1e-12);
}

TEST(Edit, ARotationsGoalIsMovedAndLaterOnesStay) {
  const Synthetic made = make_synthetic(5, 4, 60.0);
  RotationModel edited = made.rotations;
  const Quatd wanted = exp_rotation({0.3, -0.8, 0.5});
  ASSERT_TRUE(move_goal(edited, 1, wanted).has_value());
  EXPECT_LT(goal(edited, 1).angularDistance(wanted), 1e-9);
  for (const std::size_t k : {0, 2, 3}) EXPECT_LT(goal(edited, k).angularDistance(goal(made.rotations, k)), 1e-9) << k;
  expect_c2(edited);
}

TEST(Edit, TimingsCanBeMovedPastANeighbour) {
  const Synthetic made = make_synthetic(7, 3, 60.0);
  PositionModel positions = made.positions;
  const auto place = set_timing(positions, 0, 1.9, 2.3);
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(positions.submovements[*place].displacement_m, made.positions.submovements[0].displacement_m);
  EXPECT_LT((position_at(positions, 99.0) - position_at(made.positions, 99.0)).norm(), 1e-12);
  RotationModel rotations = made.rotations;
  ASSERT_TRUE(set_timing(rotations, 0, 1.9, 2.3).has_value());
  for (std::size_t k = 0; k < 3; ++k) EXPECT_LT(goal(rotations, k).angularDistance(goal(made.rotations, k)), 1e-9);
  for (std::size_t k = 1; k < 3; ++k) EXPECT_LE(rotations.submovements[k - 1].t0_s, rotations.submovements[k].t0_s);
  expect_c2(positions);
  expect_c2(rotations);
}

TEST(Edit, RemoveInsertAndMergeKeepTheGoalsThatStay) {
  const Synthetic made = make_synthetic(9, 4, 60.0);
  PositionModel positions = made.positions;
  RotationModel rotations = made.rotations;
  ASSERT_TRUE(remove(positions, 1).has_value());
  ASSERT_TRUE(remove(rotations, 1).has_value());
  EXPECT_EQ(positions.submovements.size(), 3u);
  EXPECT_LT((goal_m(positions, 1) - goal_m(made.positions, 2)).norm(), 1e-12);
  EXPECT_LT(goal(rotations, 1).angularDistance(goal(made.rotations, 2)), 1e-9);

  const auto at = insert(positions, {0.05, 0.4, {0, 0.1, 0}}, After::stays);
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ(*at, 0u);
  EXPECT_LT((position_at(positions, 99.0) - position_at(made.positions, 99.0)).norm(), 1e-12);
  ASSERT_TRUE(insert(rotations, {0.05, 0.4, {0, 0.1, 0}}, After::stays).has_value());
  EXPECT_LT(rotation_at(rotations, 99.0).angularDistance(rotation_at(made.rotations, 99.0)), 1e-9);

  ASSERT_TRUE(merge(positions, 0).has_value());
  ASSERT_TRUE(merge(rotations, 0).has_value());
  EXPECT_LT((position_at(positions, 99.0) - position_at(made.positions, 99.0)).norm(), 1e-12);
  EXPECT_LT(rotation_at(rotations, 99.0).angularDistance(rotation_at(made.rotations, 99.0)), 1e-9);
  expect_c2(positions);
  expect_c2(rotations);
}

TEST(Edit, TheJointPassesThroughAPlaceWhenTheSubmovementEndsAndAllOtherGoalsStay) {
  Synthetic made = make_synthetic(13, 4, 60.0);
  // The third has started when the second ends.
  made.positions.submovements[2].t0_s = made.positions.submovements[1].tf_s - 0.1;
  made.rotations.submovements[2].t0_s = made.rotations.submovements[1].tf_s - 0.1;
  PositionModel positions = made.positions;
  const Vec3d place = position_at(positions, positions.submovements[1].tf_s) + Vec3d(0.1, 0.2, -0.1);
  ASSERT_TRUE(pass_through(positions, 1, place).has_value());
  EXPECT_LT((position_at(positions, positions.submovements[1].tf_s) - place).norm(), 1e-8);
  for (const std::size_t k : {0, 2, 3}) EXPECT_LT((goal_m(positions, k) - goal_m(made.positions, k)).norm(), 1e-9);

  RotationModel rotations = made.rotations;
  const double tf_s = rotations.submovements[1].tf_s;
  const Quatd turned = exp_rotation({0.2, -0.3, 0.1}) * rotation_at(rotations, tf_s);
  ASSERT_TRUE(pass_through(rotations, 1, turned).has_value());
  EXPECT_LT(rotation_at(rotations, tf_s).angularDistance(turned), 1e-7);
  for (const std::size_t k : {0, 2, 3}) EXPECT_LT(goal(rotations, k).angularDistance(goal(made.rotations, k)), 1e-7);
  expect_c2(positions);
  expect_c2(rotations);
}

// With a_k how much of its way each has gone by then, the least change is missed (a - mean) / sum (a - mean)^2.
TEST(Edit, NeighboursShareTheLeastChangeThatPassesThroughAPlace) {
  PositionModel model{.submovements = {{0.0, 1.0, {1, 0, 0}}, {0.25, 1.25, {0, 1, 0}}, {2.0, 3.0, {0, 0, 1}}}};
  const PositionModel before = model;
  const Vec3d moved(0.3, -0.1, 0.2);
  const double most = 0.75 * 0.75 * 0.75 * (10.0 - 15.0 * 0.75 + 6.0 * 0.75 * 0.75);
  const std::array gone = {1.0, most, 0.0};
  const double mean = (1.0 + most) / 3.0, spread = 1.0 + most * most - 3.0 * mean * mean;
  ASSERT_TRUE(pass_through(model, 0, position_at(model, 1.0) + moved).has_value());
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3d change = model.submovements[k].displacement_m - before.submovements[k].displacement_m;
    EXPECT_LT((change - (gone[k] - mean) / spread * moved).norm(), 1e-8) << k;
  }
}

// The next one has gone nearly all its way: one that comes later takes the change back.
TEST(Edit, APlaceIsPassedAlsoWhereTheNextOneHasNearlyEnded) {
  PositionModel model{.submovements = {{0.0, 1.0, {1, 0, 0}}, {0.1, 1.02, {0, 1, 0}}, {1.1, 2.0, {0, 0, 1}}}};
  const Vec3d place = position_at(model, 1.0) + Vec3d(0.2, 0, 0), end = goal_m(model, 2);
  ASSERT_TRUE(pass_through(model, 0, place).has_value());
  EXPECT_LT((position_at(model, 1.0) - place).norm(), 1e-8);
  EXPECT_LT((goal_m(model, 2) - end).norm(), 1e-9);
}

TEST(Edit, NothingPassesThroughAPlaceThatCannotBeTakenBack) {
  PositionModel model{.submovements = {{0.0, 1.0, {1, 0, 0}}, {0.1, 1.02, {0, 1, 0}}}};
  const auto passed = pass_through(model, 0, {0, 0, 1});
  ASSERT_FALSE(passed.has_value());
  EXPECT_THAT(passed.error().message, HasSubstr("have ended, or nearly"));
  EXPECT_EQ(model.submovements[0].displacement_m, Vec3d(1, 0, 0));
}

TEST(Edit, AJointThatEndsWithThisSubmovementStaysAtThePlace) {
  PositionModel model{.submovements = {{0.0, 1.0, {1, 0, 0}}, {0.1, 0.9, {0, 1, 0}}}};
  ASSERT_TRUE(pass_through(model, 0, {0, 0, 1}).has_value());
  EXPECT_LT((position_at(model, 9.0) - Vec3d(0, 0, 1)).norm(), 1e-8);
}

TEST(Edit, RefusesWhatIsNotThereAndLeavesTheModel) {
  const Synthetic made = make_synthetic(11, 2, 60.0);
  PositionModel positions = made.positions;
  const auto missing = move_goal(positions, 2, Vec3d::Zero());
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message, HasSubstr("the model has 2"));
  EXPECT_FALSE(set_timing(positions, 0, 1.0, 1.0).has_value());
  EXPECT_FALSE(move_goal(positions, 0, Vec3d(std::nan(""), 0, 0)).has_value());
  EXPECT_FALSE(insert(positions, {2.0, 1.0, Vec3d::Zero()}).has_value());
  EXPECT_FALSE(merge(positions, 1).has_value());
  EXPECT_FALSE(remove(positions, 5).has_value());
  EXPECT_EQ(positions.submovements.size(), 2u);
  EXPECT_EQ(positions.submovements[0].displacement_m, made.positions.submovements[0].displacement_m);
}

// A ball on a parabola, whose landing is guessed better and better, as an eye does.
TEST(CatchingPoint, CatchesAFlyingBallWithoutAJumpOfVelocityOrAcceleration) {
  const Vec3d from(3.0, 1.5, 0.4), speed(-3.0, 2.6, -0.2), gravity(0, -9.81, 0);
  const double catch_s = 0.9;
  const auto ball = [&](double t) { return Vec3d(from + t * speed + 0.5 * t * t * gravity); };
  scenes::Random random(4);
  CatchingPoint hand({0.2, 1.0, 0.3});
  Vec3d velocity = Vec3d::Zero(), acceleration = Vec3d::Zero();
  const double step = 1.0 / 240.0;
  for (int i = 0; i * step <= catch_s; ++i) {
    const double now = i * step;
    const double doubt = 0.3 * (catch_s - now);
    hand.aim(now, ball(catch_s) + doubt * random.direction(), catch_s);
    const PositionState state = hand.at(now);
    // The fastest submovement may change acceleration by its jerk times the step, no more.
    EXPECT_LT((state.velocity_mps - velocity).norm(), 0.5) << now;
    EXPECT_LT((state.acceleration_mps2 - acceleration).norm(), 25.0) << now;
    velocity = state.velocity_mps;
    acceleration = state.acceleration_mps2;
  }
  EXPECT_GT(hand.added(), 4);
  EXPECT_LT((hand.at(catch_s + 0.2).position_m - ball(catch_s)).norm(), 0.05);
  EXPECT_LT(hand.at(catch_s + 0.2).velocity_mps.norm(), 1e-9);
}

TEST(CatchingPoint, IgnoresSmallChangesAndWaitsBetweenTwo) {
  CatchingPoint hand(Vec3d::Zero());
  EXPECT_FALSE(hand.aim(0.0, {0.005, 0, 0}, 1.0));
  EXPECT_TRUE(hand.aim(0.0, {0.5, 0, 0}, 1.0));
  EXPECT_FALSE(hand.aim(0.05, {0.8, 0, 0}, 1.0));
  EXPECT_TRUE(hand.aim(0.15, {0.8, 0, 0}, 1.0));
  EXPECT_FALSE(hand.aim(0.4, {std::nan(""), 0, 0}, 1.0));
  EXPECT_EQ(hand.goal_m(), Vec3d(0.8, 0, 0));
  EXPECT_LT((hand.at(1.0).position_m - Vec3d(0.8, 0, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace shosa::submovement::test
