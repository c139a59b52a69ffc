#include "blend/interval_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "scenes/scenes.h"

namespace shosa::blend {
namespace {

// The cost written out from the equations, with its own pose distance.
double slow_cost(const Motion& a, const ClipPositions& pa, const Motion& b, const ClipPositions& pb,
                 const std::vector<JointIndex>& joints, const IntervalProblem& problem, int begin, int end) {
  const auto distance = [&](int f, int g) {
    f = std::clamp(f - problem.previous.at, 0, a.frame_count() - 1);
    g = std::clamp(g - problem.next.at, 0, b.frame_count() - 1);
    return analysis::pose_distance(pa.frame(f), pb.frame(g), joints);
  };
  const double dt = problem.frame_time_s, e = problem.step * dt, length = (end - begin) * dt;
  const double d = distance(begin, end);
  const double qt = problem.moving_length ? std::abs(*problem.moving_length * dt - length) : length;
  const double v0 = (d - distance(begin + problem.step, end)) / e, v1 = (d - distance(begin, end - problem.step)) / e;
  const double qv = std::abs(v0 - d / length) + std::abs(v1 - d / length);
  return problem.weights.time * qt + problem.weights.pose * d + problem.weights.velocity * qv;
}

TEST(IntervalSearch, IsTheTrueMinimumOfTheGrid) {
  const auto skeleton = scenes::humanoid();
  std::mt19937 random(20260101);
  for (int round = 0; round < 24; ++round) {
    SCOPED_TRACE(round);
    const body::BodyMap map = body::guess_body_map(*skeleton);
    const auto one = prepare_motion(analysis::study(scenes::random_clip(skeleton, 90, random(), 60.0), map));
    const auto other = prepare_motion(analysis::study(scenes::random_clip(skeleton, 70, random(), 60.0), map));
    ASSERT_TRUE(one && other);
    const bool upper = round % 2 == 0;
    const auto joints =
        analysis::part_joints(*skeleton, map, upper ? analysis::BodyPart::upper : analysis::BodyPart::lower);
    const auto aligned = [&](const Motion& m) { return analysis::pelvis_aligned(m.studied); };
    const ClipPositions pa = aligned(**one), pb = aligned(**other);

    IntervalProblem problem;
    problem.previous = {upper ? &(*one)->upper : &(*one)->lower, 0};
    problem.next = {upper ? &(*other)->upper : &(*other)->lower, 40};
    problem.begins = {35 + static_cast<int>(random() % 10), 60 + static_cast<int>(random() % 20)};
    problem.ends = {50, 75 + static_cast<int>(random() % 20)};
    problem.min_length = 1 + static_cast<int>(random() % 6);
    problem.max_length = 40;
    problem.step = 1 + static_cast<int>(random() % 2);
    problem.frame_time_s = 1.0 / 60.0;
    problem.weights = cost_weights(0.25 * (round % 5));
    if (round % 3 == 0) problem.moving_length = 18.0;

    double least = std::numeric_limits<double>::infinity();
    for (int begin = problem.begins.begin; begin <= problem.begins.end; ++begin) {
      for (int end = problem.ends.begin; end <= problem.ends.end; ++end) {
        if (end - begin < problem.min_length || end - begin > problem.max_length) continue;
        least = std::min(least, slow_cost(**one, pa, **other, pb, joints, problem, begin, end));
      }
    }
    const IntervalChoice choice = search_interval(problem);
    ASSERT_TRUE(choice.found);
    EXPECT_NEAR(choice.cost.total, least, 1e-5);
    EXPECT_NEAR(slow_cost(**one, pa, **other, pb, joints, problem, choice.frames.begin, choice.frames.end), least,
                1e-5);
    EXPECT_EQ(interval_cost(problem, choice.frames.begin, choice.frames.end).total, choice.cost.total);
  }
}

TEST(IntervalSearch, EmptyRangesFindNothing) {
  const auto scene = scenes::stand();
  const auto motion = prepare_motion(analysis::study(scene.clip, body::guess_body_map(scene.clip.skeleton())));
  ASSERT_TRUE(motion);
  IntervalProblem problem{.previous = {&(*motion)->upper, 0}, .next = {&(*motion)->upper, 0}};
  problem.begins = {10, 20};
  problem.ends = {5, 10};
  EXPECT_FALSE(search_interval(problem).found);
  problem.ends = {30, 20};
  EXPECT_FALSE(search_interval(problem).found);
}

TEST(IntervalSearch, TheKnobMixesTheTwoPresetsLinearly) {
  for (const double w : {0.0, 0.3, 1.0}) {
    const CostWeights weights = cost_weights(w);
    EXPECT_NEAR(weights.time, (1 - w) * kFast.time + w * kSmooth.time, 1e-12);
    EXPECT_NEAR(weights.pose, (1 - w) * kFast.pose + w * kSmooth.pose, 1e-12);
    EXPECT_NEAR(weights.velocity, (1 - w) * kFast.velocity + w * kSmooth.velocity, 1e-12);
  }
}

TEST(IntervalSearch, SmootherIsNotShorter) {
  const auto skeleton = scenes::humanoid();
  const body::BodyMap map = body::guess_body_map(*skeleton);
  int longer = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const auto one = prepare_motion(analysis::study(scenes::random_clip(skeleton, 120, seed), map));
    const auto other = prepare_motion(analysis::study(scenes::random_clip(skeleton, 120, seed + 100), map));
    ASSERT_TRUE(one && other);
    IntervalProblem problem{.previous = {&(*one)->upper, 0}, .next = {&(*other)->upper, 30}};
    problem.begins = {30, 100};
    problem.ends = {31, 110};
    problem.frame_time_s = 1.0 / 60.0;
    problem.weights = cost_weights(0.0);
    const int fast = search_interval(problem).frames.length();
    problem.weights = cost_weights(1.0);
    const int smooth = search_interval(problem).frames.length();
    EXPECT_GE(smooth, fast) << "seed " << seed;
    longer += smooth > fast;
  }
  EXPECT_GT(longer, 5);
}

}  // namespace
}  // namespace shosa::blend
