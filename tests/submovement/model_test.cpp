#include "shosa/submovement/model.h"

#include <gtest/gtest.h>

#include "scenes/random.h"
#include "shosa/core/rotations.h"
#include "solve/finite_difference.h"

namespace shosa::submovement {
namespace {

template <class Model>
Model with_some_submovements(Model model, scenes::Random& random, double least, double most) {
  for (int k = 0; k < 4; ++k) {
    const double t0 = 0.3 * k + random.uniform(0.0, 0.2);
    model.submovements.push_back({t0, t0 + random.uniform(0.3, 0.9), random.uniform(least, most) * random.direction()});
  }
  return model;
}

PositionModel some_positions(std::uint64_t seed) {
  scenes::Random random(seed);
  return with_some_submovements(PositionModel{.start_m = random.direction()}, random, 0.1, 0.6);
}

RotationModel some_rotations(std::uint64_t seed) {
  scenes::Random random(seed);
  return with_some_submovements(RotationModel{.start = random.rotation()}, random, 0.2, 2.5);
}

TEST(PositionModel, GoesFromItsStartThroughEveryGoalThatIsReachedInPeace) {
  const PositionModel model{.start_m = {1, 2, 3},
                            .submovements = {{0.0, 0.5, {1, 0, 0}}, {0.7, 1.0, {0, 2, 0}}, {1.2, 2.0, {0, 0, -1}}}};
  EXPECT_EQ(position_at(model, -1.0), Vec3d(1, 2, 3));
  EXPECT_EQ(position_at(model, 0.6), goal_m(model, 0));
  EXPECT_EQ(position_at(model, 1.1), Vec3d(2, 4, 3));
  EXPECT_EQ(position_at(model, 9.0), goal_m(model, 2));
  EXPECT_NEAR((evaluate(model, 0.25).velocity_mps - Vec3d(1.875 / 0.5, 0, 0)).norm(), 0.0, 1e-12);
}

TEST(PositionModel, DerivativesAgreeWithFiniteDifferences) {
  const PositionModel model = some_positions(3);
  for (const double t : {0.11, 0.52, 0.83, 1.31}) {
    const auto up_to_acceleration = [&](const Eigen::VectorXd& x) {
      const auto s = evaluate(model, x(0));
      Eigen::VectorXd v(9);
      v << s.position_m, s.velocity_mps, s.acceleration_mps2;
      return v;
    };
    const auto s = evaluate(model, t);
    Eigen::VectorXd slope(9);
    slope << s.velocity_mps, s.acceleration_mps2, s.jerk_mps3;
    EXPECT_LT(solve::jacobian_error(up_to_acceleration, Eigen::VectorXd::Constant(1, t), slope), 1e-6) << t;
  }
}

TEST(RotationModel, DerivativesAgreeWithFiniteDifferences) {
  const RotationModel model = some_rotations(5);
  for (const double t : {0.11, 0.52, 0.83, 1.31}) {
    const auto s = evaluate(model, t);
    // The turning frame's angular velocity from the rotation itself.
    const double h = 1e-5;
    const Vec3d velocity = log_rotation(rotation_at(model, t - h).conjugate() * rotation_at(model, t + h)) / (2.0 * h);
    EXPECT_LT((velocity - s.velocity_radps).norm(), 1e-6) << t;
    const auto up_to_acceleration = [&](const Eigen::VectorXd& x) {
      const auto at = evaluate(model, x(0));
      Eigen::VectorXd v(6);
      v << at.velocity_radps, at.acceleration_radps2;
      return v;
    };
    Eigen::VectorXd slope(6);
    slope << s.acceleration_radps2, s.jerk_radps3;
    EXPECT_LT(solve::jacobian_error(up_to_acceleration, Eigen::VectorXd::Constant(1, t), slope), 1e-6) << t;
  }
}

TEST(RotationModel, IsTheProductOfSlerpsInTheOrderOfTheirStarts) {
  const RotationModel model = some_rotations(7);
  for (const double t : {0.2, 0.9, 1.4, 5.0}) {
    Quatd expected = model.start;
    for (const auto& k : model.submovements) {
      const double tau = std::clamp((t - k.t0_s) / (k.tf_s - k.t0_s), 0.0, 1.0);
      const double share = 6 * std::pow(tau, 5) - 15 * std::pow(tau, 4) + 10 * std::pow(tau, 3);
      const Quatd whole(Eigen::AngleAxisd(k.rotation_rad.norm(), k.rotation_rad.normalized()));
      expected = expected * Quatd::Identity().slerp(share, whole);
    }
    EXPECT_LT(expected.angularDistance(rotation_at(model, t)), 1e-12) << t;
  }
}

TEST(SubmovementModel, SamplingAWholeClipIsTheSameAsAskingForEveryTime) {
  const PositionModel positions = some_positions(13);
  const RotationModel rotations = some_rotations(13);
  const auto points = sample_positions(positions, 150, 1.0 / 60.0);
  const auto turns = sample_rotations(rotations, 150, 1.0 / 60.0);
  for (int i = 0; i < 150; ++i) {
    EXPECT_LT((points[i] - position_at(positions, i / 60.0)).norm(), 1e-13);
    EXPECT_LT(turns[i].angularDistance(rotation_at(rotations, i / 60.0)), 1e-12);
  }
}

TEST(SubmovementModel, PositionVelocityAndAccelerationAreContinuousEverywhere) {
  const PositionModel positions = some_positions(17);
  const RotationModel rotations = some_rotations(17);
  for (const auto& s : positions.submovements) {
    for (const double t : {s.t0_s, s.tf_s}) {
      const auto before = evaluate(positions, t - 1e-10), after = evaluate(positions, t + 1e-10);
      EXPECT_LT((before.velocity_mps - after.velocity_mps).norm(), 1e-7);
      EXPECT_LT((before.acceleration_mps2 - after.acceleration_mps2).norm(), 1e-5);
    }
  }
  for (const auto& s : rotations.submovements) {
    for (const double t : {s.t0_s, s.tf_s}) {
      const auto before = evaluate(rotations, t - 1e-10), after = evaluate(rotations, t + 1e-10);
      EXPECT_LT((before.velocity_radps - after.velocity_radps).norm(), 1e-6);
      EXPECT_LT((before.acceleration_radps2 - after.acceleration_radps2).norm(), 1e-4);
    }
  }
}

}  // namespace
}  // namespace shosa::submovement
