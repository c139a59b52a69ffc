#include "shosa/analysis/ground.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"

namespace shosa {
namespace {

Clip raised(const Clip& clip, float by_m) {
  Clip out = clip;
  for (int f = 0; f < clip.frame_count(); ++f) {
    out.set_translation(f, 0, clip.translation(f, 0) + Vec3f(0.0f, by_m, 0.0f));
  }
  return out;
}

double ground_of(const Clip& clip, const body::BodyMap& map) {
  const auto feet = body::find_foot_points(clip.skeleton(), map);
  return analysis::find_ground(clip_positions(clip), feet)->height_m;
}

TEST(PutOnGround, LaysTheGroundAtZeroAndChangesNothingElse) {
  const Clip walk = raised(scenes::stand(0.5).clip, 1.75f);
  const body::BodyMap map = test::scene_body_map(walk.skeleton());
  ASSERT_GT(ground_of(walk, map), 1.0);
  const auto moved = analysis::put_on_ground(walk, map);
  ASSERT_TRUE(moved.has_value()) << moved.error().message;
  EXPECT_NEAR(ground_of(*moved, map), 0.0, 1e-5);
  const float shift = moved->translation(0, 0).y() - walk.translation(0, 0).y();
  for (int f = 0; f < walk.frame_count(); ++f) {
    EXPECT_LT((moved->translation(f, 0) - walk.translation(f, 0) - Vec3f(0.0f, shift, 0.0f)).norm(), 1e-5f) << f;
    for (JointIndex j = 0; j < walk.joint_count(); ++j) {
      EXPECT_EQ(moved->rotation(f, j).coeffs(), walk.rotation(f, j).coeffs()) << f << " " << j;
    }
  }
}

TEST(PutOnGround, RefusesBodiesWithoutFeetAndRootsThatDoNotMove) {
  const Clip walk = scenes::stand(0.5).clip;
  const auto no_feet = analysis::put_on_ground(walk, body::BodyMap());
  ASSERT_FALSE(no_feet.has_value());
  EXPECT_THAT(no_feet.error().message, testing::HasSubstr("feet"));
  const Clip fixed(walk.skeleton_ptr(), 3, 0.01, {});
  const auto no_way = analysis::put_on_ground(fixed, test::scene_body_map(walk.skeleton()));
  ASSERT_FALSE(no_way.has_value());
  EXPECT_THAT(no_way.error().message, testing::HasSubstr("does not vary"));
}

}  // namespace
}  // namespace shosa
