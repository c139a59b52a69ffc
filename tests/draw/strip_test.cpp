#include "shosa/draw/strip.h"

#include <gtest/gtest.h>

#include <limits>

#include "draw/figure.h"
#include "draw/pixels.h"
#include "scenes/scenes.h"
#include "shosa/core/sampling.h"
#include "shosa/draw/palette.h"

namespace shosa::draw {
namespace {

const std::vector<StripView> kAllViews = {ViewName::side, ViewName::front, ViewName::top, ViewName::three_quarter};

body::BodyMap map_of(const Clip& clip) {
  return body::guess_body_map(clip.skeleton());
}

WorldPose world_at(const Clip& clip, double time_s) {
  Pose pose;
  sample(clip, time_s, pose);
  return forward_kinematics(clip.skeleton(), pose);
}

/// Every joint and end site of every drawn posture lies on the sheet, and in the row's box.
void expect_framed(const Clip& clip, const Strip& strip) {
  for (const StripRow& row : strip.rows) {
    EXPECT_GE(row.box.low.x(), 0.0) << row.label;
    EXPECT_GE(row.box.low.y(), 0.0) << row.label;
    EXPECT_LE(row.box.high.x(), strip.canvas.width_px()) << row.label;
    EXPECT_LE(row.box.high.y(), strip.canvas.height_px()) << row.label;
    ASSERT_EQ(row.projections.size(), strip.times_s.size());
    for (std::size_t i = 0; i < strip.times_s.size(); ++i) {
      const WorldPose world = world_at(clip, strip.times_s[i]);
      const auto expect_in_box = [&](const Vec3d& point) {
        const Point at = row.projections[i].to_px(point);
        EXPECT_TRUE((at.array() >= row.box.low.array() - 1e-6).all()) << row.label << " posture " << i;
        EXPECT_TRUE((at.array() <= row.box.high.array() + 1e-6).all()) << row.label << " posture " << i;
      };
      std::ranges::for_each(world.positions, expect_in_box);
      for (const EndSite& site : clip.skeleton().end_sites()) {
        expect_in_box(world.end_site(site));
      }
    }
  }
}

TEST(Strip, NothingIsCutOff) {
  const Clip clips[] = {scenes::walk().clip,
                        scenes::run().clip,
                        scenes::jump().clip,
                        scenes::dog_walk().clip,
                        scenes::walk({.rise_per_step_m = 0.17, .turn_rad_per_m = 0.6}).clip,
                        scenes::random_clip(scenes::random_tree(25, 7), 90, 8)};
  for (const Clip& clip : clips) {
    for (const StripLayout layout : {StripLayout::world, StripLayout::cells}) {
      const Result<Strip> strip = draw_strip(clip, map_of(clip), {.views = kAllViews, .layout = layout, .count = 6});
      ASSERT_TRUE(strip.has_value()) << strip.error().message;
      expect_framed(clip, *strip);
    }
  }
}

TEST(Strip, TimesAreEquallySpacedFromBeginToEnd) {
  const Clip clip = scenes::walk({.duration_s = 2.0}).clip;
  const Strip strip = draw_strip(clip, map_of(clip), {.count = 5}).value();
  ASSERT_EQ(strip.times_s.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(strip.times_s[i], clip.last_time_s() * static_cast<double>(i) / 4.0, 1e-12);
  }
  const Strip part = draw_strip(clip, map_of(clip), {.count = 3, .from_s = 0.5, .to_s = 1.5}).value();
  EXPECT_EQ(part.times_s, (std::vector<double>{0.5, 1.0, 1.5}));
  const Strip given = draw_strip(clip, map_of(clip), {.times_s = {1.1, 0.2}}).value();
  EXPECT_EQ(given.times_s, (std::vector<double>{1.1, 0.2}));
}

TEST(Strip, AWalkGoesToTheRightAtItsTruePlaceWhateverItsWorldHeading) {
  // The scene walks along +Z; the same walk with its root turned goes along another way.
  const Clip walk = scenes::walk({.duration_s = 4.0}).clip;
  for (const double turn_rad : {0.0, 2.0, -1.2}) {
    Clip turned = walk;
    const Quatf turn(Eigen::AngleAxisf(static_cast<float>(turn_rad), Vec3f::UnitY()));
    for (int frame = 0; frame < walk.frame_count(); ++frame) {
      turned.set_translation(frame, 0, turn * walk.translation(frame, 0));
      turned.set_rotation(frame, 0, turn * walk.rotation(frame, 0));
    }
    const Strip strip = draw_strip(turned, map_of(turned), {.count = 6}).value();
    EXPECT_TRUE(strip.rows[0].true_place);
    EXPECT_NEAR(std::remainder(strip.heading_rad - turn_rad, 2.0 * std::numbers::pi), 0.0, 0.05);
    const Point first = strip.rows[0].projections[0].to_px(world_at(turned, 0.0).positions[0]);
    const Point last = strip.rows[0].projections[5].to_px(world_at(turned, turned.last_time_s()).positions[0]);
    const double way_m =
        (world_at(turned, turned.last_time_s()).positions[0] - world_at(turned, 0.0).positions[0]).norm();
    EXPECT_NEAR(last.x() - first.x(), way_m * strip.px_per_m, 0.02 * way_m * strip.px_per_m);
  }
}

TEST(Strip, PosturesOnTheSpotAreSetSideBySide) {
  const Clip clip = scenes::stand().clip;
  const body::BodyMap map = map_of(clip);
  const Strip strip = draw_strip(clip, map, {.count = 7}).value();
  const StripRow& row = strip.rows[0];
  EXPECT_FALSE(row.true_place);
  const BodyShape shape = make_body_shape(clip.skeleton(), map, world_at(clip, 0.0));
  for (std::size_t i = 1; i < 7; ++i) {
    const PageBox before = figure_box(shape, world_at(clip, strip.times_s[i - 1]), row.projections[i - 1]);
    const PageBox after = figure_box(shape, world_at(clip, strip.times_s[i]), row.projections[i]);
    EXPECT_LT(before.high.x(), after.low.x()) << i;
  }
}

TEST(Strip, CellsAreEquallyWideAndInOneColumnOverAllRows) {
  const Clip clip = scenes::run().clip;
  const Strip strip =
      draw_strip(clip, map_of(clip), {.views = kAllViews, .layout = StripLayout::cells, .count = 5}).value();
  std::vector<double> columns;
  for (const StripRow& row : strip.rows) {
    for (std::size_t i = 0; i < 5; ++i) {
      const double x = row.projections[i].to_px(world_at(clip, strip.times_s[i]).positions[0]).x();
      if (columns.size() < 5) {
        columns.push_back(x);
      }
      EXPECT_NEAR(x, columns[i], 1e-6) << row.label;
    }
  }
  for (std::size_t i = 2; i < 5; ++i) {
    EXPECT_NEAR(columns[i] - columns[i - 1], columns[1] - columns[0], 1e-6);
  }
}

TEST(Strip, SideAndTopShareTheirPlacesAcrossThePage) {
  const Clip clip = scenes::walk().clip;
  const Strip strip = draw_strip(clip, map_of(clip), {.views = {ViewName::side, ViewName::top}, .count = 6}).value();
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3d hips = world_at(clip, strip.times_s[i]).positions[0];
    EXPECT_NEAR(strip.rows[0].projections[i].to_px(hips).x(), strip.rows[1].projections[i].to_px(hips).x(), 1e-6);
  }
}

TEST(Strip, GroundIsWhereTheSolesAre) {
  const Clip clip = scenes::walk().clip;
  EXPECT_NEAR(draw_strip(clip, map_of(clip), {}).value().ground_m, 0.0, 0.03);
  EXPECT_EQ(draw_strip(clip, map_of(clip), {.ground_m = -0.4}).value().ground_m, -0.4);
}

TEST(Strip, GroundUnderStairsIsTheLowestStep) {
  const Clip clip = scenes::walk({.rise_per_step_m = 0.17}).clip;
  const body::BodyMap map = map_of(clip);
  const BodyShape shape = make_body_shape(clip.skeleton(), map, world_at(clip, 0.0));
  EXPECT_NEAR(draw_strip(clip, map, {}).value().ground_m, lowest_m(shape, world_at(clip, 0.0)), 0.03);
}

TEST(Strip, WaysSeenFromAboveAreFramed) {
  // Half a circle drawn at its two ends only: the way between them reaches far to the side.
  const Clip clip = scenes::walk({.duration_s = 6.0, .turn_rad_per_m = 0.45}).clip;
  const Strip strip =
      draw_strip(clip, map_of(clip), {.views = {ViewName::top}, .times_s = {0.0, clip.last_time_s()}}).value();
  const double last_s = clip.last_time_s();
  for (int i = 0; i <= 20; ++i) {
    const Point at = strip.rows[0].projections[0].to_px(world_at(clip, last_s * i / 20.0).positions[0]);
    EXPECT_GE(at.y(), 0.0);
    EXPECT_LE(at.y(), strip.canvas.height_px());
  }
}

TEST(Strip, ContactsAreMarkedOnlyWhileTheyLast) {
  const scenes::Scene scene = scenes::walk({.duration_s = 3.0});
  const JointIndex left = scene.clip.skeleton().find("left_foot");
  const auto green = [&](TimeInterval interval) {
    const Strip strip = draw_strip(scene.clip, map_of(scene.clip),
                                   {.times_s = {1.0}, .contacts = {{left, {interval}}}, .legend = false})
                            .value();
    return Pixels(strip.canvas).count(kContact);
  };
  EXPECT_GT(green({0.9, 1.1}), 30);
  EXPECT_EQ(green({0.2, 0.9}), 0);
}

TEST(Strip, GhostIsFramedAndPaintedBehind) {
  const Clip walk = scenes::walk({.duration_s = 2.0}).clip;
  const body::BodyMap map = map_of(walk);
  Clip moved = walk;
  for (int frame = 0; frame < walk.frame_count(); ++frame) {
    moved.set_translation(frame, 0, walk.translation(frame, 0) + Vec3f(0, 1.0F, 0));
  }
  const StripParams plain{.count = 4, .max_body_px = 100.0};
  StripParams with_ghost = plain;
  with_ghost.ghost = {.clip = &moved, .body_map = &map};
  const Strip alone = draw_strip(walk, map, plain).value();
  const Strip both = draw_strip(walk, map, with_ghost).value();
  EXPECT_NEAR(both.rows[0].box.height_px() - alone.rows[0].box.height_px(), 1.0 * both.px_per_m, 2.0);
  expect_framed(moved, both);
}

TEST(Strip, OneFrameAndOneJointAreDrawn) {
  const auto joint = std::make_shared<const Skeleton>(Skeleton::create({Joint{.name = "only"}}).value());
  const Clip dot(joint, 1, 1.0 / 30.0);
  const Strip strip = draw_strip(dot, body::BodyMap(), {.views = kAllViews}).value();
  EXPECT_EQ(strip.times_s.size(), 1u);
  expect_framed(dot, strip);
  EXPECT_TRUE(encode(strip.canvas).has_value());

  const Clip still(scenes::humanoid(), 1, 0.01);
  EXPECT_TRUE(encode(draw_strip(still, map_of(still), {.views = kAllViews}).value().canvas).has_value());
}

TEST(Strip, SameClipGivesTheSameBytes) {
  const scenes::Scene scene = scenes::walk();
  StripParams params{.views = kAllViews, .count = 5, .title = "walk"};
  for (const scenes::FootPlan& foot : scene.feet) {
    params.contacts.push_back({scene.clip.skeleton().find(foot.foot), foot.standing});
  }
  for (const Format format : {Format::svg, Format::png}) {
    const auto bytes = [&] {
      return encode(draw_strip(scene.clip, map_of(scene.clip), params).value().canvas, {.format = format}).value();
    };
    EXPECT_TRUE(bytes() == bytes());
  }
}

TEST(Strip, BadParametersAreNamed) {
  const Clip clip = scenes::walk({.duration_s = 1.0}).clip;
  const body::BodyMap map = map_of(clip);
  const auto message = [&](const StripParams& params) {
    const Result<Strip> strip = draw_strip(clip, map, params);
    return strip.has_value() ? std::string() : strip.error().message;
  };
  EXPECT_EQ(message({}), "");
  EXPECT_NE(message({.views = {}}).find("views"), std::string::npos);
  EXPECT_NE(message({.count = 0}).find("0 postures"), std::string::npos);
  EXPECT_NE(message({.count = 201}).find("201"), std::string::npos);
  EXPECT_NE(message({.times_s = {0.5, 7.0}}).find("time 7 s"), std::string::npos);
  EXPECT_NE(message({.times_s = {std::numeric_limits<double>::quiet_NaN()}}), "");
  EXPECT_NE(message({.from_s = 0.8, .to_s = 0.2}).find("from 0.8 s to 0.2 s"), std::string::npos);
  EXPECT_NE(message({.contacts = {{99, {}}}}).find("joint 99"), std::string::npos);
  EXPECT_NE(message({.ghost = {.clip = &clip}}).find("ghost"), std::string::npos);
  EXPECT_NE(message({.heading_rad = std::numeric_limits<double>::infinity()}).find("heading"), std::string::npos);
  EXPECT_NE(message({.ground_m = std::numeric_limits<double>::quiet_NaN()}).find("ground"), std::string::npos);
  EXPECT_NE(message({.width_px = 10.0}).find("width 10"), std::string::npos);
  EXPECT_NE(message({.max_body_px = 0.0}).find("body height 0"), std::string::npos);
}

TEST(Strip, PositionsThatAreNotFiniteAreRefused) {
  Clip clip = scenes::walk({.duration_s = 1.0}).clip;
  clip.set_translation(0, 0, Vec3f(std::numeric_limits<float>::quiet_NaN(), 0, 0));
  const Result<Strip> strip = draw_strip(clip, map_of(scenes::stand().clip), {});
  ASSERT_FALSE(strip.has_value());
  EXPECT_EQ(strip.error().code, ErrorCode::not_possible);
}

TEST(Strip, TheWayOfAJointIsDrawnThroughItsPlaceAtEachPosture) {
  const Clip clip = scenes::walk({.duration_s = 2.0}).clip;
  const JointIndex hand = clip.skeleton().find("right_hand");
  const StripParams plain{.count = 4, .time_labels = false, .scale_bar = false, .legend = false};
  StripParams with = plain;
  with.joint_paths = {hand};
  const auto strip = draw_strip(clip, map_of(clip), with), without = draw_strip(clip, map_of(clip), plain);
  ASSERT_TRUE(strip.has_value() && without.has_value());
  expect_framed(clip, *strip);
  const Pixels drawn(strip->canvas);
  for (std::size_t i = 0; i < strip->times_s.size(); ++i) {
    const Point at = strip->rows[0].projections[i].to_px(world_at(clip, strip->times_s[i]).positions[hand]);
    // A colour that nothing else of a strip has.
    EXPECT_TRUE(Pixels::near(drawn.at(static_cast<int>(at.x()), static_cast<int>(at.y())), rgb(0xb5338a), 0.1)) << i;
  }
  with.joint_paths = {clip.joint_count()};
  EXPECT_FALSE(draw_strip(clip, map_of(clip), with).has_value());
}

}  // namespace
}  // namespace shosa::draw
