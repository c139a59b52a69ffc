// What is seen at change-overs: the body's speed, and each stance by itself.

#include <gmock/gmock.h>

#include <cstdio>
#include <set>

#include "graph/played.h"
#include "graph/player_sets.h"
#include "shosa/analysis/foot_contacts.h"
#include "shosa/core/clip_edit.h"
#include "shosa/graph/link_gaits.h"
#include "shosa/graph/planner.h"
#include "shosa/graph/player.h"
#include "support/real_data.h"

namespace shosa::graph {
namespace {

constexpr double kFrame_s = 1.0 / 60.0;

/// Largest change of the hips' velocity from one frame to the next.
double hips_velocity_step_mps(const Clip& clip, JointIndex hips) {
  const ClipPositions positions = clip_positions(clip);
  double worst = 0.0;
  for (int f = 1; f + 1 < clip.frame_count(); ++f) {
    const Vec3d change = positions.joint(f + 1, hips) - 2.0 * positions.joint(f, hips) + positions.joint(f - 1, hips);
    worst = std::max(worst, change.norm() / clip.frame_time_s());
  }
  return worst;
}

/// Largest mean speed of a ball over the ground in one of its stances.
double worst_stance_mps(const Clip& clip, const body::BodyMap& map) {
  const ClipPositions positions = clip_positions(clip);
  const auto contacts = analysis::find_foot_contacts(clip, positions, map);
  EXPECT_TRUE(contacts.has_value());
  double worst = 0.0;
  for (const auto& foot : contacts->feet) {
    for (const TimeInterval& stance : foot.toe) {
      const int first = clip.nearest_frame(stance.begin_s), last = clip.nearest_frame(stance.end_s);
      double way_m = 0.0;
      for (int f = first; f < last; ++f) {
        const Vec3d step = positions.point(f + 1, foot.points.toe) - positions.point(f, foot.points.toe);
        way_m += std::hypot(step.x(), step.z());
      }
      if (last - first > 2) worst = std::max(worst, way_m / ((last - first) * clip.frame_time_s()));
    }
  }
  return worst;
}

TEST(ChangeOver, HipsChangeSpeedAsInTheClipsAndNoStanceSlides) {
  std::vector<NamedClip> clips;
  for (const char* name : {"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"}) {
    const Clip clip = motions::make(name)->clip;
    clips.push_back({name, clips.empty() ? *cut(clip, 0.0, 0.3) : clip});
  }
  const MotionSet set = test::motion_set(std::move(clips));
  const auto linked = link_gaits(set, {.link_time_s = 0.2});
  ASSERT_TRUE(linked.has_value()) << linked.error().message;
  const MotionGraph& graph = linked->graph;
  const JointIndex hips = root_joint(set.body_map);
  double own_mps = 0.0;
  for (const SetClip& clip : set.clips) own_mps = std::max(own_mps, hips_velocity_step_mps(clip.clip(), hips));

  Planner planner(graph);
  std::set<std::vector<NodeIndex>> paths;
  for (int hurry = 1; hurry <= kMaxHurry; ++hurry) {
    const Command command{.targets = graph.nodes_named("run_fast"), .hurry = hurry};
    if (!paths.insert(planner.plan(0, command)->nodes).second) continue;
    auto player = Player::create(graph, set, 0);
    ASSERT_TRUE(player.has_value());
    Clip played(set.skeleton, 240, kFrame_s);
    Pose pose;
    for (int f = 0; f < played.frame_count(); ++f) {
      if (f == 30) {
        ASSERT_TRUE(player->command(command).has_value());
      }
      player->step(pose);
      played.set_frame(f, pose);
    }
    EXPECT_LE(hips_velocity_step_mps(played, hips), own_mps + 0.05) << "hurry " << hurry;
    EXPECT_LE(worst_stance_mps(played, set.body_map), 0.03) << "hurry " << hurry;
  }
  EXPECT_EQ(paths.size(), 5u);
}

/// What must hold: 1.1 cm, 3 degrees, 2 cm/s, no stall.
void expect_smooth(const test::Played& played) {
  EXPECT_EQ(played.stalls, 0);
  EXPECT_LE(played.skate_mps, 0.02);
  EXPECT_THAT(played.jumps, testing::IsEmpty());
  EXPECT_LE(played.worst_step_m, 0.011);
  EXPECT_LE(played.worst_turn_deg, 3.0);
  // Legs that come near to straight: docs/methods/motion_graph.md, "Where it fails".
  EXPECT_LE(played.kinks.size(), played.poses.size() / 100);
}

test::Played expect_a_thousand_smooth_commands(const MotionSet& set, const MotionGraph& graph, std::uint64_t seed) {
  auto player = Player::create(graph, set, 0);
  EXPECT_TRUE(player.has_value()) << player.error().message;
  test::Played played = test::play_random_commands(*player, graph, set, 1000, seed);
  EXPECT_GE(played.reached, 50);
  EXPECT_GE(played.changes, 500);
  expect_smooth(played);
  // The table of docs/methods/motion_graph.md.
  std::printf(
      "%d changes; beyond the clips: step %.2f cm, turn %.1f deg, deepest %.1f cm; slide %.1f cm/s; %zu kinks\n",
      played.changes, 100.0 * played.worst_step_m, played.worst_turn_deg, 100.0 * played.deepest_m,
      100.0 * played.skate_mps, played.kinks.size());
  return played;
}

TEST(Player, AThousandRandomCommandsNeverJumpSlideOrStall) {
  EXPECT_LE(expect_a_thousand_smooth_commands(gaits(), net(), 11).deepest_m, 0.005);
}

TEST(Player, AThousandRandomCommandsOnTheMotionsThatShip) {
  const MotionSet& set = shipped();
  const MotionGraph& graph = shipped_net();
  for (const char* name : {"idle", "walk_slow", "run_slow", "stop", "turn_left"}) {
    EXPECT_FALSE(graph.nodes_named(name).empty()) << name;
  }
  EXPECT_LE(expect_a_thousand_smooth_commands(set, graph, 12).deepest_m, 0.005);
}

TEST(Player, AThousandRandomCommandsOnLinkedGaits) {
  std::vector<NamedClip> clips;
  for (const char* name : {"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"}) {
    clips.push_back({name, motions::make(name)->clip});
  }
  const MotionSet set = test::motion_set(std::move(clips));
  const auto linked = link_gaits(set);
  ASSERT_TRUE(linked.has_value()) << linked.error().message;
  EXPECT_LE(expect_a_thousand_smooth_commands(set, linked->graph, 12).deepest_m, 0.005);
}

TEST(Player, AThousandRandomCommandsOnCapturedWalksAndRuns) {
  SHOSA_NEEDS_REAL_DATA();
  const MotionSet set =
      test::captured({"16_15", "16_21", "16_11", "16_17", "16_19", "16_35", "16_37", "16_41", "16_08", "16_33"}, true);
  const MotionGraph graph = built(set, 0.15);
  for (const char* name : {"16_15", "16_35", "16_41", "16_08"}) EXPECT_FALSE(graph.nodes_named(name).empty()) << name;
  const test::Played played = expect_a_thousand_smooth_commands(set, graph, 13);
  EXPECT_LE(played.deepest_m, 0.015);
  EXPECT_LE(played.deep_frames, 60);
}

TEST(Player, AThousandRandomCommandsOnShippedGraphsAsTheProgramBuildsThem) {
  std::vector<NamedClip> clips;
  for (const char* name : {"idle", "start", "stop", "walk_fast", "walk_normal"}) {
    clips.push_back({name, motions::make(name)->clip});
  }
  const MotionSet set = test::motion_set(std::move(clips));
  expect_a_thousand_smooth_commands(set, built(set, BuildParams{}.match.threshold_m), 14);
}

TEST(Player, AThousandRandomCommandsOnShippedGaitsAsTheProgramBuildsThem) {
  std::vector<NamedClip> clips;
  for (const char* name : {"walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"}) {
    clips.push_back({name, motions::make(name)->clip});
  }
  const MotionSet set = test::motion_set(std::move(clips));
  expect_a_thousand_smooth_commands(set, built(set, 0.15), 15);
}

TEST(Player, AThousandRandomCommandsOnCapturedWalksAsTheProgramBuildsThem) {
  SHOSA_NEEDS_REAL_DATA();
  const MotionSet set = test::captured({"02_01", "07_01", "07_04", "07_12", "35_01"}, true);
  expect_a_thousand_smooth_commands(set, built(set, BuildParams{}.match.threshold_m), 16);
}

TEST(Player, AThousandRandomCommandsOnCapturedRunsAsTheProgramBuildsThem) {
  SHOSA_NEEDS_REAL_DATA();
  const MotionSet set = test::captured({"09_01", "16_15", "16_35", "16_37", "35_17"}, true);
  expect_a_thousand_smooth_commands(set, built(set, 0.15), 17);
}

// "Where it fails" in docs/methods/motion_graph.md has what is left: braking out of a run, starting from standing.
TEST(Player, ChangeOversHardlyLengthenFlights) {
  const auto played = [](const MotionSet& set, const MotionGraph& graph) {
    auto player = Player::create(graph, set, 0);
    return test::play_random_commands(*player, graph, set, 1000, 12);
  };
  EXPECT_THAT(played(gaits(), net()).longer_flights, testing::IsEmpty());
  // Few changes of clip, and many.
  const auto seldom = build_graph(shipped(), {.match = {.threshold_m = 0.12}, .calm_hurry = 0, .most_hurry = 100});
  ASSERT_TRUE(seldom.has_value());
  EXPECT_LE(played(shipped(), seldom->graph).longer_flights.size(), 13u);
  EXPECT_LE(played(shipped(), shipped_net()).longer_flights.size(), 85u);
}

TEST(Player, AHurriedStartFliesHardlyLongerThanTheRun) {
  std::vector<NamedClip> clips;
  for (const char* name : {"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"}) {
    clips.push_back({name, motions::make(name)->clip});
  }
  const MotionSet set = test::motion_set(std::move(clips));
  const auto own = test::own_motions(set, 1.0 / 60.0);
  const auto linked = link_gaits(set);
  ASSERT_TRUE(linked.has_value()) << linked.error().message;
  int longer = 0;
  for (const int hurry : {0, 40, 60, 100}) {
    for (const NodeIndex start : linked->graph.nodes_named("idle")) {
      auto player = Player::create(linked->graph, set, start);
      ASSERT_TRUE(player.has_value());
      const Command command{.targets = linked->graph.nodes_named("run_fast"), .hurry = hurry};
      const test::Played played = test::measure(*player, set, own, 240, 1.0 / 60.0, [&](int frame) {
        if (frame == 10) {
          EXPECT_TRUE(player->command(command).has_value());
        }
      });
      EXPECT_LE(played.longer_flight_s, 0.07) << "hurry " << hurry << " from node " << start;
      longer += played.longer_flight_s > 0.05;
      EXPECT_THAT(played.jumps, testing::IsEmpty());
    }
  }
  // Of 48 starts.
  EXPECT_LE(longer, 12);
}

}  // namespace
}  // namespace shosa::graph
