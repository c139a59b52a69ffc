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
    const body::BodyMap map = test::scene_body_map(clip.skeleton());
    const ClipPositions positions = clip_positions(clip);
    const auto contacts = analysis::find_foot_contacts(clip, positions, map);
    ASSERT_TRUE(contacts.has_value()) << frame_time_s;
    const auto cycle = analysis::find_cycle(clip, positions, map, *contacts);
    ASSERT_TRUE(cycle.has_value()) << frame_time_s;
    EXPECT_FALSE(cycle->found) << frame_time_s;
    EXPECT_TRUE(analysis::suggest_core(clip, positions, map, *cycle).has_value()) << frame_time_s;
    EXPECT_TRUE(analysis::measure_quality(clip, positions, &*contacts).has_feet) << frame_time_s;
    EXPECT_FALSE(analysis::check_free_fall(clip, positions, map, *contacts).rate_is_suspect) << frame_time_s;
    EXPECT_GE(analysis::root_speed_mps(analysis::root_motion_from_hips(clip, positions, map)), 0.0) << frame_time_s;
    const auto same = analysis::window_distance(positions, 3, positions, 3, frame_time_s);
    ASSERT_TRUE(same.has_value()) << frame_time_s;
    EXPECT_NEAR(same->distance_m, 0.0, 1e-6) << frame_time_s;
  }
}

}  // namespace
}  // namespace shosa
