#include "shosa/submovement/decompose.h"

#include <gmock/gmock.h>

#include <limits>
#include <numbers>

#include "shosa/core/rotations.h"
#include "shosa/submovement/body.h"
#include "submovement/synthetic.h"

namespace shosa::submovement::test {
namespace {

using testing::HasSubstr;

std::vector<Vec3d> circle(double fps, double seconds, double radius_m, double period_s) {
  std::vector<Vec3d> samples;
  for (int i = 0; i <= seconds * fps; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / (fps * period_s);
    samples.emplace_back(radius_m * std::cos(angle), 1.0, radius_m * std::sin(angle));
  }
  return samples;
}

TEST(Decompose, FitsACircleAtConstantSpeedToAHundredthOfItsSize) {
  for (const double period : {1.0, 2.0, 3.0}) {
    const double size = 0.6;
    const auto found =
        decompose_positions(circle(60.0, period, 0.5 * size, period), 1.0 / 60.0, {.max_error_m = 0.003 * size});
    ASSERT_TRUE(found.has_value());
    EXPECT_LE(found->max_error_m, 0.01 * size) << period;
    EXPECT_LE(found->model.submovements.size(), 10u) << period;
  }
}

// A joint's turns at 120 Hz, as a body's are split: near its samples, in the order of their starts, no turn past 360
// degrees. How many.
std::size_t expect_followed(const std::vector<Quatd>& samples, double allowed = 1.0) {
  const DecomposeParams params = BodyParams{}.channel;
  const auto found = decompose_rotations(samples, 1.0 / 120.0, params).value();
  EXPECT_LE(found.rms_rad, allowed * params.max_error_rad);
  const auto& list = found.model.submovements;
  EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.t0_s < b.t0_s; }));
  for (const auto& s : list) EXPECT_LE(s.rotation_rad.norm(), 2.0 * std::numbers::pi + 1e-6);
  return list.size();
}

// A joint that turns calmly and is thrown to the side for three frames, as captures do.
TEST(Decompose, AJointThatIsThrownForAMomentTakesStepsOnlyThere) {
  std::vector<Quatd> samples;
  for (int i = 0; i < 240; ++i) {
    const double t = i / 120.0;
    Quatd turn = exp_rotation({0.6 * std::sin(3.0 * t), 0.2 * std::cos(2.0 * t), 0.1 * t});
    if (i >= 120 && i < 123) turn = turn * exp_rotation({0.0, 0.9, 0.3 * (i - 119)});
    samples.push_back(turn);
  }
  EXPECT_LE(expect_followed(samples), 40u);
}

// As a joint does that a capture has lost. The noise is what there is to explain: it is not followed sample by sample.
TEST(Decompose, AJointThatShakesAllTheTimeIsFollowedToItsNoise) {
  scenes::Random random(3);
  std::vector<Quatd> samples;
  for (int i = 0; i < 360; ++i)
    samples.push_back(exp_rotation(0.05 * Vec3d(noise(random), noise(random), noise(random))));
  EXPECT_GE(expect_followed(samples, 1.3), 100u);
}

// Three axes that swing at rates of their own, faster than a punch, and stay for a moment in between.
TEST(Decompose, AJointWhoseTurnsCrowdIsFollowed) {
  std::vector<Quatd> samples;
  scenes::Random random(7);
  for (int i = 0; i < 480; ++i) {
    const double t = i / 120.0, swing = 2.0 * std::abs(std::sin(0.25 * std::numbers::pi * t));
    samples.push_back(exp_rotation(swing * Vec3d(0.7 * std::sin(6.5 * t), 0.5 * std::sin(9.5 * t + 1.0), 0.0)) *
                      exp_rotation({0.0, 0.0, swing * 0.6 * std::sin(11.3 * t + 2.0)}) *
                      exp_rotation(2e-4 * Vec3d(noise(random), noise(random), noise(random))));
  }
  EXPECT_LE(expect_followed(samples), 80u);
}

// Nothing moves, and there is no size to judge a rounding by.
TEST(Decompose, APathThatStaysAtTheOriginHasNoSubmovement) {
  const std::vector<Vec3d> still(300, Vec3d::Zero());
  const auto found = decompose_positions(still, 1.0 / 120.0, BodyParams{}.channel);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->model.submovements.empty());
}

// A root that is thrown back every two seconds: no displacement of 0.1 s follows that, and stretches meet there.
TEST(Decompose, OfAPathThatJumpsTheSubmovementsAreInTheOrderOfTheirStarts) {
  std::vector<Vec3d> samples;
  for (int i = 0; i < 1600; ++i) {
    const double t = (i % 200) / 100.0;
    samples.emplace_back(1.5 * t, 0.9 + 0.03 * std::sin(9.0 * t), 0.05 * std::sin(5.0 * t));
  }
  const auto found = decompose_positions(samples, 0.01, BodyParams{}.channel);
  ASSERT_TRUE(found.has_value());
  const auto& list = found->model.submovements;
  EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.t0_s < b.t0_s; }));
}

