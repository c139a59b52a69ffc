#include "shosa/draw/range_region.h"

#include <gmock/gmock.h>

namespace shosa::draw {
namespace {

RangeRegion square() {
  return {.name = "elbow",
          .corners = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}},
          .triangles = {{0, 1, 2}, {0, 2, 3}},
          .now = Point(0.25, 0.5)};
}

int count_filled(const Canvas& canvas, const Colour& colour) {
  int count = 0;
  for (const Item& item : canvas.items()) {
    const auto* shape = std::get_if<Shape>(&item);
    if (!shape || !shape->fill) continue;
    const Colour& c = shape->fill->colour;
    if (c.red == colour.red && c.green == colour.green && c.blue == colour.blue) ++count;
  }
  return count;
}

TEST(RangeRegions, AViolatedRangeIsRedAndOthersAreNot) {
  RangeRegion out = square();
  out.violated = true;
  const std::vector<RangeRegion> both = {square(), out};
  const auto canvas = draw_range_regions(both);
  ASSERT_TRUE(canvas.has_value());
  EXPECT_EQ(count_filled(*canvas, kInRange), 2);         // two triangles
  EXPECT_EQ(count_filled(*canvas, kOutOfRange), 2 + 1);  // two triangles and the point
  EXPECT_TRUE(encode(*canvas).has_value());
}

TEST(RangeRegions, BrokenRulesAreNamed) {
  EXPECT_FALSE(draw_range_regions({}).has_value());
  RangeRegion bad = square();
  bad.triangles[1][2] = 4;
  const auto refused = draw_range_regions(std::vector{bad});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("'elbow': corner 4, expected 0 to 3"));
  EXPECT_FALSE(draw_range_regions(std::vector{square()}, {.columns = 0}).has_value());
}

TEST(RangeCone, RimLiesAtItsLengthFromTheApex) {
  // Seen from the front, a cone to the right: the rim's points project 0.5 m right of the apex.
  RangeCone cone{.apex_m = {0, 1, 0}, .rim = {{1, 0.1, 0}, {1, 0, 0.1}, {1, -0.1, 0}, {1, 0, -0.1}}, .length_m = 0.5};
  const Projection projection{.view = {}, .px_per_m = 100.0, .centre_m = {0, 1, 0}, .centre_px = {200, 200}};
  Canvas canvas(400, 400);
  draw_range_cone(canvas, cone, projection);
  const Shape& lid = std::get<Shape>(canvas.items()[1]);
  const double right = projection.to_px({0.5, 1, 0}).x();
  for (const auto& step : lid.path.steps()) {
    if (const auto* line = std::get_if<Path::Line>(&step)) {
      EXPECT_NEAR(line->to.x(), right, 0.5);
    }
  }
  Canvas nothing(400, 400);
  cone.rim.resize(2);
  draw_range_cone(nothing, cone, projection);
  EXPECT_TRUE(nothing.items().empty());
}

}  // namespace
}  // namespace shosa::draw
