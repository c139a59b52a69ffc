#include <gtest/gtest.h>

#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"
#include "shosa/analysis/core_interval.h"
#include "shosa/analysis/cycle.h"
#include "shosa/analysis/free_fall.h"
#include "shosa/analysis/metrics.h"
#include "shosa/analysis/pose_distance.h"
#include "shosa/analysis/root_motion.h"

namespace shosa {
namespace {

TEST(FrameTime, NoOrderOfMagnitudeLeadsOutsideTheClip) {
  for (const double frame_time_s : {1e-300, 1e-12, 1e12, 1e307}) {
    Clip clip = scenes::jump({.still_s = 0.2}).clip;
    clip.set_frame_time_s(frame_time_s);
    const analysis::StudiedClip studied = test::study_scene(clip);
    ASSERT_TRUE(studied.needs_feet().has_value()) << frame_time_s;
    const auto cycle = analysis::find_cycle(studied);
    ASSERT_TRUE(cycle.has_value()) << frame_time_s;
    EXPECT_FALSE(cycle->found) << frame_time_s;
    EXPECT_TRUE(analysis::suggest_core(studied, *cycle).has_value()) << frame_time_s;
    EXPECT_TRUE(analysis::measure_quality(studied).has_feet) << frame_time_s;
    EXPECT_FALSE(analysis::check_free_fall(studied).rate_is_suspect) << frame_time_s;
    EXPECT_GE(analysis::root_speed_mps(studied.root()), 0.0) << frame_time_s;
    const auto same = analysis::window_distance(studied.positions(), 3, studied.positions(), 3, frame_time_s);
    ASSERT_TRUE(same.has_value()) << frame_time_s;
    EXPECT_NEAR(same->distance_m, 0.0, 1e-6) << frame_time_s;
  }
}

}  // namespace
}  // namespace shosa
