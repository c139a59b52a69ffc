#include "shosa/core/rotations.h"

#include <gtest/gtest.h>

#include "scenes/random.h"

namespace shosa {
namespace {

TEST(ShortestTurn, TakesOneDirectionToTheOtherThroughTheAngleBetweenThem) {
  scenes::Random random(7);
  for (int i = 0; i < 1000; ++i) {
    const Vec3d from = random.direction() * random.uniform(1e-3, 1e3), to = random.direction();
    const Quatd turn = shortest_turn(from, to);
    EXPECT_NEAR(turn.norm(), 1.0, 1e-12) << i;
    EXPECT_LT((turn * from.normalized() - to).norm(), 1e-9) << i;
    EXPECT_NEAR(Quatd::Identity().angularDistance(turn), std::acos(from.normalized().dot(to)), 1e-7) << i;
  }
}

TEST(ShortestTurn, IsHalfATurnBetweenOppositeDirections) {
  for (const Vec3d& from : {Vec3d(1, 0, 0), Vec3d(0, -2, 0), Vec3d(0, 0, 3), Vec3d(1, 2, -3)}) {
    const Quatd turn = shortest_turn(from, -0.5 * from);
    EXPECT_NEAR(turn.norm(), 1.0, 1e-12);
    EXPECT_LT((turn * from + from).norm(), 1e-9 * from.norm());
  }
}

TEST(ShortestTurn, LeavesAZeroVectorAlone) {
  EXPECT_TRUE(shortest_turn(Vec3d::Zero(), Vec3d::UnitX()).isApprox(Quatd::Identity()));
  EXPECT_TRUE(shortest_turn(Vec3d::UnitX(), Vec3d::Zero()).isApprox(Quatd::Identity()));
}

}  // namespace
}  // namespace shosa
