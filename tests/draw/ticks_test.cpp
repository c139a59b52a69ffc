#include "draw/ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace shosa::draw {
namespace {

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> texts;
  for (const Tick& tick : ticks) {
    texts.push_back(tick.label);
  }
  return texts;
}

TEST(Ticks, AreRoundAndCarryTheDecimalsOfTheStep) {
  EXPECT_THAT(labels(linear_ticks(0.0, 1.0, 5)), testing::ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels(linear_ticks(-7.0, 12.0, 4)), testing::ElementsAre("-5", "0", "5", "10"));
  EXPECT_THAT(labels(linear_ticks(0.011, 0.019, 4)), testing::ElementsAre("0.012", "0.014", "0.016", "0.018"));
}

TEST(Ticks, EndWhereADoubleNoLongerHoldsTheStep) {
  const double huge = 1e17;
  for (const auto& [low, high] : {std::pair{huge, huge + 48.0},
                                  {-huge - 48.0, -huge},
                                  {1.0, std::nextafter(1.0, 2.0)},
                                  {-1.7e308, 1.7e308},
                                  {0.0, 5e-324}}) {
    const std::vector<Tick> ticks = linear_ticks(low, high, 5);
    EXPECT_LE(ticks.size(), 6u) << low;
    for (std::size_t i = 1; i < ticks.size(); ++i) EXPECT_GT(ticks[i].value, ticks[i - 1].value) << low;
  }
}

TEST(Ticks, StayInRangeAndKeepTheirNumber) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> exponent(-6.0, 6.0);
    const double low = std::uniform_real_distribution<double>(-1.0, 1.0)(random) * std::pow(10.0, exponent(random));
    const double high = low + std::pow(10.0, exponent(random));
    const int most = 2 + static_cast<int>(seed % 9);
    const std::vector<Tick> ticks = linear_ticks(low, high, most);
    EXPECT_LE(static_cast<int>(ticks.size()), most + 1) << "seed " << seed;
    EXPECT_GE(ticks.size(), 1u) << "seed " << seed;
    for (const Tick& tick : ticks) {
      EXPECT_GE(tick.value, low - 1e-6 * (high - low)) << "seed " << seed;
      EXPECT_LE(tick.value, high + 1e-6 * (high - low)) << "seed " << seed;
    }
  }
}

TEST(Ticks, OfALogScaleArePowersOfTen) {
  EXPECT_THAT(labels(log_ticks(0.01, 150.0, 10)), testing::ElementsAre("0.01", "0.1", "1", "10", "100"));
  EXPECT_THAT(labels(log_ticks(1.5, 8.0, 10)), testing::ElementsAre("2", "5"));
  EXPECT_LE(log_ticks(1e-12, 1e12, 4).size(), 6u);
}

}  // namespace
}  // namespace shosa::draw
