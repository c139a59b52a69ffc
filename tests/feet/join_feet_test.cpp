#include "shosa/feet/join_feet.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scenes/scenes.h"
#include "shosa/analysis/free_fall.h"
#include "shosa/feet/apply_change.h"

namespace shosa::feet {
namespace {

constexpr double kHeld_s = 0.6, kCore_s = 1.2, kSettled_s = 1.5;

/// A walk whose body is thrown aside by 15 cm within a tenth of a second, and the contacts of the walk.
analysis::StudiedClip thrown_walk(double aside_m = 0.15) {
  Clip clip = scenes::walk({.duration_s = 3.0, .fps = 60.0}).clip;
  const body::BodyMap map = body::guess_body_map(clip.skeleton());
  const analysis::FootContacts contacts = analysis::study(clip, map).contacts();
  for (int f = 0; f < clip.frame_count(); ++f) {
    const double x = std::clamp((f * clip.frame_time_s() - 0.85) / 0.1, 0.0, 1.0);
    const auto aside = static_cast<float>(aside_m * x * x * (3.0 - 2.0 * x));
    clip.set_translation(f, 0, clip.translation(f, 0) + Vec3f(aside, 0.0f, 0.0f));
  }
  return *analysis::study(std::move(clip), map, contacts);
}

JoinedFeet joined(const analysis::StudiedClip& window) {
  auto out = join_feet(window, {.held_s = kHeld_s, .core_s = kCore_s, .settled_s = kSettled_s});
  EXPECT_TRUE(out.has_value());
  return *out;
}

double largest_push_mps2(const std::vector<Vec3d>& path, double dt) {
  double most = 0.0;
  // Over 0.1 s: steps of the capture are no push.
  const int h = static_cast<int>(std::lround(0.1 / dt));
  for (std::size_t f = h; f + h < path.size(); ++f) {
    const Vec3d a = (path[f - h] - 2.0 * path[f] + path[f + h]) / (h * h * dt * dt);
    most = std::max(most, std::hypot(a.x(), a.z()));
  }
  return most;
}

TEST(JoinFeet, NothingChangesBeforeAndEverythingHasOneShiftAfter) {
  const analysis::StudiedClip window = thrown_walk();
  const JoinedFeet out = joined(window);
  const double dt = window.clip().frame_time_s();
  EXPECT_GT(out.shift_m.norm(), 0.01);
  EXPECT_EQ(out.shift_m.y(), 0.0);
  for (int f = 0; f < window.clip().frame_count(); ++f) {
    if (f * dt <= kHeld_s + 1e-9) {
      EXPECT_TRUE(out.change.root_m[f].isZero(0.0)) << f;
    }
    if (f * dt >= 2.5) {
      EXPECT_EQ(out.change.root_m[f], out.shift_m) << f;
    }
    for (const FootChange& foot : out.change.feet) {
      if (f * dt <= kHeld_s + 1e-9) {
        EXPECT_TRUE(foot.ball_m[f].isZero(0.0) && foot.turn_rad[f].isZero(0.0)) << f;
      }
      if (f * dt >= 2.5) {
        EXPECT_TRUE(foot.ball_m[f] == out.shift_m && foot.turn_rad[f].isZero(0.0)) << f;
      }
    }
  }
}

// The throw carries standing feet aside.
TEST(JoinFeet, AFootStaysWhereItStoodAndEachStanceHasOnePlace) {
  const analysis::StudiedClip window = thrown_walk(0.08);
  const JoinedFeet out = joined(window);
  const double dt = window.clip().frame_time_s();
  const auto frame_of = [&](double time_s) { return static_cast<int>(std::lround(time_s / dt)); };
  double carried_m = 0.0;
  for (std::size_t k = 0; k < out.change.feet.size(); ++k) {
    const analysis::FootContactTrack& foot = window.contacts().feet[k];
    const auto ball_m = [&](int f) { return window.positions().point(f, foot.points.toe); };
    for (const TimeInterval& stance : foot.toe) {
      const int first = std::max(static_cast<int>(std::ceil(stance.begin_s / dt)), frame_of(kHeld_s)),
                last = std::min(static_cast<int>(stance.end_s / dt), frame_of(kSettled_s));
      for (int f = first; f <= last; ++f) {
        const Vec3d off = ball_m(f) + out.change.feet[k].ball_m[f] - ball_m(first) - out.change.feet[k].ball_m[first];
        EXPECT_LT(std::hypot(off.x(), off.z()), 1e-6) << k << ' ' << f;
        carried_m = std::max(carried_m, std::abs(ball_m(f).x() - ball_m(first).x()));
      }
    }
  }
  EXPECT_GT(carried_m, 0.05);
}

TEST(JoinFeet, TheCentreOfMassIsPushedSoftly) {
  const analysis::StudiedClip window = thrown_walk();
  const JoinedFeet out = joined(window);
  Clip clip = window.clip();
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.set_translation(f, 0, clip.translation(f, 0) + out.change.root_m[f].cast<float>());
  }
  const double dt = clip.frame_time_s();
  const double before = largest_push_mps2(analysis::center_of_mass(window), dt);
  const double after = largest_push_mps2(analysis::center_of_mass(analysis::study(clip, window.map())), dt);
  EXPECT_GT(before, 8.0);
  EXPECT_LT(after, 0.5 * before);
}

TEST(JoinFeet, RefusesTimesOutOfOrderAndBodiesWithoutFeet) {
  const analysis::StudiedClip window = thrown_walk();
  EXPECT_FALSE(join_feet(window, {.held_s = 0.0, .core_s = 1.0, .settled_s = 1.2}));
  EXPECT_FALSE(join_feet(window, {.held_s = 0.6, .core_s = 0.5, .settled_s = 1.2}));
  EXPECT_FALSE(join_feet(window, {.held_s = 0.6, .core_s = 1.0, .settled_s = 0.9}));
  EXPECT_FALSE(join_feet(window, {.held_s = 0.6, .core_s = 9.0, .settled_s = 9.3}));
  EXPECT_FALSE(join_feet(analysis::study(window.clip(), {}), {.held_s = 0.6, .core_s = 1.0, .settled_s = 1.2}));
}

}  // namespace
}  // namespace shosa::feet
