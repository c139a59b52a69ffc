#include "shosa/draw/foot_plot.h"

#include <gtest/gtest.h>

#include "scenes/scenes.h"
#include "shosa/draw/submovement_plot.h"

namespace shosa::draw {
namespace {

analysis::StudiedClip studied_walk() {
  const Clip clip = scenes::walk({.duration_s = 1.0}).clip;
  return analysis::study(clip, body::guess_body_map(clip.skeleton()));
}

TEST(FootPlot, ShowsTheStretchThatIsInTheClip) {
  const analysis::StudiedClip walk = studied_walk();
  const auto whole = draw_feet_over_time(walk, {-5.0, 50.0}, 600.0);
  ASSERT_TRUE(whole.has_value()) << whole.error().message;
  EXPECT_EQ(whole->width_px(), 600.0);
  EXPECT_FALSE(draw_feet_over_time(walk, {3.0, 4.0}, 600.0).has_value());
}

TEST(FootPlot, NeedsFeet) {
  const Clip clip = scenes::random_clip(scenes::chain(4), 10, 1);
  EXPECT_FALSE(draw_feet_over_time(analysis::study(clip, {}), {0.0, 1.0}, 600.0).has_value());
}

TEST(SubmovementPlot, GivesOverlappingSubmovementsLanesOfTheirOwn) {
  SubmovementPlot plot{.unit = "m", .frame_time_s = 0.1};
  for (int i = 0; i < 20; ++i) plot.original.push_back({0.1 * i, 0.0, 1.0});
  plot.model = plot.original;
  plot.submovements = {{0.0, 0.5}, {0.6, 1.0}};
  plot.labels = {"a", "b"};
  const auto apart = draw_submovements(plot);
  plot.submovements[1].begin_s = 0.3;
  const auto overlapping = draw_submovements(plot);
  ASSERT_TRUE(apart.has_value() && overlapping.has_value());
  EXPECT_GT(overlapping->height_px(), apart->height_px());
}

}  // namespace
}  // namespace shosa::draw