TEST(Decompose, FitsALineAtConstantSpeedToAHundredthOfItsLength) {
  std::vector<Vec3d> samples;
  for (int i = 0; i <= 180; ++i) samples.emplace_back(0.5 * i / 60.0, 0.0, 0.25 * i / 60.0);
  const double size = (samples.back() - samples.front()).norm();
  const auto found = decompose_positions(samples, 1.0 / 60.0, {.max_error_m = 0.004 * size});
  ASSERT_TRUE(found.has_value());
  EXPECT_LE(found->max_error_m, 0.01 * size);
}

TEST(Decompose, FollowsRotationsWhoseAxesMoveAtDifferentTimes) {
  // The seed's Fig. 3: timings from the angular speed lose these.
  const RotationModel truth{
      .start = Quatd::Identity(),
      .submovements = {{0.2, 1.0, {1.2, 0, 0}}, {0.6, 1.5, {0, 0.9, 0}}, {1.1, 1.9, {0, 0, -1.0}}}};
  const auto found = decompose_rotations(sample_rotations(truth, 130, 1.0 / 60.0), 1.0 / 60.0);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->model.submovements.size(), 3u);
  EXPECT_LT(compare(found->model.submovements, truth.submovements).timing_s, 1e-4);
}

TEST(Decompose, StillJointsHaveNoSubmovement) {
  const std::vector<Vec3d> still(300, Vec3d(1, 2, 3));
  EXPECT_TRUE(decompose_positions(still, 1.0 / 60.0)->model.submovements.empty());
  for (const std::size_t samples : {2u, 300u}) {
    const std::vector<Quatd> unturned(samples, exp_rotation({0.3, 0.2, 0.1}));
    EXPECT_TRUE(decompose_rotations(unturned, 1.0 / 60.0)->model.submovements.empty()) << samples;
  }
  scenes::Random random(5);
  std::vector<Vec3d> trembling = still;
  for (Vec3d& x : trembling)
    for (int c = 0; c < 3; ++c) x(c) += 0.002 * noise(random);
  const auto found = decompose_positions(trembling, 1.0 / 60.0);
  EXPECT_TRUE(found->model.submovements.empty());
  EXPECT_NEAR(found->noise_m, 0.002, 0.0004);
}

TEST(Decompose, FewFramesAreAModelToo) {
  for (const std::size_t frames : {1, 2, 3, 5, 8}) {
    std::vector<Vec3d> samples;
    std::vector<Quatd> turns;
    for (std::size_t i = 0; i < frames; ++i) {
      samples.emplace_back(0.1 * static_cast<double>(i), 0, 0);
      turns.push_back(exp_rotation({0.1 * static_cast<double>(i), 0, 0}));
    }
    for (const Solver solver : {Solver::fast, Solver::cma_es}) {
      const DecomposeParams params{.solver = solver, .max_evaluations = 2000};
      const auto path = decompose_positions(samples, 1.0 / 60.0, params);
      const auto turning = decompose_rotations(turns, 1.0 / 60.0, params);
      ASSERT_TRUE(path.has_value());
      ASSERT_TRUE(turning.has_value());
      EXPECT_TRUE(std::isfinite(path->rms_m));
      EXPECT_TRUE(std::isfinite(turning->rms_rad));
    }
  }
}

TEST(Decompose, RefusesWhatBreaksARuleAndSaysWhich) {
  std::vector<Vec3d> samples(10, Vec3d::Zero());
  samples[7].y() = std::numeric_limits<double>::quiet_NaN();
  const auto bad = decompose_positions(samples, 1.0 / 60.0);
  ASSERT_FALSE(bad.has_value());
  EXPECT_THAT(bad.error().message, HasSubstr("sample 7"));
  const std::vector<Quatd> zero(3, Quatd(0, 0, 0, 0));
  EXPECT_FALSE(decompose_rotations(zero, 1.0 / 60.0).has_value());
  EXPECT_FALSE(decompose_positions({}, 1.0 / 60.0).has_value());
  const std::vector<Vec3d> good(10, Vec3d::Zero());
  EXPECT_FALSE(decompose_positions(good, 0.0).has_value());
  EXPECT_FALSE(decompose_positions(good, 1.0 / 60.0, {.max_error_m = 0.0}).has_value());
  EXPECT_FALSE(decompose_positions(good, 1.0 / 60.0, {.min_duration_s = 2.0, .max_duration_s = 1.0}).has_value());
  EXPECT_FALSE(decompose_positions(good, 1.0 / 60.0, {.count = -1}).has_value());
}

