#include "draw/depth_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace shosa::draw {
namespace {

using testing::ElementsAre;

SeenBody capsule(const Vec3d& from, const Vec3d& to, double radius = 1.0) {
  return {{{from, radius}, {to, radius}}};
}

TEST(DepthOrder, FartherBodiesComeFirst) {
  const SeenBody bodies[] = {{{{{0, 0, 5}, 1}}}, {{{{0, 0, -5}, 1}}}, {{{{0, 0, 0}, 1}}}};
  EXPECT_THAT(depth_order(bodies), ElementsAre(1, 2, 0));
}

TEST(DepthOrder, BodiesAreComparedWhereTheyCrossNotByTheirMeanDepth) {
  // The first is nearer on average, but behind the second where they cross on the page (at x = 0).
  const SeenBody bodies[] = {capsule({0, 0, -5}, {40, 0, 60}), capsule({0, -10, 0}, {0, 10, 0})};
  EXPECT_THAT(depth_order(bodies), ElementsAre(0, 1));
}

TEST(DepthOrder, NeighboursOfALimbAreOrderedByMeanDepth) {
  // They share a joint at the origin; the second bends towards the viewer.
  const SeenBody bodies[] = {capsule({0, 0, 0}, {0, 10, 8}), capsule({0, -10, 0}, {0, 0, 0})};
  EXPECT_THAT(depth_order(bodies), ElementsAre(1, 0));
}

TEST(DepthOrder, AtOneDepthTheLaterCoversTheEarlier) {
  const SeenBody bodies[] = {capsule({0, 0, 0.1}, {0, 10, 0.1}), capsule({0, 8, 0}, {0, 20, 0})};
  EXPECT_THAT(depth_order(bodies), ElementsAre(0, 1));
  const SeenBody swapped[] = {bodies[1], bodies[0]};
  EXPECT_THAT(depth_order(swapped), ElementsAre(0, 1));
}

TEST(DepthOrder, ThreeInACycleAreStillAllPainted) {
  // Each stick lies over the next, as in a woven mat: no order is right, but none may be lost.
  const SeenBody bodies[] = {capsule({-10, 0, 0}, {10, 0, 10}), capsule({8, -3, 0}, {-3, 14, 10}),
                             capsule({3, 14, 0}, {-8, -3, 10})};
  std::vector<std::size_t> order = depth_order(bodies);
  std::ranges::sort(order);
  EXPECT_THAT(order, ElementsAre(0, 1, 2));
}

TEST(DepthOrder, NoBodiesAndEmptyBodiesAreFine) {
  EXPECT_TRUE(depth_order({}).empty());
  const SeenBody bodies[] = {{}, {{}}, {{{{0, 0, 0}, 1}}}};
  EXPECT_EQ(depth_order(bodies).size(), 3u);
}

TEST(DepthOrder, FlatCardsComeOutSortedByDepth) {
  // Bodies that each lie at one depth: the slow method is a plain sort.
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-3.0, 3.0);
    std::vector<double> depths(12);
    for (std::size_t i = 0; i < depths.size(); ++i) {
      depths[i] = 10.0 * static_cast<double>(i);
    }
    std::ranges::shuffle(depths, random);
    std::vector<SeenBody> bodies;
    for (const double depth : depths) {
      bodies.push_back(capsule({place(random), place(random), depth}, {place(random), place(random), depth}, 2.0));
    }
    std::vector<double> painted;
    for (const std::size_t index : depth_order(bodies)) {
      painted.push_back(depths[index]);
    }
    EXPECT_TRUE(std::ranges::is_sorted(painted)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace shosa::draw
