#include "shosa/analysis/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "analysis/scene_bodies.h"
#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/analysis/ground.h"

namespace shosa {
namespace {

analysis::MotionQuality quality_of(const Clip& clip, const analysis::FootContacts& contacts) {
  return analysis::measure_quality(*analysis::study(clip, test::scene_body_map(clip.skeleton()), contacts));
}
analysis::FootContacts found_contacts(const Clip& clip) {
  return test::study_scene(clip).contacts();
}
Clip shifted(const Clip& clip, const Vec3d& velocity_mps, const Vec3d& offset_m = Vec3d::Zero()) {
  Clip out = clip;
  for (int f = 0; f < clip.frame_count(); ++f) {
    out.set_translation(
        f, 0,
        (clip.translation(f, 0).cast<double>() + offset_m + velocity_mps * (f * clip.frame_time_s())).cast<float>());
  }
  return out;
}

TEST(Metrics, AStandingFigureSlidesAsFastAsItIsPulled) {
  const Clip clip = scenes::stand().clip;
  const auto contacts = found_contacts(clip);
  EXPECT_LT(quality_of(clip, contacts).foot_skate_mps, 1e-4);
  EXPECT_NEAR(quality_of(shifted(clip, {0.03, 0, 0.04}), contacts).foot_skate_mps, 0.05, 1e-4);
}

TEST(Metrics, APlannedWalkDoesNotSlide) {
  const Clip clip = scenes::walk({.fps = 120}).clip;
  EXPECT_LT(quality_of(clip, found_contacts(clip)).foot_skate_mps, 0.02);
}

TEST(Metrics, PenetrationIsTheDepthUnderTheGroundOfTheContacts) {
  const Clip clip = scenes::stand().clip;
  const auto contacts = found_contacts(clip);
  EXPECT_LT(quality_of(clip, contacts).penetration_m, 1e-3);
  const auto sunk = quality_of(shifted(clip, Vec3d::Zero(), {0, -0.05, 0}), contacts);
  EXPECT_NEAR(sunk.penetration_m, 0.05, 1e-3);
  EXPECT_NEAR(sunk.mean_penetration_m, 0.05, 1e-3);
}

TEST(Metrics, JerkAndAccelerationOfACubicAreItsDerivatives) {
  // x = 2 t^3: acceleration 12 t, jerk 12, for every joint.
  Clip clip(scenes::chain(4), 101, 0.01);
  for (int f = 0; f <= 100; ++f) {
    const double t = 0.01 * f;
    clip.set_translation(f, 0, Vec3d(2 * t * t * t, 0, 0).cast<float>());
  }
  const auto quality = analysis::measure_quality(analysis::study(clip, {}));
  EXPECT_FALSE(quality.has_feet);
  EXPECT_NEAR(quality.mean_jerk_mps3, 12.0, 0.25);
  EXPECT_NEAR(quality.peak_acceleration_mps2, 12.0 * 0.99, 0.02);
}

TEST(Metrics, SpectrumAgreesWithTheDefinition) {
  for (const int n : {1, 2, 3, 7, 16, 45, 97, 100}) {
    scenes::Random random(static_cast<std::uint64_t>(n));
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& value : x) value = random.uniform(-1.0, 1.0);
    const auto power = analysis::real_power_spectrum(x);
    ASSERT_EQ(power.size(), x.size());
    for (int k = 0; k < n; ++k) {
      double real = 0.0;
      for (int t = 0; t < n; ++t) {
        real += x[t] * std::cos(2.0 * std::numbers::pi * ((static_cast<long>(k) * t) % n) / n);
      }
      EXPECT_NEAR(power[k], real * real, 1e-9) << n << " " << k;
    }
  }
}

TEST(ReferenceError, IsZeroAgainstItself) {
  const Clip clip = scenes::walk().clip;
  const auto error = analysis::compare_with_reference(clip, clip);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->l2p_m, 0.0);
  EXPECT_EQ(error->l2q, 0.0);
  EXPECT_EQ(error->npss, 0.0);
}

TEST(ReferenceError, OfAShiftIsTheNormOverAllJoints) {
  const Clip clip = scenes::walk().clip;
  const auto error = analysis::compare_with_reference(shifted(clip, Vec3d::Zero(), {0.3, 0, 0.4}), clip);
  ASSERT_TRUE(error.has_value());
  EXPECT_NEAR(error->l2p_m, 0.5 * std::sqrt(clip.joint_count()), 1e-4);
  EXPECT_NEAR(error->l2q, 0.0, 1e-9);
}

