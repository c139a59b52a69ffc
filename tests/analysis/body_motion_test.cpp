#include "shosa/analysis/body_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"

namespace shosa {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

Clip moved(const Clip& clip, double (*path_m)(double time_s), const Vec3d& along) {
  Clip out = clip;
  for (int f = 0; f < clip.frame_count(); ++f) {
    const Vec3d at = clip.translation(f, 0).cast<double>() + path_m(f * clip.frame_time_s()) * along;
    out.set_translation(f, 0, at.cast<float>());
  }
  return out;
}

Clip standing() {
  return scenes::stand().clip;
}

TEST(BodyMotion, ACentreOfMassThatIsPushedEvenlyAcceleratesAsItIsPushed) {
  const Clip clip = moved(
      standing(), [](double t) { return 0.5 * 3.0 * t * t; }, Vec3d(0.6, 0.0, 0.8));
  const auto figures = analysis::measure_body(test::study_scene(clip));
  EXPECT_NEAR(figures.com_acceleration_mps2, 3.0, 0.02);
  EXPECT_NEAR(figures.com_fall_mps2, 0.0, 0.02);
}

TEST(BodyMotion, AFallIsDownwardOnly) {
  const auto path = [](double t) { return 0.5 * 9.81 * t * t; };
  EXPECT_NEAR(analysis::measure_body(test::study_scene(moved(standing(), path, -Vec3d::UnitY()))).com_fall_mps2, 9.81,
              0.05);
  EXPECT_NEAR(analysis::measure_body(test::study_scene(moved(standing(), path, Vec3d::UnitY()))).com_fall_mps2, 0.0,
              0.05);
}

TEST(BodyMotion, AKneeThatBendsAtOnceKinksByItsBend) {
  const Clip source = standing();
  const auto studied = test::study_scene(source);
  const JointIndex knee = studied.map().joint(body::Role::left_lower_leg);
  ASSERT_NE(knee, kNoJoint);
  Clip bent = source;
  const int middle = source.frame_count() / 2;
  const Quatd by(Eigen::AngleAxisd(20.0 * kDegree, Vec3d::UnitX()));
  for (int f = middle; f < source.frame_count(); ++f) {
    bent.set_rotation(f, knee, (source.rotation(f, knee).cast<double>() * by).normalized().cast<float>());
  }
  const auto before = analysis::observe_body(studied), after = analysis::observe_body(test::study_scene(bent));
  const auto change = analysis::compare_bodies(after, before);
  ASSERT_TRUE(change.has_value());
  const double bend = std::abs(after.hinges[0].bend_rad[middle] - before.hinges[0].bend_rad[middle]);
  EXPECT_GT(bend, 10.0 * kDegree);
  EXPECT_NEAR(change->knee_kink_rad, bend, 1.0 * kDegree);
  EXPECT_NEAR(change->knee_change_rad, bend, 1.0 * kDegree);
  EXPECT_EQ(change->elbow_kink_rad, 0.0);
}

TEST(BodyMotion, ALegThatTurnsOverIsSeenOnce) {
  const Clip source = scenes::walk({.fps = 120}).clip;
  const auto studied = test::study_scene(source);
  EXPECT_EQ(analysis::measure_body(studied).plane_flips, 0);
  // Half a turn of a bent leg about its own thigh.
  const auto motion = analysis::observe_body(studied);
  const auto& bends = motion.hinges[0].bend_rad;
  const int bent = static_cast<int>(std::max_element(bends.begin() + 10, bends.end() - 10) - bends.begin());
  Clip turned = source;
  const JointIndex hip = studied.map().joint(body::Role::left_upper_leg),
                   knee = studied.map().joint(body::Role::left_lower_leg);
  const Vec3d thigh = source.skeleton().joint(knee).rest_translation_m.cast<double>().normalized();
  const Quatd half(Eigen::AngleAxisd(std::numbers::pi, thigh));
  for (int f = bent; f < source.frame_count(); ++f) {
    turned.set_rotation(f, hip, (source.rotation(f, hip).cast<double>() * half).normalized().cast<float>());
  }
  const auto seen = analysis::observe_body(test::study_scene(turned));
  EXPECT_EQ(analysis::measure_body(seen, bent - 2, bent + 2).plane_flips, 1);
}

// Some exporters write the end of the toes where the toes begin: rounding would be its direction.
TEST(BodyMotion, ToesWithoutALengthDoNotBend) {
  const Clip walk = scenes::walk({.duration_s = 2.0}).clip;
  ASSERT_GT(analysis::measure_body(test::study_scene(walk)).ball_bend_rad, 0.1);
  const Skeleton& skeleton = walk.skeleton();
  std::vector<EndSite> ends(skeleton.end_sites().begin(), skeleton.end_sites().end());
  for (EndSite& end : ends) {
    if (skeleton.name(end.parent).find("toes") != std::string::npos) end.offset_m = Vec3f(1e-9f, -1e-9f, 1e-9f);
  }
  const std::vector<Joint> joints(skeleton.joints().begin(), skeleton.joints().end());

  const auto short_toes = std::make_shared<const Skeleton>(*Skeleton::create(joints, ends));
  Clip clip(short_toes, walk.frame_count(), walk.frame_time_s(), walk.translated());
  for (int f = 0; f < walk.frame_count(); ++f) clip.set_frame(f, walk.frame(f));
  EXPECT_EQ(analysis::measure_body(test::study_scene(clip)).ball_bend_rad, 0.0);
}

TEST(BodyMotion, NothingChangedIsNoChange) {
  const auto motion = analysis::observe_body(test::study_scene(scenes::walk({.fps = 120}).clip));
  const auto change = analysis::compare_bodies(motion, motion);
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->knee_kink_rad, 0.0);
  EXPECT_EQ(change->mean_knee_change_rad, 0.0);
}

TEST(BodyMotion, OtherFrameCountsAreRefused) {
  const auto walk = analysis::observe_body(test::study_scene(scenes::walk({.fps = 120}).clip));
  const auto slow = analysis::observe_body(test::study_scene(scenes::walk({.fps = 60}).clip));
  const auto change = analysis::compare_bodies(walk, slow);
  ASSERT_FALSE(change.has_value());
  EXPECT_NE(change.error().message.find("frames"), std::string::npos);
}

}  // namespace
}  // namespace shosa
