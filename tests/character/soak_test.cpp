#include <gtest/gtest.h>

#include "tests/support/character_soak.h"
#include "tests/support/shipped_gaits.h"

namespace shosa::character {
namespace {

// A minute each of characters that benchmarks/character_soak found to be the worst at some time: feet that spun in the
// air, knees that flew over folded legs, legs that stayed behind a gait played faster, a foot torn along by a push.
TEST(Soak, NothingJumpsSinksOrSlidesUnderRandomCommands) {
  const auto data = test::shipped_gaits({"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"});
  const test::SoakGround ground(1);
  const double limit_m = 1.5 * test::clip_step_m(*data);
  for (const unsigned character : {8u, 27u, 53u, 56u, 110u, 161u, 162u, 173u, 180u}) {
    SCOPED_TRACE(testing::Message() << "character_soak 1 60 1 --first " << character);
    const test::SoakSeen seen = test::soak(data, ground, {1, character, 60.0, false, limit_m});
    EXPECT_EQ(seen.not_finite, 0);
    EXPECT_EQ(seen.allocations, 0);
    EXPECT_LE(seen.step_m.most(), limit_m) << seen.step.joint << " at " << seen.step.time_s << " s" << seen.step.told;
    EXPECT_LE(seen.depth_m.most(), 0.01) << seen.depth.joint << " at " << seen.depth.time_s << " s" << seen.depth.told;
    EXPECT_LE(seen.slide_mps.share(0.95), 0.02);
    EXPECT_LE(seen.slide_mps.most(), 0.6) << seen.slide.joint << " at " << seen.slide.time_s << " s" << seen.slide.told;
    const test::SoakSeen restored = test::soak(data, ground, {1, character, 60.0, true, limit_m});
    EXPECT_EQ(restored.hash, seen.hash);
  }
}

// On its way to standing a knee of the mixed posture stands up to 3 degrees backward for a frame. Where a drag or a
// reach has the body squat just then, the knee must not bend to that side.
TEST(Soak, KneesOfABodyThatIsLedDownBendToTheirOwnSide) {
  const auto data = test::shipped_gaits({"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"});
  const test::SoakGround ground(1);
  const double limit_m = 1.5 * test::clip_step_m(*data);
  for (const auto& [character, until_s] : {std::pair{720u, 221.0}, {704u, 262.0}, {730u, 288.0}}) {
    const test::SoakSeen seen = test::soak(data, ground, {1, character, until_s, false, limit_m});
    EXPECT_LE(seen.step_m.most(), limit_m)
        << character << ": " << seen.step.joint << " at " << seen.step.time_s << " s";
  }
}

}  // namespace
}  // namespace shosa::character
