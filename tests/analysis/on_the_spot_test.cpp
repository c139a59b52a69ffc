#include "shosa/analysis/on_the_spot.h"

#include <gtest/gtest.h>

#include "scenes/scenes.h"

namespace shosa::analysis {
namespace {

bool on_the_spot(const Clip& clip) {
  return moves_on_the_spot(study(clip, body::guess_body_map(clip.skeleton())));
}

Clip without_way(const Clip& clip) {
  return *without_root_motion(clip, study(clip, body::guess_body_map(clip.skeleton())).root());
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
