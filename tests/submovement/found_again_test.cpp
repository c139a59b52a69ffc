// Decompose, recompose, decompose gives the same submovements where few samples, large distances or the rate of the
// frames leave little to tell them by (docs/methods/submovements.md, "Found again").

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include "shosa/submovement/body.h"
#include "shosa/submovement/decompose.h"
#include "submovement/synthetic.h"

namespace shosa::submovement::test {
namespace {

const DecomposeParams kParams = BodyParams{}.channel;

template <class List, class Move>
void expect_same(const List& again, const List& first, Move&& move, const std::string& what) {
  ASSERT_EQ(again.size(), first.size()) << what;
  for (std::size_t k = 0; k < first.size(); ++k) {
    EXPECT_NEAR(again[k].t0_s, first[k].t0_s, 1e-3) << what << ", number " << k;
    EXPECT_NEAR(again[k].tf_s, first[k].tf_s, 1e-3) << what << ", number " << k;
    EXPECT_LT((move(again[k]) - move(first[k])).norm(), 0.01 * move(first[k]).norm()) << what << ", number " << k;
  }
}

// Returns how many there are.
std::size_t expect_found_again(const std::vector<Quatd>& samples, double fps, const std::string& what) {
  const auto first = decompose_rotations(samples, 1.0 / fps, kParams).value();
  EXPECT_LE(first.rms_rad, 1.3 * kParams.max_error_rad) << what;
  auto made = sample_rotations(first.model, static_cast<int>(samples.size()), 1.0 / fps);
  for (Quatd& q : made) q = q.cast<float>().cast<double>();
  const auto again = decompose_rotations(made, 1.0 / fps, kParams).value();
  expect_same(
      again.model.submovements, first.model.submovements, [](const auto& s) { return s.rotation_rad; }, what);
  return first.model.submovements.size();
}

std::size_t expect_found_again(const std::vector<Vec3d>& samples, double fps, const std::string& what) {
  const auto first = decompose_positions(samples, 1.0 / fps, kParams).value();
  EXPECT_LE(first.rms_m, kParams.max_error_m) << what;
  auto made = sample_positions(first.model, static_cast<int>(samples.size()), 1.0 / fps);
  for (Vec3d& p : made) p = p.cast<float>().cast<double>();
  const auto again = decompose_positions(made, 1.0 / fps, kParams).value();
  expect_same(
      again.model.submovements, first.model.submovements, [](const auto& s) { return s.displacement_m; }, what);
  return first.model.submovements.size();
}

Vec3d noises(scenes::Random& random) {
  return {noise(random), noise(random), noise(random)};
}

// A tenth to half a second out of something longer, as measured.
TEST(FoundAgain, InShortRecordings) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    scenes::Random random(seed);
    const double fps = seed % 2 ? 120.0 : 60.0, at_s = random.uniform(0.0, 9.0);
    const int frames = 8 + random.index(60);
    const Vec3d far = random.uniform(0.05, 0.5) * random.direction(),
                fast = random.uniform(0.02, 0.2) * random.direction();
    std::vector<Quatd> turns;
    std::vector<Vec3d> path;
    for (int i = 0; i < frames; ++i) {
      const double t = at_s + i / fps;
      turns.push_back(exp_rotation(std::sin(2.7 * t) * far) * exp_rotation(std::sin(11.0 * t) * fast) *
                      exp_rotation(3e-4 * noises(random)));
      path.push_back(Vec3d(0.3, 0.9, 1.1 * t) + std::sin(2.7 * t) * far + 0.3 * std::sin(11.0 * t) * fast +
                     3e-5 * noises(random));
    }
    const std::string what = fmt::format("{} frames at {} Hz, seed {}", frames, fps, seed);
    expect_found_again(turns, fps, "turns of " + what);
    expect_found_again(path, fps, "path of " + what);
  }
}

// A second in which a joint turns by little more than the bound: standing still is near.
TEST(FoundAgain, WhatHardlyTurns) {
  for (int k = 0; k < 24; ++k) {
    scenes::Random random(static_cast<std::uint64_t>(k + 1));
    const Vec3d far = (1.4 + 0.1 * k) * kParams.max_error_rad * random.direction();
    std::vector<Quatd> samples;
    for (int i = 0; i < 120; ++i)
      samples.push_back(exp_rotation(std::cos(0.4 * k + 1.6 * i / 120.0) * far) * exp_rotation(3e-4 * noises(random)));
    expect_found_again(samples, 120.0, fmt::format("number {}", k));
  }
}