TEST(Decompose, SameSamplesGiveTheSameBits) {
  const Synthetic made = make_synthetic(9, 5, 60.0);
  const auto samples = noisy_positions(made, 60.0, 0.002, 3);
  const auto a = decompose_positions(samples, 1.0 / 60.0), b = decompose_positions(samples, 1.0 / 60.0);
  ASSERT_EQ(a->model.submovements.size(), b->model.submovements.size());
  for (std::size_t k = 0; k < a->model.submovements.size(); ++k) {
    EXPECT_EQ(a->model.submovements[k].t0_s, b->model.submovements[k].t0_s);
    EXPECT_EQ(a->model.submovements[k].displacement_m, b->model.submovements[k].displacement_m);
  }
}

TEST(Decompose, ATranslationMovesOnlyTheStart) {
  const Synthetic made = make_synthetic(12, 3, 60.0);
  auto samples = sample_positions(made.positions, made.frames, 1.0 / 60.0);
  const auto here = decompose_positions(samples, 1.0 / 60.0);
  for (Vec3d& x : samples) x += Vec3d(100, -50, 20);
  const auto there = decompose_positions(samples, 1.0 / 60.0);
  ASSERT_EQ(here->model.submovements.size(), there->model.submovements.size());
  EXPECT_LT(compare(there->model.submovements, here->model.submovements).displacement, 1e-5);
  EXPECT_LT((there->model.start_m - here->model.start_m - Vec3d(100, -50, 20)).norm(), 1e-6);
}

TEST(Decompose, WorkGrowsWithTheLengthAndLongTakesStayWithinTheBound) {
  // A hand that goes on for minutes: the same kind of movement all along.
  const auto take = [](double seconds) {
    scenes::Random random(21);
    PositionModel model;
    double time = 0.2;
    while (time < seconds - 1.0) {
      const double duration = random.uniform(0.4, 0.9);
      model.submovements.push_back({time, time + duration, random.uniform(0.1, 0.4) * random.direction()});
      time += duration * random.uniform(0.7, 1.3);
    }
    return sample_positions(model, static_cast<int>(seconds * 30.0), 1.0 / 30.0);
  };
  const auto two = decompose_positions(take(120.0), 1.0 / 30.0);
  const auto eight = decompose_positions(take(480.0), 1.0 / 30.0);
  ASSERT_TRUE(two.has_value());
  ASSERT_TRUE(eight.has_value());
  EXPECT_LE(two->rms_m, 0.005);
  EXPECT_LE(eight->rms_m, 0.005);
  EXPECT_LT(eight->evaluations, 5.0 * two->evaluations);
}

TEST(SeedMethod, TakesApartWhatTheSpeedShowsAndNeedsFarMoreEvaluations) {
  const PositionModel truth{.start_m = {0, 1, 0},
                            .submovements = {{0.2, 0.9, {0.3, 0.1, 0}}, {1.0, 1.6, {0.2, 0.2, 0.1}}}};
  const auto samples = sample_positions(truth, 110, 1.0 / 60.0);
  const auto seed = decompose_positions(samples, 1.0 / 60.0, {.solver = Solver::cma_es, .count = 2});
  ASSERT_TRUE(seed.has_value());
  ASSERT_EQ(seed->model.submovements.size(), 2u);
  EXPECT_LT(seed->rms_m, 0.005);
  const auto fast = decompose_positions(samples, 1.0 / 60.0);
  EXPECT_LT(fast->rms_m, 1e-6);
  EXPECT_GT(seed->evaluations, 20 * fast->evaluations);
}

TEST(SeedMethod, FitsARotationAllAtOnce) {
  const RotationModel truth{.start = Quatd::Identity(), .submovements = {{0.2, 1.0, {1.0, 0, 0}}}};
  const auto found = decompose_rotations(sample_rotations(truth, 80, 1.0 / 60.0), 1.0 / 60.0,
                                         {.solver = Solver::cma_es, .count = 1, .max_evaluations = 4000});
  ASSERT_TRUE(found.has_value());
  EXPECT_LT(found->rms_rad, 0.01);
}

TEST(Decompose, TakesFramesThatAreMinutesApart) {
  std::vector<Vec3d> samples;
  for (int i = 0; i < 50; ++i) samples.emplace_back(std::sin(0.3 * i), 0.1 * i, 0.0);
  for (const double step_s : {20.0, 1000.0}) {
    const auto found = decompose_positions(samples, step_s);
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(std::isfinite(found->rms_m));
    for (const auto& s : found->model.submovements) EXPECT_GT(s.tf_s, s.t0_s) << step_s;
  }
  std::vector<Quatd> turns;
  for (int i = 0; i < 50; ++i) turns.push_back(exp_rotation({0.3 * std::sin(0.3 * i), 0.01 * i, 0.0}));
  for (const DecomposeParams& params : {DecomposeParams{}, BodyParams{}.channel}) {
    for (const double step_s : {0.4, 5.0, 20.0}) {
      for (const std::size_t count : {4u, 9u, 17u, 50u}) {
        const auto found = decompose_rotations(std::span(turns).first(count), step_s, params);
        ASSERT_TRUE(found.has_value());
        EXPECT_TRUE(std::isfinite(found->rms_rad));
        for (const auto& s : found->model.submovements) EXPECT_GT(s.tf_s, s.t0_s) << step_s;
      }
    }
  }
}

