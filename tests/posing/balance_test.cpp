#include "shosa/posing/balance.h"

#include <gtest/gtest.h>

#include "scenes/scenes.h"
#include "shosa/posing/pin_drag_solver.h"

namespace shosa::posing {
namespace {

using Point = Eigen::Vector2d;

TEST(WayIntoHull, IsZeroInsideAndTheShortestWayOutside) {
  const std::vector<Point> square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_EQ(way_into_hull({0.3, 0.9}, square), Point(0, 0));
  EXPECT_LT((way_into_hull({0.5, 1.4}, square) - Point(0, -0.4)).norm(), 1e-12);
  EXPECT_LT((way_into_hull({-1, -1}, square) - Point(1, 1)).norm(), 1e-12);
}

TEST(WayIntoHull, KnowsPointsAndLines) {
  EXPECT_LT((way_into_hull({1, 2}, std::vector<Point>{{0, 0}}) - Point(-1, -2)).norm(), 1e-12);
  const std::vector<Point> line = {{0, 0}, {1, 0}, {2, 0}};
  EXPECT_LT((way_into_hull({3, 0}, line) - Point(-1, 0)).norm(), 1e-12);
  EXPECT_LT((way_into_hull({1.5, 0.5}, line) - Point(0, -0.5)).norm(), 1e-12);
  EXPECT_EQ(way_into_hull({1.5, 0.0}, line), Point(0, 0));
}

class Balanced : public testing::Test {
 protected:
  std::shared_ptr<const Skeleton> skeleton_ = scenes::humanoid();
  body::BodyMap map_ = body::guess_body_map(*skeleton_);

  // Feet pinned, the right hand dragged far forward and to the side.
  PinDragSolver reaching(bool balance) {
    PinDragSolver solver(skeleton_);
    solver.body().set_pose(scenes::stand().clip.frame(0));
    for (const char* name : {"left_foot", "left_toes", "right_foot", "right_toes"}) {
      Goal pin;
      pin.joint = skeleton_->find(name);
      pin.position_m = solver.body().world().positions[std::size_t(pin.joint)];
      EXPECT_TRUE(solver.add_goal(pin).has_value());
    }
    Goal drag;
    drag.joint = skeleton_->find("right_hand");
    drag.position_m = Vec3d(-0.7, 0.9, 0.7);
    drag.priority = Priority::high;
    EXPECT_TRUE(solver.add_goal(drag).has_value());
    Balance params;
    params.on = balance;
    params.masses = *human_masses(*skeleton_, map_);
    params.support = human_support(*skeleton_, map_);
    EXPECT_TRUE(solver.set_balance(params).has_value());
    return solver;
  }
};

TEST_F(Balanced, MassesAreAWholeBody) {
  const auto masses = *human_masses(*skeleton_, map_);
  double total = 0.0;
  for (const PointMass& mass : masses) total += mass.mass;
  EXPECT_NEAR(total, 1.0, 1e-9);
  const auto chain = scenes::chain(3);
  EXPECT_FALSE(human_masses(*chain, body::BodyMap()).has_value());
}

TEST_F(Balanced, KeepsTheCentreOfMassOverTheFeet) {
  PinDragSolver without = reaching(false), with = reaching(true);
  StepReport report;
  for (int i = 0; i < 240; ++i) {
    without.step(1.0 / 60.0);
    report = with.step(1.0 / 60.0);
  }
  EXPECT_GT(without.balance_error_m(), 0.03);
  EXPECT_LT(with.balance_error_m(), 1e-3);
  EXPECT_LT(report.max_drag_error_m, 1e-4);
  EXPECT_LT(report.max_pin_error_m, 1e-3);
}

// Feet that nothing holds would run after the centre of mass.
TEST_F(Balanced, FeetThatAreNotHeldCarryNothing) {
  PinDragSolver solver = reaching(true);
  for (int id = 0; id < solver.goal_count(); ++id) {
    Goal off = solver.goal(id);
    off.on = false;
    ASSERT_TRUE(solver.set_goal(id, off).has_value());
  }
  const WorldPose before = solver.body().world();
  for (int i = 0; i < 60; ++i) solver.step(1.0 / 60.0);
  for (std::size_t j = 0; j < before.positions.size(); ++j) {
    EXPECT_LT((solver.body().world().positions[j] - before.positions[j]).norm(), 1e-9);
  }
  EXPECT_EQ(solver.balance_error_m(), 0.0);
}

TEST_F(Balanced, RefusesBrokenRules) {
  PinDragSolver solver(skeleton_);
  Balance balance;
  EXPECT_FALSE(solver.set_balance(balance).has_value());
  balance.masses = *human_masses(*skeleton_, map_);
  EXPECT_FALSE(solver.set_balance(balance).has_value());
  balance.support = human_support(*skeleton_, map_);
  EXPECT_TRUE(solver.set_balance(balance).has_value());
  balance.weight = 0.0;
  EXPECT_FALSE(solver.set_balance(balance).has_value());
  balance.weight = 1.0;
  balance.masses[0].joint = 99;
  EXPECT_FALSE(solver.set_balance(balance).has_value());
}

}  // namespace
}  // namespace shosa::posing
