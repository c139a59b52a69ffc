#include "draw/round_hull.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "draw/pixels.h"

namespace shosa::draw {
namespace {

constexpr double kPi = std::numbers::pi;

/// Length of the outline: arcs and the straight lines between them.
double perimeter_px(std::span<const Disc> discs) {
  const std::vector<HullArc> arcs = round_hull(discs);
  const auto at = [&](const HullArc& arc, double angle) {
    return Point(discs[arc.disc].centre + discs[arc.disc].radius_px * Point(std::cos(angle), std::sin(angle)));
  };
  double length_px = 0.0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const HullArc& next = arcs[(i + 1) % arcs.size()];
    length_px += discs[arcs[i].disc].radius_px * (arcs[i].end_rad - arcs[i].begin_rad);
    length_px += (at(next, next.begin_rad) - at(arcs[i], arcs[i].end_rad)).norm();
  }
  return length_px;
}

TEST(RoundHull, OneDiscIsAWholeCircle) {
  const Disc discs[] = {{{3, 4}, 2.0}};
  EXPECT_EQ(round_hull(discs).size(), 1u);
  EXPECT_NEAR(perimeter_px(discs), 4.0 * kPi, 1e-12);
}

TEST(RoundHull, EqualDiscsMakeAStadium) {
  const Disc discs[] = {{{0, 0}, 2.0}, {{7, 0}, 2.0}};
  EXPECT_NEAR(perimeter_px(discs), 4.0 * kPi + 14.0, 1e-9);
}

TEST(RoundHull, UnequalDiscsMakeATaperedCapsule) {
  // A belt around two wheels: tangents of length sqrt(d^2 - (R - r)^2), wraps of pi +- 2 asin((R - r) / d).
  const Disc discs[] = {{{1, 1}, 5.0}, {{1, 13}, 2.0}};
  const double tilt = std::asin(3.0 / 12.0);
  const double expected = 2.0 * std::sqrt(144.0 - 9.0) + 5.0 * (kPi + 2.0 * tilt) + 2.0 * (kPi - 2.0 * tilt);
  EXPECT_NEAR(perimeter_px(discs), expected, 1e-9);
}

TEST(RoundHull, DiscsInsideAnotherDoNotShow) {
  const Disc discs[] = {{{1, 0}, 1.0}, {{0, 0}, 5.0}, {{0, 0}, 5.0}, {{-2, 1}, 0.5}};
  EXPECT_NEAR(perimeter_px(discs), 10.0 * kPi, 1e-12);
}

TEST(RoundHull, NoDiscsGiveNothing) {
  EXPECT_TRUE(round_hull({}).empty());
  EXPECT_TRUE(round_hull_path({}).empty());
}

TEST(RoundHull, OutlinesInOnePathStayApart) {
  const Disc first[] = {{{20, 20}, 10.0}, {{20, 40}, 8.0}};
  const Disc second[] = {{{80, 60}, 10.0}, {{80, 80}, 12.0}, {{70, 70}, 5.0}};
  Path both = round_hull_path(first);
  both.append(round_hull_path(second));
  Canvas canvas(100, 100);
  canvas.fill(std::move(both), {1, 0, 0, 1});
  const Pixels pixels(canvas);
  EXPECT_TRUE(Pixels::near(pixels.at(20, 30), {1, 0, 0, 1}));
  EXPECT_TRUE(Pixels::near(pixels.at(80, 70), {1, 0, 0, 1}));
  EXPECT_EQ(pixels.count({1, 1, 1, 1}, 32, 0, 62, 99), 31 * 100);
}

TEST(RoundHull, OutlineIsTheFarthestDiscInEveryDirection) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-10.0, 10.0);
    std::uniform_real_distribution<double> size(0.0, 6.0);
    std::vector<Disc> discs(1 + seed % 6);
    for (Disc& disc : discs) {
      disc = {{place(random), place(random)}, size(random)};
    }
    const std::vector<HullArc> arcs = round_hull(discs);

    // The arcs go once around without gaps.
    double turned = 0.0;
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      turned += arcs[i].end_rad - arcs[i].begin_rad;
      if (i > 0) {
        EXPECT_NEAR(arcs[i].begin_rad, arcs[i - 1].end_rad, 1e-9) << "seed " << seed;
      }
    }
    EXPECT_NEAR(turned, 2.0 * kPi, 1e-9) << "seed " << seed;

    for (const HullArc& arc : arcs) {
      for (const double part : {0.01, 0.3, 0.5, 0.99}) {
        const double angle = arc.begin_rad + part * (arc.end_rad - arc.begin_rad);
        const Point direction(std::cos(angle), std::sin(angle));
        double farthest = -1e300;
        for (const Disc& disc : discs) {
          farthest = std::max(farthest, disc.centre.dot(direction) + disc.radius_px);
        }
        EXPECT_NEAR(discs[arc.disc].centre.dot(direction) + discs[arc.disc].radius_px, farthest, 1e-9)
            << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace shosa::draw
