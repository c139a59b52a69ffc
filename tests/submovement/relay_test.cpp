// Relays: each submovement ends when the next but one begins, and a body's recordings that nothing else is found again
// in are followed by them (docs/methods/submovements.md, "Relays").

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "shosa/submovement/body.h"
#include "shosa/submovement/decompose.h"
#include "submovement/synthetic.h"

namespace shosa::submovement::test {
namespace {

// Knots from two frames apart on, each no more than twice as far from the last as that from the one before.
std::vector<int> random_knots(scenes::Random& random, int first, int count) {
  std::vector<int> knots{first};
  int apart = 4;
  for (int k = 1; k < count; ++k) {
    apart = std::clamp(apart / 2 + random.index(2 * apart), 2, 20);
    knots.push_back(knots.back() + apart);
  }
  return knots;
}

// Fifty links and eight frames of rest; the first is under way at the first sample.
template <class Model, class Add>
int add_relay(scenes::Random& random, Model& model, double step_s, Add&& add) {
  std::vector<int> knots = random_knots(random, 5, 51);
  knots.insert(knots.begin(), -knots.front());
  for (std::size_t k = 0; k + 2 < knots.size(); ++k) add(model, knots[k] * step_s, knots[k + 2] * step_s);
  return knots.back() + 8;
}

template <class List>
void expect_same(const List& found, const List& truth, const std::string& what) {
  ASSERT_EQ(found.size(), truth.size()) << what;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    EXPECT_NEAR(found[k].t0_s, truth[k].t0_s, 1e-6) << what << ", number " << k;
    EXPECT_NEAR(found[k].tf_s, truth[k].tf_s, 1e-6) << what << ", number " << k;
  }
}

void expect_read(const RotationModel& truth, int frames, double fps, const std::string& what) {
  auto samples = sample_rotations(truth, frames, 1.0 / fps);
  for (Quatd& q : samples) q = q.cast<float>().cast<double>();
  const auto found = decompose_rotations(samples, 1.0 / fps, BodyParams{}.channel);
  ASSERT_TRUE(found.has_value());
  expect_same(found->model.submovements, truth.submovements, what);
  for (std::size_t k = 0; k < truth.submovements.size() && !testing::Test::HasFailure(); ++k) {
    const Vec3d& turn = truth.submovements[k].rotation_rad;
    EXPECT_LT((found->model.submovements[k].rotation_rad - turn).norm(), 0.01 * turn.norm()) << what;
  }
}

TEST(Relay, OfTurnsIsReadBackAtAnyRate) {
  for (const double fps : {30.0, 120.0}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      scenes::Random random(seed);
      RotationModel truth{.start = random.rotation()};
      const int frames = add_relay(random, truth, 1.0 / fps, [&](RotationModel& model, double t0_s, double tf_s) {
        model.submovements.push_back({t0_s, tf_s, random.uniform(0.02, 0.8) * random.direction()});
      });
      expect_read(truth, frames, fps, fmt::format("{} Hz, seed {}", fps, seed));
    }
  }
}

TEST(Relay, OfDisplacementsIsReadBack) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    scenes::Random random(seed);
    PositionModel truth{.start_m = random.direction()};
    const int frames = add_relay(random, truth, 1.0 / 120.0, [&](PositionModel& model, double t0_s, double tf_s) {
      model.submovements.push_back({t0_s, tf_s, random.uniform(0.003, 0.2) * random.direction()});
    });
    auto samples = sample_positions(truth, frames, 1.0 / 120.0);
    for (Vec3d& p : samples) p = p.cast<float>().cast<double>();
    const auto found = decompose_positions(samples, 1.0 / 120.0, BodyParams{}.channel);
    ASSERT_TRUE(found.has_value());
    expect_same(found->model.submovements, truth.submovements, fmt::format("seed {}", seed));
  }
}

// As of a joint that a capture throws about for a moment.
TEST(Relay, WithStepsFromSampleToSampleInItIsReadBack) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    scenes::Random random(seed);
    RotationModel truth{.start = random.rotation()};
    int now = 0;
    for (int part = 0; part < 3; ++part) {
      const std::vector<int> knots = random_knots(random, now, 14);
      for (std::size_t k = 0; k + 2 < knots.size(); ++k)
        truth.submovements.push_back(
            {knots[k] / 120.0, knots[k + 2] / 120.0, random.uniform(0.02, 0.5) * random.direction()});
      now = knots.back();
      for (int step = 0; step < 7; ++step) {
        const int to = now + 1 + (random.index(3) == 0 ? 1 : 0);
        truth.submovements.push_back({now / 120.0, to / 120.0, random.uniform(0.1, 0.6) * random.direction()});
        now = to;
      }
    }
    expect_read(truth, now + 5, 120.0, fmt::format("seed {}", seed));
  }
}

