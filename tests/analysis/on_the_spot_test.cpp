#include "shosa/analysis/on_the_spot.h"

#include <gtest/gtest.h>

#include "scenes/scenes.h"
#include "shosa/analysis/root_motion.h"

namespace shosa::analysis {
namespace {

bool on_the_spot(const Clip& clip) {
  const body::BodyMap map = body::guess_body_map(clip.skeleton());
  const ClipPositions positions = clip_positions(clip);
  return moves_on_the_spot(positions, clip.frame_time_s(), map, *find_foot_contacts(clip, positions, map));
}

Clip without_way(const Clip& clip) {
  const body::BodyMap map = body::guess_body_map(clip.skeleton());
  return *without_root_motion(clip, root_motion_from_hips(clip, clip_positions(clip), map));
}

TEST(OnTheSpot, StepsThatLeadNowhereAreSeen) {
  EXPECT_TRUE(on_the_spot(without_way(scenes::walk().clip)));
  EXPECT_TRUE(on_the_spot(without_way(scenes::run().clip)));
  EXPECT_TRUE(on_the_spot(without_way(scenes::dog_walk().clip)));
}

TEST(OnTheSpot, WalkingStandingAndJumpingAreNot) {
  EXPECT_FALSE(on_the_spot(scenes::walk().clip));
  EXPECT_FALSE(on_the_spot(scenes::stand().clip));
  EXPECT_FALSE(on_the_spot(scenes::jump({.distance_m = 0.0}).clip));
  EXPECT_FALSE(on_the_spot(scenes::dog_walk().clip));
}

}  // namespace
}  // namespace shosa::analysis