// A millimetre or two, eight metres from the origin, where single precision is a micrometre: when these begin and end
// is told by what comes after them.
TEST(FoundAgain, SlowLinksFarFromTheOrigin) {
  const int quick[] = {-3, 3, 6, 12, 25, 50, 100, 112, 125, 137, 150, 162, 168, 174};
  const double quick_m[] = {0.0245, 0.0026, 0.0015, 0.0012, 0.0156, 0.0194, 0.0327, 0.052, 0.0923, 0.091, 0.0706, 0.05};
  const int slow[] = {-67, 67, 134, 150, 167, 175, 184, 192, 201, 209, 217};
  const double slow_m[] = {0.002, 0.0034, 0.011, 0.0805, 0.1387, 0.1588, 0.1214, 0.1367, 0.1076};
  const auto count_read = [](std::span<const int> knots, std::span<const double> moves_m, double from_m) {
    int read = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      scenes::Random random(seed);
      PositionModel truth{.start_m = {from_m, 0.3, -from_m}};
      for (std::size_t k = 0; k < moves_m.size(); ++k) {
        const Vec3d along = (Vec3d(-0.6, 0.2, 0.7) + 0.3 * random.direction()).normalized();
        truth.submovements.push_back({knots[k] / 60.0, knots[k + 2] / 60.0, moves_m[k] * along});
      }
      auto samples = sample_positions(truth, knots[knots.size() - 2] + 1, 1.0 / 60.0);
      for (Vec3d& p : samples) p = p.cast<float>().cast<double>();
      const auto found = decompose_positions(samples, 1.0 / 60.0, kParams)->model.submovements;
      read += std::equal(found.begin(), found.end(), truth.submovements.begin(), truth.submovements.end(),
                         [](const auto& a, const auto& b) {
                           return std::abs(a.t0_s - b.t0_s) < 1e-3 && std::abs(a.tf_s - b.tf_s) < 1e-3;
                         });
    }
    return read;
  };
  EXPECT_GE(count_read(quick, quick_m, 8.0), 8);
  EXPECT_GE(count_read(slow, slow_m, 4.5), 8);
}

// Half a turn from frame to frame is the same either way round: it comes back the way it went.
TEST(FoundAgain, HalfTurnsFromFrameToFrame) {
  for (const double fps : {24.0, 120.0}) {
    std::vector<Quatd> samples;
    const Quatd turned = exp_rotation(std::numbers::pi * Vec3d(-0.36, 0.48, -0.8));
    for (int i = 0; i < 70; ++i) samples.push_back(i / 7 % 2 ? turned : Quatd::Identity());
    EXPECT_EQ(expect_found_again(samples, fps, fmt::format("{} Hz", fps)), 9u);
  }
}

// Turns of many circles that nearly cancel would follow it too.
TEST(FoundAgain, WhatSpinsFasterThanGoalsCanBe) {
  for (const double fps : {24.0, 60.0}) {
    for (const double degrees : {30.0, 95.0, 120.0, 175.0}) {
      std::vector<Quatd> samples;
      for (int i = 0; i < 72; ++i) samples.push_back(exp_rotation({0.0, degrees * std::numbers::pi / 180.0 * i, 0.0}));
      const std::string what = fmt::format("{} degrees a frame at {} Hz", degrees, fps);
      expect_found_again(samples, fps, what);
      const auto found = decompose_rotations(samples, 1.0 / fps, kParams).value();
      for (const auto& s : found.model.submovements)
        EXPECT_LE(s.rotation_rad.norm(), 2.0 * std::numbers::pi + 1e-5) << what;
    }
  }
}

TEST(FoundAgain, AHingeThatTurnsOnceOrMore) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    scenes::Random random(seed);
    const Vec3d axis = random.direction();
    const int begin = 10 + random.index(20), end = begin + 40 + random.index(30);
    for (const double turns : {1.0, 1.25}) {
      const RotationModel truth{.start = random.rotation(),
                                .submovements = {{begin / 60.0, end / 60.0, turns * 2.0 * std::numbers::pi * axis}}};
      auto samples = sample_rotations(truth, 120, 1.0 / 60.0);
      for (Quatd& q : samples) q = q.cast<float>().cast<double>();
      EXPECT_EQ(expect_found_again(samples, 60.0, fmt::format("{} turns, seed {}", turns, seed)), 1u);
    }
  }
}

// A root that is shaken by 2 cm, and now and then hardly.
TEST(FoundAgain, ARootThatShakesEveryFrame) {
  scenes::Random random(7);
  std::vector<Vec3d> samples;
  for (int i = 0; i < 300; ++i) samples.push_back(Vec3d(1.0, 0.9, 2.0) + (i % 9 == 4 ? 1e-4 : 0.02) * noises(random));
  EXPECT_GE(expect_found_again(samples, 60.0, "a root that shakes"), 200u);
}

TEST(FoundAgain, WhatJittersByTheBound) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    scenes::Random random(seed);
    std::vector<Quatd> samples;
    for (int i = 0; i < 180; ++i)
      samples.push_back(exp_rotation((0.6 + 0.3 * static_cast<double>(seed)) * kParams.max_error_rad * noises(random)));
    expect_found_again(samples, 60.0, fmt::format("seed {}", seed));
  }
}

}  // namespace
}  // namespace shosa::submovement::test