// How often one ends when the next but one begins.
int handovers(const RotationModel& model) {
  int count = 0;
  const auto& list = model.submovements;
  for (std::size_t k = 0; k + 2 < list.size(); ++k) count += std::abs(list[k].tf_s - list[k + 2].t0_s) < 1e-6 ? 1 : 0;
  return count;
}

// An arm that strikes out and back within a tenth of a second, over and over, at the rate of a camera: 0.13 s are four
// frames there.
TEST(Relay, FollowsWhatIsFoundAgainInNoOtherWay) {
  const double fps = 30.0;
  scenes::Random random(5);
  std::vector<Quatd> samples;
  for (int i = 0; i < 120; ++i) {
    const double t = i / fps, strike = std::pow(std::abs(std::sin(4.1 * t)), 9.0);
    samples.push_back(exp_rotation({0.5 * std::sin(2.3 * t), 1.3 * strike, 0.4 * std::sin(7.0 * t)}) *
                      exp_rotation({0.0, 0.3 * std::sin(9.7 * t), 0.6 * strike * std::sin(3.0 * t)}) *
                      exp_rotation(5e-4 * Vec3d(noise(random), noise(random), noise(random))));
  }
  const DecomposeParams params = BodyParams{}.channel;
  const auto first = decompose_rotations(samples, 1.0 / fps, params).value();
  EXPECT_LE(first.rms_rad, 1.3 * params.max_error_rad);
  EXPECT_GE(handovers(first.model), 20);
  expect_read(first.model, static_cast<int>(samples.size()), fps, "an arm that strikes");
}

// Half of a step of two frames is made at half its time, as of anything that turns evenly.
TEST(Relay, IsNotReadInWhatTurnsEvenly) {
  std::vector<Quatd> even, keys;
  for (int i = 0; i < 240; ++i) {
    even.push_back(exp_rotation({0.0, 0.02 * i, 0.0}).cast<float>().cast<double>());
    const double corner = std::abs((i + 20) % 80 - 40);
    keys.push_back(
        (exp_rotation({0.01 * corner, 0.0, 0.0}) * exp_rotation({0.0, 0.004 * i, 0.0})).cast<float>().cast<double>());
  }
  EXPECT_LE(decompose_rotations(even, 1.0 / 120.0, BodyParams{}.channel)->model.submovements.size(), 6u);
  EXPECT_LE(decompose_rotations(keys, 1.0 / 120.0, BodyParams{}.channel)->model.submovements.size(), 30u);
}

// Of what is thrown about in a new way at every sample each sample would be a step.
TEST(Relay, IsNotReadInWhatJumpsAllTheTime) {
  scenes::Random random(9);
  std::vector<Quatd> samples;
  for (int i = 0; i < 240; ++i)
    samples.push_back(exp_rotation(0.015 * Vec3d(noise(random), noise(random), noise(random))));
  EXPECT_LE(decompose_rotations(samples, 1.0 / 120.0, BodyParams{}.channel)->model.submovements.size(), 180u);
}

TEST(Relay, FollowsARootThatJumpsAndIsReadBack) {
  std::vector<Vec3d> still, walk;
  for (int i = 0; i < 300; ++i) {
    const double t = i / 120.0, jump_m = i >= 140 ? 0.1 : 0.0, thrown_m = i == 200 ? 1.5 : 0.0;
    still.emplace_back(0.4, 0.9 + jump_m, 0.2);
    walk.emplace_back(1.3 * t + jump_m, 0.9 + 0.03 * std::sin(9.0 * t), thrown_m + 0.04 * std::sin(4.5 * t));
  }
  for (const auto& samples : {still, walk}) {
    const DecomposeParams params = BodyParams{}.channel;
    const auto first = decompose_positions(samples, 1.0 / 120.0, params).value();
    EXPECT_LE(first.rms_m, params.max_error_m);
    auto made = sample_positions(first.model, static_cast<int>(samples.size()), 1.0 / 120.0);
    for (Vec3d& p : made) p = p.cast<float>().cast<double>();
    const auto again = decompose_positions(made, 1.0 / 120.0, params).value();
    expect_same(again.model.submovements, first.model.submovements, "a root that jumps");
  }
}

}  // namespace
}  // namespace shosa::submovement::test