TEST(Decompose, EstimatesTheNoiseOfWhatMovesNotOfWhatStandsStill) {
  const PositionModel model{.submovements = {{0.2, 0.8, {0.3, 0.1, 0.0}}, {0.7, 1.3, {0.0, 0.2, 0.1}}}};
  auto samples = sample_positions(model, 90, 1.0 / 60.0);
  scenes::Random random(7);
  for (Vec3d& x : samples)
    for (int c = 0; c < 3; ++c)
      x[c] += 0.002 * (random.uniform(-1.0, 1.0) + random.uniform(-1.0, 1.0) + random.uniform(-1.0, 1.0));
  samples.resize(400, samples.back());
  const auto found = decompose_positions(samples, 1.0 / 60.0);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->noise_m, 0.002, 0.0008);
}

// One axis is a metre from the origin, where single precision rounds a hundred times as much as in the other.
TEST(Decompose, DoesNotFollowTheRoundingOfOneAxis) {
  for (const double way_m : {0.01, 0.02}) {
    const PositionModel model{.start_m = {0.0, 1.0, 0.0},
                              .submovements = {{0.2, 0.8, {way_m, 0.0, 0.0}}, {0.7, 1.3, {0.0, way_m, 0.0}}}};
    auto samples = sample_positions(model, 90, 1.0 / 60.0);
    for (Vec3d& x : samples) x = x.cast<float>().cast<double>();
    const auto found = decompose_positions(samples, 1.0 / 60.0);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->model.submovements.size(), 2u) << way_m;
  }
}

TEST(Decompose, FindsSlowMovements) {
  const PositionModel model{.submovements = {{0.5, 6.5, {0.3, 0.1, 0.0}}, {6.5, 12.5, {0.0, 0.2, 0.1}}}};
  const auto found = decompose_positions(sample_positions(model, 780, 1.0 / 60.0), 1.0 / 60.0);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->model.submovements.size(), 2u);
  EXPECT_NEAR(found->model.submovements[1].t0_s, 6.5, 1e-3);
}

TEST(SeedMethod, ChoosesTheCountByTheBoundAndLosesTheCircle) {
  // Constant speed says nothing about timings (seed, section 5.1).
  const auto samples = circle(60.0, 2.0, 0.3, 2.0);
  const DecomposeParams params{.solver = Solver::cma_es, .count = 4, .max_evaluations = 6000};
  const auto seed = decompose_positions(samples, 1.0 / 60.0, params);
  ASSERT_TRUE(seed.has_value());
  const auto fast = decompose_positions(samples, 1.0 / 60.0);
  EXPECT_LE(fast->rms_m, 0.005);
  EXPECT_GT(seed->rms_m, 3.0 * fast->rms_m);
}

// Five quick movements, a start every 0.12 s.
TEST(Decompose, StartsAreKeptApart) {
  PositionModel model;
  for (int k = 0; k < 5; ++k)
    model.submovements.push_back({0.2 + 0.12 * k, 0.5 + 0.12 * k, Vec3d(k % 2 == 0 ? 0.1 : -0.05, 0.02 * k, 0.0)});
  const std::vector<Vec3d> samples = sample_positions(model, 120, 1.0 / 120.0);
  const auto least_gap_s = [&](double gap_s) {
    const auto found = decompose_positions(samples, 1.0 / 120.0, {.max_error_m = 1e-4, .min_gap_s = gap_s});
    EXPECT_TRUE(found.has_value());
    double least = 1e9;
    for (std::size_t k = 1; k < found->model.submovements.size(); ++k)
      least = std::min(least, found->model.submovements[k].t0_s - found->model.submovements[k - 1].t0_s);
    // All of the way is still made.
    EXPECT_LT((position_at(found->model, 119.0 / 120.0) - samples.back()).norm(), 0.05);
    return least;
  };
  ASSERT_LT(least_gap_s(0.0), 0.2);
  EXPECT_GE(least_gap_s(0.2), 0.2);
  EXPECT_FALSE(decompose_positions(samples, 1.0 / 120.0, {.min_gap_s = -0.1}).has_value());
}

}  // namespace
}  // namespace shosa::submovement::test
