#include <gtest/gtest.h>

#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"
#include "shosa/analysis/body_motion.h"
#include "shosa/core/angles.h"
#include "shosa/io/motion_file.h"
#include "shosa/segment/edit_segment.h"
#include "support/real_data.h"

namespace shosa::segment {
namespace {

double kink_deg(const Clip& made, const analysis::StudiedClip& source) {
  const auto change = analysis::compare_bodies(analysis::observe_body(analysis::study(made, source.map())),
                                               analysis::observe_body(source));
  EXPECT_TRUE(change.has_value());
  return change ? change->knee_kink_rad * kDegPerRad : 180.0;
}

// Hips are led up, to where legs reach on their toes alone.
TEST(EditLegs, HeelsRiseWhereLegsAreShortAndBallsStay) {
  const Clip walk = scenes::walk({.duration_s = 3.0}).clip;
  const auto studied = test::study_scene(walk);
  const JointIndex hips = walk.skeleton().find("hips"), foot = walk.skeleton().find("right_foot");
  const int last = 60;  // the right foot stands
  const Vec3d goal = studied.positions().joint(last, hips) + Vec3d(0.0, 0.06, 0.0);
  const auto edit = edit_segment(studied, {.handles = {{hips, goal}}, .to_s = 1.0, .back_by_s = 2.0});
  ASSERT_TRUE(edit.has_value()) << edit.error().message;
  EXPECT_LT(edit->handles[0].end_error_m, 0.005);
  EXPECT_LT(edit->max_feet_error_m, 1e-3);
  const ClipPositions now = clip_positions(edit->clip);
  EXPECT_GT(now.joint(last, foot).y(), studied.positions().joint(last, foot).y() + 0.01);
  EXPECT_LT(kink_deg(edit->clip, studied), 5.0);
}

TEST(EditLegs, FreeFeetGoWithTheBody) {
  const Clip walk = scenes::walk({.duration_s = 3.0}).clip;
  const auto studied = test::study_scene(walk);
  const JointIndex hips = walk.skeleton().find("hips"), foot = walk.skeleton().find("right_foot");
  const Vec3d goal = studied.positions().joint(60, hips) + Vec3d(0.0, 0.06, 0.0);
  const auto edit = edit_segment(studied, {.handles = {{hips, goal}}, .to_s = 1.0, .hold_feet = false});
  ASSERT_TRUE(edit.has_value()) << edit.error().message;
  const Vec3d way = clip_positions(edit->clip).joint(60, foot) - studied.positions().joint(60, foot);
  EXPECT_LT((way - Vec3d(0.0, 0.06, 0.0)).norm(), 1e-4);
}

analysis::StudiedClip captured_walk(const std::string& name) {
  const auto file = io::read_motion(test::real_data_dir() / "cmu-bvh" / (name + ".bvh"), {.drop_tpose = true});
  EXPECT_TRUE(file.has_value()) << name;
  return analysis::study(file->clips[0], file->body_map);
}

// Legs that walk nearly straight do not reach hips that are led ahead: feet in the air, heels and hips share that, and
// no knee is stretched straight and let go.
TEST(EditLegsReal, HipsThatAreLedDoNotMakeKneesPop) {
  SHOSA_NEEDS_REAL_DATA();
  for (const char* name : {"07_04", "07_12", "104_06", "82_12", "16_33", "111_10"}) {
    const auto studied = captured_walk(name);
    const Clip& clip = studied.clip();
    const JointIndex hips = studied.map().joint(body::Role::hips);
    const double whole_s = clip.last_time_s(), to_s = 0.55 * whole_s;
    const int last = clip.nearest_frame(to_s);
    for (const Vec3d& way : {Vec3d(0.0, 0.0, 0.1), Vec3d(0.1, 0.0, 0.0), Vec3d(0.0, -0.1, 0.0)}) {
      const Vec3d goal = studied.positions().joint(last, hips) + way;
      const auto edit = edit_segment(
          studied, {.handles = {{hips, goal}}, .from_s = 0.25 * whole_s, .to_s = to_s, .back_by_s = 0.8 * whole_s});
      ASSERT_TRUE(edit.has_value()) << edit.error().message;
      EXPECT_LT(kink_deg(edit->clip, studied), 10.0) << name << ' ' << way.transpose();
      EXPECT_LT(edit->handles[0].end_error_m, 0.01) << name << ' ' << way.transpose();
      EXPECT_LT(edit->max_feet_error_m, 1e-3) << name << ' ' << way.transpose();
    }
  }
}

}  // namespace
}  // namespace shosa::segment
