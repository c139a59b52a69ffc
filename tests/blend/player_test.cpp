#include "shosa/blend/player.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "blend/clips.h"
#include "blend/transition.h"
#include "scenes/allocations.h"
#include "shosa/analysis/free_fall.h"
#include "shosa/blend/compose.h"

namespace shosa::blend {
namespace {

using test::Clips;
using test::prepared;

bool same_bits(const Pose& a, const Pose& b) {
  return std::memcmp(a.rotation_lanes().data(), b.rotation_lanes().data(), a.rotation_lanes().size_bytes()) == 0 &&
         std::memcmp(a.translation_lanes().data(), b.translation_lanes().data(), a.translation_lanes().size_bytes()) ==
             0;
}

TEST(MotionPlayer, FirstMotionPlaysAsItIs) {
  const Clips clips;
  auto player = MotionPlayer::create(clips.walk);
  ASSERT_TRUE(player);
  Pose pose;
  for (int f = 0; f < clips.walk->frame_count(); ++f) {
    player->frame(f * player->frame_time_s(), pose);
    EXPECT_TRUE(same_bits(pose, clips.walk->clip().frame(f))) << f;
  }
}

TEST(MotionPlayer, CoresKeepTheirRotationsToTheBit) {
  const Clips clips;
  for (const auto& [first, second] : {std::pair{clips.walk, clips.run}, std::pair{clips.run, clips.walk},
                                      std::pair{clips.walk, clips.stand}, std::pair{clips.jump, clips.walk}}) {
    auto player = MotionPlayer::create(first);
    ASSERT_TRUE(player);
    const auto report = player->add(second);
    ASSERT_TRUE(report && report->executed);
    const bool adapted = report->plan->hold.has_value();
    // Legs may come to a core with what momentum asks of them, for the time of a step.
    EXPECT_LT(report->settled_s,
              report->at_s + second->core.begin * player->frame_time_s() + (adapted ? INFINITY : 2.0));
    Pose pose;
    for (int f = 0; f <= first->core.end; ++f) {
      player->frame(f * player->frame_time_s(), pose);
      EXPECT_TRUE(same_bits(pose, first->clip().frame(f)));
    }
    const std::vector<bool> lower = lower_body(second->clip().skeleton(), second->map());
    for (int f = second->core.begin; f <= second->core.end; ++f) {
      player->frame((report->plan->at + f) * player->frame_time_s(), pose);
      for (JointIndex j = 1; j < pose.joint_count(); ++j) {
        const bool settled = (report->plan->at + f) * player->frame_time_s() >= report->settled_s;
        if ((adapted || !settled) && lower[j]) continue;
        EXPECT_EQ(pose.rotation(j).coeffs(), second->clip().rotation(f, j).coeffs()) << f << " joint " << j;
      }
    }
  }
}

TEST(MotionPlayer, AFrameThatWasPlayedNeverChanges) {
  const Clips clips;
  auto player = MotionPlayer::create(clips.walk);
  ASSERT_TRUE(player);
  const double dt = player->frame_time_s();
  std::vector<Pose> played;
  Pose pose;
  const std::shared_ptr<const Motion> coming[] = {clips.run, clips.jump, clips.stand, clips.walk, clips.run};
  std::size_t next = 0;
  for (int f = 0; f < 900; ++f) {
    player->frame(f * dt, pose);
    played.push_back(pose);
    // Added late, early, and in the middle of a transition.
    if (next < std::size(coming) && (f == 3 || f == 100 || f == 130 || f == 500 || f == 700)) {
      const auto report = player->add(coming[next++], {.now_s = f * dt, .interrupt = f == 130});
      ASSERT_TRUE(report.has_value());
      EXPECT_TRUE(report->executed) << report->reason;
      EXPECT_GE(report->plan->lower.frames.begin, f);
      EXPECT_GT(report->plan->upper.frames.begin, f);
    }
    for (int g = 0; g <= f; g += 1 + f / 20) {
      player->frame(g * dt, pose);
      ASSERT_TRUE(same_bits(pose, played[g])) << "frame " << g << " after " << f;
    }
  }
  EXPECT_EQ(next, std::size(coming));
}

// Largest acceleration of the centre of mass over the ground, over 0.05 s, from core to core.
double largest_push_mps2(MotionPlayer& player, const Motion& first, const Motion& second, const AddReport& report) {
  const double dt = player.frame_time_s(), to_s = report.at_s + second.core.begin * dt;
  Clip clip(first.clip().skeleton_ptr(), static_cast<int>(to_s / dt) + 12, dt, {0});
  Pose pose;
  for (int f = 0; f < clip.frame_count(); ++f) {
    player.frame(f * dt, pose);
    clip.set_frame(f, pose);
  }
  const std::vector<Vec3d> path = analysis::center_of_mass(analysis::study(clip, first.map()));
  const int h = std::max(1, static_cast<int>(std::lround(0.05 / dt)));
  double most = 0.0;
  for (int f = first.core.end; f <= static_cast<int>(to_s / dt); ++f) {
    const Vec3d a = (path[f - h] - 2.0 * path[f] + path[f + h]) / (h * h * dt * dt);
    most = std::max(most, std::hypot(a.x(), a.z()));
  }
  return most;
}

TEST(MotionPlayer, TheBodyKeepsItsMomentum) {
  const Clips clips;
  for (const auto& [first, second] :
       {std::pair{clips.walk, clips.run}, std::pair{clips.run, clips.walk}, std::pair{clips.run, clips.stand}}) {
    auto with = MotionPlayer::create(first), without = MotionPlayer::create(first, {.momentum = false});
    const auto report = with->add(second);
    ASSERT_TRUE(report && report->executed);
    const auto same = without->add(second, {.at_s = report->at_s});
    ASSERT_TRUE(same && same->executed);
    const double push = largest_push_mps2(*with, *first, *second, *report);
    EXPECT_LT(push, 0.8 * largest_push_mps2(*without, *first, *second, *same));
    EXPECT_LT(push, 19.6);
  }
}

TEST(MotionPlayer, AllocatesNothingPerFrame) {
  const Clips clips;
  auto player = MotionPlayer::create(clips.walk);
  ASSERT_TRUE(player);
  ASSERT_TRUE(player->add(clips.stand));
  ASSERT_TRUE(player->add(clips.run));
  ASSERT_TRUE(player->add(clips.jump));
  Pose pose(clips.walk->clip().joint_count());
  const double end_s = player->end_s();
  const long before = scenes::allocations();
  for (double t = -0.1; t < end_s + 0.1; t += 0.0041) player->frame(t, pose);
  EXPECT_EQ(scenes::allocations() - before, 0);
  const std::vector<int> counted(3);
  EXPECT_GT(scenes::allocations(), before);
}

TEST(MotionPlayer, OverlappingCoresAreRefusedWithReasonAndEarliestTime) {
  const Clips clips;
  auto player = MotionPlayer::create(clips.walk);
  ASSERT_TRUE(player);
  const auto refused = player->add(clips.run, {.at_s = 0.5});
  ASSERT_TRUE(refused.has_value());
  EXPECT_FALSE(refused->executed);
  EXPECT_NE(refused->reason.find("1.500"), std::string::npos) << refused->reason;
  EXPECT_NE(refused->reason.find("2.000"), std::string::npos) << refused->reason;
  EXPECT_EQ(player->motion_count(), 1);
  // What it names leaves time for a blend, is possible, and one frame earlier is not.
  EXPECT_GE(refused->earliest_s + 1.0 - 2.0, PlanParams().min_length_s - 1e-9);
  const double dt = player->frame_time_s();
  EXPECT_FALSE(player->add(clips.run, {.at_s = refused->earliest_s - dt})->executed);
  EXPECT_TRUE(player->add(clips.run, {.at_s = refused->earliest_s})->executed);
}

TEST(MotionPlayer, AnInterruptionEndsTheCoreButNothingBeforeNow) {
  const Clips clips;
  auto player = MotionPlayer::create(clips.walk);
  ASSERT_TRUE(player);
  const auto waits = player->add(clips.stand, {.now_s = 1.0});
  auto other = MotionPlayer::create(clips.walk);
  const auto interrupts = other->add(clips.stand, {.now_s = 1.0, .interrupt = true});
  ASSERT_TRUE(waits && interrupts && waits->executed && interrupts->executed);
  EXPECT_LT(interrupts->at_s, waits->at_s);
  EXPECT_GE(interrupts->plan->lower.frames.begin * other->frame_time_s(), 1.0 - 1e-9);
}

TEST(MotionPlayer, AnotherSkeletonIsRefusedWithTheReason) {
  const Clips clips;
  auto player = MotionPlayer::create(clips.walk);
  const Clip dog = scenes::dog_walk().clip;
  const auto motion = prepare_motion(analysis::study(dog, body::guess_body_map(dog.skeleton())));
  ASSERT_TRUE(player && motion);
  const auto report = player->add(*motion);
  ASSERT_FALSE(report.has_value());
  EXPECT_NE(report.error().message.find("joint"), std::string::npos) << report.error().message;
}

TEST(MotionPlayer, BetweenFramesItIsWhereItsNeighboursAre) {
  const Clips clips;
  auto player = MotionPlayer::create(clips.walk);
  ASSERT_TRUE(player && player->add(clips.run)->executed);
  const double dt = player->frame_time_s();
  Pose a, b, between;
  for (int f = 0; f * dt < player->end_s() - dt; ++f) {
    player->frame(f * dt, a);
    player->frame((f + 1) * dt, b);
    player->frame((f + 0.5) * dt, between);
    const float gap = (a.translation(0) - b.translation(0)).norm();
    EXPECT_LT((between.translation(0) - 0.5f * (a.translation(0) + b.translation(0))).norm(), 0.2f * gap + 2e-3f) << f;
  }
}

TEST(MotionPlayer, ForgettingTheOldChangesNothingOfTheNew) {
  const Clips clips;
  auto player = MotionPlayer::create(clips.walk);
  auto other = MotionPlayer::create(clips.walk);
  for (const auto& motion : {clips.run, clips.stand, clips.walk}) {
    ASSERT_TRUE(player->add(motion)->executed);
    ASSERT_TRUE(other->add(motion)->executed);
  }
  const double from_s = player->end_s() - 1.0;
  other->forget_before(from_s);
  EXPECT_EQ(other->motion_count(), 4);
  Pose a, b;
  for (double t = from_s; t < player->end_s(); t += player->frame_time_s()) {
    player->frame(t, a);
    other->frame(t, b);
    EXPECT_TRUE(same_bits(a, b));
  }
}

}  // namespace
}  // namespace shosa::blend
