// The two least-squares problems inside, against finite differences.

#include <gtest/gtest.h>

#include "../src/submovement/rotation_fit.h"
#include "../src/submovement/timing_fit.h"
#include "shosa/core/rotations.h"
#include "solve/finite_difference.h"
#include "submovement/synthetic.h"

namespace shosa::submovement::detail {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(TimingFit, GradientAgreesWithFiniteDifferencesWithFreeAndFixedEnds) {
  const auto made = test::make_synthetic(4, 3, 60.0);
  const auto samples = test::noisy_positions(made, 60.0, 0.002, 4);
  for (const bool free_start : {true, false}) {
    for (const bool free_end : {true, false}) {
      FitWindow window{.step_s = 1.0 / 60.0, .free_start = free_start, .free_end = free_end};
      window.target.resize(static_cast<Eigen::Index>(samples.size()), 3);
      for (std::size_t i = 0; i < samples.size(); ++i)
        window.target.row(static_cast<Eigen::Index>(i)) = samples[i] - samples[0];
      window.end_level = window.target.bottomRows(1);
      window.low_s = -4.0;
      window.high_s = 99.0;
      window.ridge = 0.01;
      TimingFit fit(window);
      VectorXd x(6);
      for (int k = 0; k < 3; ++k) {
        const auto& s = made.positions.submovements[k];
        x.segment<2>(2 * k) = Eigen::Vector2d(s.t0_s + 0.03 * k - 0.04, s.tf_s + 0.05);
      }
      const auto cost = [&](const VectorXd& at) {
        TimingFit::Normal a(6, 6);
        TimingFit::Parameters b(6), p = at;
        return VectorXd(VectorXd::Constant(1, fit.evaluate(p, a, b)));
      };
      TimingFit::Normal jtj(6, 6);
      TimingFit::Parameters jtr(6), p = x;
      fit.evaluate(p, jtj, jtr);
      EXPECT_LT(solve::jacobian_error(cost, x, MatrixXd(jtr.transpose())), 1e-6) << free_start << free_end;
    }
  }
}

TEST(RotationFit, GradientAgreesWithFiniteDifferencesWithNeighboursOnBothSides) {
  const auto made = test::make_synthetic(6, 3, 60.0);
  const auto samples = test::noisy_rotations(made, 60.0, 0.02, 6);
  for (const double end_weight : {0.0, 40.0}) {
    RotationWindow window{
        .samples = samples, .step_s = 1.0 / 60.0, .end_weight = end_weight, .high_s = 9.0, .last_t0_s = 9.0};
    scenes::Random random(8);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      window.before.push_back(exp_rotation(0.01 * static_cast<double>(i) * Vec3d(1, 0.2, 0)));
      window.after.push_back(exp_rotation(0.01 * static_cast<double>(i) * Vec3d(0, 0.3, 0.5)));
    }
    RotationFit fit(window, made.rotations.start, made.rotations.submovements);
    VectorXd x = fit.parameters();
    for (double& v : x) v += 0.03 * random.uniform(-1.0, 1.0);
    const auto cost = [&](const VectorXd& at) {
      MatrixXd a;
      VectorXd b;
      return VectorXd(VectorXd::Constant(1, fit.evaluate(at, a, b)));
    };
    MatrixXd jtj;
    VectorXd jtr;
    fit.evaluate(x, jtj, jtr);
    EXPECT_LT(solve::jacobian_error(cost, x, MatrixXd(jtr.transpose())), 1e-6) << end_weight;
  }
}

}  // namespace
}  // namespace shosa::submovement::detail
