#include "shosa/draw/projection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace shosa::draw {
namespace {

constexpr ViewName kViews[] = {ViewName::side, ViewName::front, ViewName::top, ViewName::three_quarter};

TEST(Projection, AxesOfEveryViewAreRightHandedAndOfUnitLength) {
  for (int yaw = -180; yaw <= 180; yaw += 30) {
    for (int pitch = -90; pitch <= 90; pitch += 15) {
      const View view{yaw * std::numbers::pi / 180.0, pitch * std::numbers::pi / 180.0};
      EXPECT_NEAR(view.right().norm(), 1.0, 1e-12);
      EXPECT_NEAR(view.up().norm(), 1.0, 1e-12);
      EXPECT_NEAR((view.right().cross(view.up()) - view.towards_viewer()).norm(), 0.0, 1e-12);
    }
  }
}

TEST(Projection, SideAndTopShowTheHeadingToTheRight) {
  for (const double heading : {0.0, 1.0, -2.5}) {
    const Vec3d ahead(std::sin(heading), 0.0, std::cos(heading));
    const Vec3d left = Vec3d::UnitY().cross(ahead);
    EXPECT_NEAR((make_view(ViewName::side, heading).right() - ahead).norm(), 0.0, 1e-12);
    EXPECT_NEAR((make_view(ViewName::top, heading).right() - ahead).norm(), 0.0, 1e-12);
    EXPECT_NEAR((make_view(ViewName::top, heading).up() - left).norm(), 0.0, 1e-12);
    EXPECT_NEAR((make_view(ViewName::front, heading).towards_viewer() - ahead).norm(), 0.0, 1e-12);
    // Seen from the front, the body's left is on the right of the page.
    EXPECT_NEAR((make_view(ViewName::front, heading).right() - left).norm(), 0.0, 1e-12);
  }
}

TEST(Projection, UpIsUpOnThePageAndScaleIsPixelsPerMetre) {
  const Projection projection{make_view(ViewName::front, 0.0), 50.0, {1, 1, 1}, {200, 100}};
  EXPECT_NEAR((projection.to_px({1, 1, 1}) - Point(200, 100)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((projection.to_px({1, 2, 7}) - Point(200, 50)).norm(), 0.0, 1e-9);
  EXPECT_NEAR((projection.to_px({3, 1, 1}) - Point(300, 100)).norm(), 0.0, 1e-9);
  EXPECT_NEAR(projection.depth_m({0, 0, 3}), 2.0, 1e-12);
}

TEST(Projection, ViewsAreFoundByTheirNames) {
  for (const ViewName view : kViews) {
    EXPECT_EQ(find_view(view_name(view)).value(), view);
  }
  const Result<ViewName> none = find_view("below");
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().message.find("three_quarter"), std::string::npos);
}

}  // namespace
}  // namespace shosa::draw