TEST(ReferenceError, OfARootTurnIsTheQuaternionDistanceOverAllJoints) {
  const Clip clip = scenes::random_clip(scenes::humanoid(), 40, 3);
  Clip turned = clip;
  const Quatd turn(Eigen::AngleAxisd(0.6, Vec3d::UnitY()));
  for (int f = 0; f < clip.frame_count(); ++f) {
    turned.set_rotation(f, 0, (turn * clip.rotation(f, 0).cast<double>()).cast<float>());
  }
  const auto error = analysis::compare_with_reference(turned, clip);
  ASSERT_TRUE(error.has_value());
  // |q - r q| = 2 sin(angle / 4) for unit quaternions.
  EXPECT_NEAR(error->l2q, 2.0 * std::sin(0.15) * std::sqrt(clip.joint_count()), 1e-4);
}

TEST(ReferenceError, NpssIsTheEarthMoversDistanceOfTwoLines) {
  // One joint that turns about X with a pure cosine in its quaternion's x; the spectrum has lines at k and n - k.
  const int n = 32;
  const auto make = [&](int k) {
    Clip clip(scenes::chain(1), n, 0.01);
    for (int f = 0; f < n; ++f) {
      const double x = 0.5 * std::cos(2.0 * std::numbers::pi * k * f / n);
      clip.set_rotation(f, 0, Quatd(std::sqrt(1 - x * x), x, 0, 0).cast<float>());
    }
    return clip;
  };
  const Clip truth = make(2), other = make(5);
  const auto error = analysis::compare_with_reference(other, truth);
  ASSERT_TRUE(error.has_value());
  // Independent: the definition with a plain DFT over the four components.
  double weighted = 0.0, total = 0.0;
  for (int c = 0; c < 4; ++c) {
    const auto power = [&](const Clip& clip) {
      std::vector<double> p(n);
      for (int k = 0; k < n; ++k) {
        std::complex<double> sum = 0.0;
        for (int f = 0; f < n; ++f) {
          sum += static_cast<double>(clip.rotation(f, 0).coeffs()[c]) *
                 std::polar(1.0, -2.0 * std::numbers::pi * k * f / n);
        }
        p[k] = sum.real() * sum.real();
      }
      return p;
    };
    const auto p = power(truth), q = power(other);
    double ps = 0.0, qs = 0.0, pc = 0.0, qc = 0.0, emd = 0.0;
    for (const double v : p) ps += v;
    for (const double v : q) qs += v;
    for (int k = 0; k < n; ++k) {
      pc += ps > 0 ? p[k] / ps : 0.0;
      qc += qs > 0 ? q[k] / qs : 0.0;
      emd += std::abs(pc - qc);
    }
    weighted += emd * ps;
    total += ps;
  }
  EXPECT_GT(error->npss, 0.01);
  EXPECT_NEAR(error->npss, weighted / total, 1e-6);
}

TEST(ReferenceError, OtherLengthsRatesAndSkeletonsAreRefused) {
  const Clip clip = scenes::stand(1.0).clip;
  EXPECT_FALSE(analysis::compare_with_reference(clip, scenes::stand(2.0).clip).has_value());
  Clip faster = clip;
  faster.set_frame_time_s(clip.frame_time_s() * 0.5);
  EXPECT_FALSE(analysis::compare_with_reference(clip, faster).has_value());
  EXPECT_FALSE(analysis::compare_with_reference(clip, scenes::dog_walk({.duration_s = 1.0}).clip).has_value());
}

TEST(Ground, IsWhereTheLowestFootPointRests) {
  const Clip clip = shifted(scenes::walk().clip, Vec3d::Zero(), {0, 0.7, 0});
  const body::BodyMap map = test::scene_body_map(clip.skeleton());
  const auto feet = body::find_foot_points(clip.skeleton(), map);
  const auto ground = analysis::find_ground(clip_positions(clip), feet);
  ASSERT_TRUE(ground.has_value());
  EXPECT_NEAR(ground->height_m, 0.71, 0.003);
  EXPECT_FALSE(analysis::find_ground(clip_positions(clip), {}).has_value());
  EXPECT_FALSE(analysis::find_ground(clip_positions(clip), feet, {.percentile = 2.0}).has_value());
}

}  // namespace
}  // namespace shosa
