#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "shosa/solve/smooth_below.h"
#include "shosa/solve/spline_fit.h"

namespace shosa::solve {
namespace {

TEST(SmoothBelow, IsTheSmoothestPathUnderItsBound) {
  const std::size_t n = 80;
  const std::vector<double> weight(n, 1.0), target(n, 0.0);
  std::vector<double> most(n, INFINITY), x(n, 0.0);
  const double stiffness = 3000.0;
  EXPECT_EQ(smooth_below({weight, target, std::vector<double>(n, 0.0), stiffness}, x).iterations, 0);
  EXPECT_THAT(x, ::testing::Each(0.0));
  for (std::size_t i = 30; i < 40; ++i) most[i] = -0.1;
  smooth_below({weight, target, most, stiffness, 0, 1e-6}, x);
  const auto bend = [&](std::size_t i) { return i == 0 || i + 1 >= n ? 0.0 : x[i - 1] - 2.0 * x[i] + x[i + 1]; };
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_LE(x[i], most[i] + 1e-5) << i;
    const double pull =
        x[i] + stiffness * ((i > 0 ? bend(i - 1) : 0.0) - 2.0 * bend(i) + (i + 1 < n ? bend(i + 1) : 0.0));
    if (i >= 30 && i < 40) {
      EXPECT_LE(pull, 1e-3) << i;
    } else {
      EXPECT_NEAR(pull, 0.0, 1e-3) << i;
    }
  }
  // What is kept stays, and the path goes on with its speed.
  const std::vector<double> before = x;
  for (std::size_t i = 50; i < 60; ++i) most[i] = -0.2;
  smooth_below({weight, target, most, stiffness, 20}, x);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(x[i], before[i]);
  EXPECT_NEAR(x[20] - x[19], x[19] - x[18], 0.01);
}

// A spline through its own control points: the basis written out once more.
TEST(SplineFit, FindsTheControlPointsOfACubic) {
  const int frames = 41, spacing = 16;  // knots 4 frames apart
  const auto cubic = [](double f) { return Eigen::Vector4d(1.0, f, 0.01 * f * f, 1e-4 * f * f * f); };
  SplineSignal signal;
  for (int f = 0; f < frames; ++f) signal.push_back(cubic(f));
  const auto points = fit_spline(signal, spacing);
  ASSERT_EQ(points.size(), 13u);
  for (int f = 0; f < frames - 1; ++f) {
    const int cell = f / 4;
    const double x = f / 4.0 - cell, y = 1.0 - x;
    const Eigen::Vector4d at =
        (y * y * y * points[cell] + (3.0 * x * x * x - 6.0 * x * x + 4.0) * points[cell + 1] +
         (3.0 * y * y * y - 6.0 * y * y + 4.0) * points[cell + 2] + x * x * x * points[cell + 3]) /
        6.0;
    EXPECT_LT((at - cubic(f)).norm(), 2e-3) << f;
  }
}

}  // namespace
}  // namespace shosa::solve
