#include "draw/figure.h"

#include <gtest/gtest.h>

#include "draw/pixels.h"
#include "scenes/scenes.h"
#include "shosa/core/sampling.h"

namespace shosa::draw {
namespace {

struct Stage {
  explicit Stage(std::shared_ptr<const Skeleton> used) : skeleton(std::move(used)) {
    map = body::guess_body_map(*skeleton);
    world = forward_kinematics(*skeleton, Pose::rest(*skeleton));
    shape = make_body_shape(*skeleton, map, world);
  }
  Vec3d at(const char* joint) const { return world.positions[skeleton->find(joint)]; }

  std::shared_ptr<const Skeleton> skeleton;
  body::BodyMap map;
  WorldPose world;
  BodyShape shape;
};

Projection on_sheet(ViewName view) {
  return {.view = make_view(view, 0.0), .px_per_m = 200.0, .centre_m = {0, 0.9, 0}, .centre_px = {200, 200}};
}

/// Which of the three hues a pixel of a figure has.
enum class Hue {
  left,
  right,
  other
};
Hue hue(const Colour& colour) {
  return colour.blue > colour.red + 0.15 ? Hue::left : colour.red > colour.blue + 0.15 ? Hue::right : Hue::other;
}

TEST(Figure, BoxHoldsAllJointsAndEverythingPainted) {
  const Stage stage(scenes::humanoid());
  for (const ViewName view : {ViewName::side, ViewName::front, ViewName::top, ViewName::three_quarter}) {
    const Projection projection = on_sheet(view);
    const PageBox box = figure_box(stage.shape, stage.world, projection);
    for (const char* name : {"hips", "head", "left_hand", "right_hand", "left_toes", "right_toes"}) {
      const Point at = projection.to_px(stage.at(name));
      EXPECT_TRUE((at.array() >= box.low.array()).all() && (at.array() <= box.high.array()).all()) << name;
    }
    Canvas canvas(400, 400);
    draw_figure(canvas, stage.shape, stage.world, projection);
    const Pixels pixels(canvas);
    const int outside = 400 * 400 - pixels.count(kPaper);
    const auto low_x = static_cast<int>(box.low.x()) - 2, low_y = static_cast<int>(box.low.y()) - 2;
    const auto high_x = static_cast<int>(box.high.x()) + 2, high_y = static_cast<int>(box.high.y()) + 2;
    const int inside = (high_x - low_x + 1) * (high_y - low_y + 1) - pixels.count(kPaper, low_x, low_y, high_x, high_y);
    EXPECT_GT(inside, 1000);
    EXPECT_EQ(inside, outside);
  }
}

TEST(Figure, LimbsCarryTheColourOfTheirSide) {
  const Stage stage(scenes::humanoid());
  const Projection projection = on_sheet(ViewName::front);
  Canvas canvas(400, 400);
  draw_figure(canvas, stage.shape, stage.world, projection);
  const Pixels pixels(canvas);
  const auto middle_of = [&](const char* a, const char* b) {
    return projection.to_px(0.5 * (stage.at(a) + stage.at(b)));
  };
  EXPECT_EQ(hue(pixels.at(middle_of("left_upper_leg", "left_lower_leg"))), Hue::left);
  EXPECT_EQ(hue(pixels.at(middle_of("left_lower_arm", "left_hand"))), Hue::left);
  EXPECT_EQ(hue(pixels.at(middle_of("right_upper_leg", "right_lower_leg"))), Hue::right);
  EXPECT_EQ(hue(pixels.at(middle_of("hips", "neck"))), Hue::other);
}

TEST(Figure, NearerLegCoversTheFartherOne) {
  // Seen from its right side the body shows the right leg, from its left side the left one.
  const Stage stage(scenes::humanoid());
  for (const bool from_left : {false, true}) {
    Projection projection = on_sheet(ViewName::side);
    projection.view.yaw_rad += from_left ? std::numbers::pi : 0.0;
    Canvas canvas(400, 400);
    draw_figure(canvas, stage.shape, stage.world, projection);
    const Point shin = projection.to_px(0.5 * (stage.at("left_lower_leg") + stage.at("left_foot")));
    EXPECT_EQ(hue(Pixels(canvas).at(shin)), from_left ? Hue::left : Hue::right);
  }
}

TEST(Figure, SilhouetteIsOneFlatColour) {
  const Stage stage(scenes::humanoid());
  Canvas canvas(400, 400);
  draw_figure(canvas, stage.shape, stage.world, on_sheet(ViewName::front), {.silhouette = rgb(0xff0000)});
  const Pixels pixels(canvas);
  EXPECT_TRUE(Pixels::near(pixels.at(on_sheet(ViewName::front).to_px(stage.at("hips"))), rgb(0xff0000)));
  // Where parts overlap, a see-through colour must not add up.
  Canvas faint(400, 400);
  draw_figure(faint, stage.shape, stage.world, on_sheet(ViewName::front), {.silhouette = Colour{1, 0, 0, 0.5}});
  const Pixels faint_pixels(faint);
  for (const char* name : {"hips", "left_lower_leg", "right_hand"}) {
    EXPECT_TRUE(Pixels::near(faint_pixels.at(on_sheet(ViewName::front).to_px(stage.at(name))), {1.0, 0.5, 0.5, 1.0}))
        << name;
  }
}

TEST(Figure, ContactMarkLiesUnderTheFootThatStandsAndNowhereElse) {
  const Stage stage(scenes::humanoid());
  const Projection projection = on_sheet(ViewName::front);
  const double ground_m = lowest_m(stage.shape, stage.world);
  Canvas canvas(400, 400);
  draw_contact_mark(canvas, *stage.skeleton, stage.shape, stage.world, stage.skeleton->find("left_foot"), 0.0,
                    projection, rgb(0xff0000));
  draw_figure(canvas, stage.shape, stage.world, projection);
  const Pixels pixels(canvas);
  const double ground_px = projection.to_px({0, ground_m, 0}).y();
  const Point left = projection.to_px(stage.at("left_foot"));
  EXPECT_TRUE(Pixels::near(pixels.at(Point(left.x(), ground_px + 4.0)), rgb(0xff0000)));
  EXPECT_GT(pixels.count(rgb(0xff0000)), 40);
  // All of it is on the left foot's side of the body, below the ankle.
  EXPECT_EQ(pixels.count(rgb(0xff0000), 0, 0, static_cast<int>(projection.to_px({0, 0, 0}).x()), 399), 0);
  EXPECT_EQ(pixels.count(rgb(0xff0000), 0, 0, 399, static_cast<int>(ground_px) - 2), 0);
}

TEST(Figure, ContactMarkOfAFootOnAStairFollowsTheFoot) {
  Stage stage(scenes::humanoid());
  for (Vec3d& position : stage.world.positions) {
    position.y() += 0.5;
  }
  Projection projection = on_sheet(ViewName::side);
  projection.centre_m.y() += 0.4;
  Canvas canvas(400, 400);
  draw_contact_mark(canvas, *stage.skeleton, stage.shape, stage.world, stage.skeleton->find("left_foot"), 0.0,
                    projection, rgb(0xff0000));
  const Pixels pixels(canvas);
  const auto step_px = static_cast<int>(projection.to_px({0, 0.5, 0}).y());
  EXPECT_GT(pixels.count(rgb(0xff0000), 0, step_px - 2, 399, step_px + 14), 100);
  EXPECT_EQ(pixels.count(rgb(0xff0000), 0, step_px + 15, 399, 399), 0);
}

TEST(Figure, ShadowIsSeenFromAboveOnly) {
  const Stage stage(scenes::humanoid());
  Canvas level(400, 400);
  draw_shadow(level, stage.shape, stage.world, 0.0, on_sheet(ViewName::side));
  EXPECT_TRUE(level.items().empty());
  Canvas above(400, 400);
  draw_shadow(above, stage.shape, stage.world, 0.0, on_sheet(ViewName::three_quarter));
  EXPECT_GT(400 * 400 - Pixels(above).count(kPaper), 100);
}

TEST(Figure, GroundIsALineFromTheSideAndAGridFromAbove) {
  PageBox box;
  box.include(Point(50, 50));
  box.include(Point(350, 350));
  Canvas level(400, 400);
  draw_ground(level, 0.0, box, on_sheet(ViewName::side));
  EXPECT_EQ(level.items().size(), 1u);
  Canvas above(400, 400);
  draw_ground(above, 0.0, box, on_sheet(ViewName::top), 0.5);
  EXPECT_GE(above.items().size(), 6u);
  // Squares smaller than four pixels would be a grey sheet.
  Canvas dense(400, 400);
  draw_ground(dense, 0.0, box, on_sheet(ViewName::top), 0.01);
  EXPECT_TRUE(dense.items().empty());
}

TEST(Figure, GroundFarFromTheWorldsOriginEnds) {
  PageBox box;
  box.include(Point(50, 50));
  box.include(Point(350, 350));
  for (const double far_px : {1e20, 1e300}) {
    Projection projection = on_sheet(ViewName::top);
    projection.centre_px = Point(far_px, -far_px);
    Canvas canvas(400, 400);
    draw_ground(canvas, 0.0, box, projection, 0.5);
    EXPECT_LE(canvas.items().size(), 10000u) << far_px;
  }
  // A box that no page holds.
  box.include(Point(1e12, 1e12));
  Canvas canvas(400, 400);
  draw_ground(canvas, 0.0, box, on_sheet(ViewName::top), 0.5);
  EXPECT_LE(canvas.items().size(), 10000u);
}

TEST(Figure, RoundLengthsAreOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_DOUBLE_EQ(round_length_m(0.7), 0.5);
  EXPECT_DOUBLE_EQ(round_length_m(1.0), 1.0);
  EXPECT_DOUBLE_EQ(round_length_m(4.9), 2.0);
  EXPECT_NEAR(round_length_m(0.06), 0.05, 1e-15);
  EXPECT_DOUBLE_EQ(round_length_m(130.0), 100.0);
}

TEST(Figure, AnyPostureOfAnyTreeIsDrawn) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto tree = scenes::random_tree(2 + 3 * static_cast<int>(seed), seed);
    const Stage stage(tree);
    Canvas canvas(400, 400);
    draw_figure(canvas, stage.shape, stage.world, on_sheet(ViewName::three_quarter));
    EXPECT_TRUE(encode(canvas).has_value()) << "seed " << seed;
    EXPECT_FALSE(canvas.items().empty());
  }
}

}  // namespace
}  // namespace shosa::draw
