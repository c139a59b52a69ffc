#include "shosa/draw/studied_strip.h"

#include <gtest/gtest.h>

#include "scenes/scenes.h"
#include "shosa/core/rotations.h"

namespace shosa::draw {
namespace {

constexpr double kBendsAt_s = 3.0;

/// A walk along +Z whose trunk hangs down from `kBendsAt_s` on, turned to the side, with the arms stretched over the
/// head: the hands are far below the feet.
analysis::StudiedClip bending_walk() {
  Clip clip = scenes::walk({.duration_s = 3.4}).clip;
  const auto turn = [&](int f, const char* joint, const Quatd& by) {
    const JointIndex j = clip.skeleton().find(joint);
    ASSERT_NE(j, kNoJoint) << joint;
    clip.set_rotation(f, j, (clip.rotation(f, j).cast<double>() * by).normalized().cast<float>());
  };
  for (int f = clip.nearest_frame(kBendsAt_s); f < clip.frame_count(); ++f) {
    turn(f, "spine", Quatd(Eigen::AngleAxisd(2.7, Vec3d::UnitX())));
    turn(f, "chest", about_y(1.2));
    turn(f, "left_upper_arm", Quatd(Eigen::AngleAxisd(2.8, Vec3d::UnitZ())));
    turn(f, "right_upper_arm", Quatd(Eigen::AngleAxisd(-2.8, Vec3d::UnitZ())));
  }
  const body::BodyMap map = body::guess_body_map(clip.skeleton());
  return analysis::study(std::move(clip), map);
}

TEST(StudiedStrip, TheFloorIsUnderTheFeetAndNotUnderAHand) {
  const analysis::StudiedClip studied = bending_walk();
  const StripParams part{.from_s = kBendsAt_s + 0.05, .to_s = 3.3};
  EXPECT_LT(draw_strip(studied.clip(), studied.map(), part).value().ground_m, -0.1) << "no hand is below the feet";
  EXPECT_NEAR(draw_strip(studied, part).value().ground_m, 0.0, 0.04);
  EXPECT_EQ(draw_strip(studied, {.ground_m = -0.4}).value().ground_m, -0.4);
}

TEST(StudiedStrip, ABentPartIsSeenFromWhereTheBodyFacesElsewhere) {
  const analysis::StudiedClip studied = bending_walk();
  const StripParams part{.from_s = kBendsAt_s + 0.05, .to_s = 3.3};
  EXPECT_GT(std::abs(draw_strip(studied.clip(), studied.map(), part).value().heading_rad), 0.4);
  EXPECT_NEAR(draw_strip(studied, part).value().heading_rad, 0.0, 0.15);
}

TEST(StudiedStrip, ContactsAreThoseOfTheClip) {
  const Clip walk = scenes::walk().clip;
  const auto studied = analysis::study(walk, body::guess_body_map(walk.skeleton()));
  const std::size_t bare = draw_strip(walk, studied.map()).value().canvas.items().size();
  EXPECT_GT(draw_strip(studied).value().canvas.items().size(), bare);
}

}  // namespace
}  // namespace shosa::draw
