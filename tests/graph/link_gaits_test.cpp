#include "shosa/graph/link_gaits.h"

#include <gmock/gmock.h>

#include <set>

#include "feet/settle_feet.h"
#include "graph/motions.h"
#include "graph/shortest_times.h"
#include "motions/motions.h"
#include "scenes/scenes.h"
#include "shosa/graph/build_graph.h"
#include "shosa/graph/end_condition.h"
#include "shosa/graph/planner.h"
#include "support/real_data.h"

namespace shosa::graph {
namespace {

MotionSet walks_and_runs() {
  const auto walk = [](double speed, double step) {
    return scenes::walk({.duration_s = 3.0, .speed_mps = speed, .step_s = step}).clip;
  };
  const auto run = [](double speed, double step, double duty, double lift) {
    return scenes::run({.duration_s = 3.0, .speed_mps = speed, .step_s = step, .duty = duty, .foot_clearance_m = lift})
        .clip;
  };
  return test::motion_set({{"stand", scenes::stand(0.5).clip},
                           {"walk01", walk(0.8, 0.6)},
                           {"walk02", walk(1.5, 0.5)},
                           {"run01", run(2.2, 0.38, 0.4, 0.1)},
                           {"run02", run(3.0, 0.36, 0.35, 0.14)},
                           {"run03", run(3.8, 0.34, 0.3, 0.18)}});
}

/// At least five paths over all hurry values, and never longer with more hurry.
void expect_five_paths(const LinkedGaits& gaits, NodeIndex from, const std::vector<NodeIndex>& targets) {
  Planner planner(gaits.graph, {.kept_searches = 101});
  std::set<std::vector<NodeIndex>> paths;
  double last_s = 1e9;
  for (int hurry = 0; hurry <= 100; ++hurry) {
    const auto plan = planner.plan(from, {.targets = targets, .hurry = hurry});
    ASSERT_TRUE(plan.has_value() && plan->reachable);
    EXPECT_LE(plan->duration_s, last_s + 1e-9) << "hurry " << hurry;
    last_s = plan->duration_s;
    paths.insert(plan->nodes);
  }
  EXPECT_GE(paths.size(), 5u);
}

TEST(LinkGaits, FromAWalkEveryLoopThatStandsIsMetAtOnce) {
  // Who stops walking does not dance first, whichever of the loops that stand is the slowest.
  std::vector<NamedClip> clips;
  for (const char* name : {"idle", "walk_normal", "wave", "bow", "hiphop_rock"})
    clips.push_back({name, motions::make(name)->clip});
  const auto linked = link_gaits(test::motion_set(std::move(clips)));
  ASSERT_TRUE(linked.has_value()) << linked.error().message;
  std::set<std::string> met;
  for (const NodeIndex from : linked->graph.nodes_named("walk_normal"))
    for (const LinkIndex l : linked->graph.links_from(from))
      met.insert(linked->graph.node(linked->graph.link(l).to).name);
  EXPECT_THAT(met, testing::IsSupersetOf({"idle", "wave", "bow", "hiphop_rock"}));
}

TEST(LinkGaits, FivePathsFromStandingToRunningAndMoreHurryIsNeverSlower) {
  std::vector<NamedClip> clips;
  for (const char* name : {"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"}) {
    clips.push_back({name, motions::make(name)->clip});
  }
  const auto linked = link_gaits(test::motion_set(std::move(clips)));
  ASSERT_TRUE(linked.has_value()) << linked.error().message;
  for (const NodeIndex from : linked->graph.nodes_named("idle")) {
    expect_five_paths(*linked, from, linked->graph.nodes_named("run_fast"));
  }
}

TEST(LinkGaits, FivePathsFromSlowWalkingToRunningOnCapturedClips) {
  SHOSA_NEEDS_REAL_DATA();
  const auto linked = link_gaits(test::captured({"07_04", "07_01", "07_12", "16_35", "09_01", "35_17"}, true));
  ASSERT_TRUE(linked.has_value()) << linked.error().message;
  for (const NodeIndex from : linked->graph.nodes_named("07_04")) {
    expect_five_paths(*linked, from, linked->graph.nodes_named("09_01"));
  }
}

TEST(LinkGaits, LoopsGoRoundByDefaultAtTheSpeedOfTheirClip) {
  const auto linked = link_gaits(walks_and_runs());
  ASSERT_TRUE(linked.has_value());
  EXPECT_NEAR(linked->loops[2].speed_mps, 1.5, 0.02);
  EXPECT_TRUE(linked->loops[2].is_cycle);
  EXPECT_FALSE(linked->loops[0].is_cycle);
  const MotionGraph& graph = linked->graph;
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    NodeIndex at = n;
    for (int k = 0; k < 12; ++k) at = graph.link(graph.node(at).default_link).to;
    EXPECT_EQ(at, n);
  }
}

TEST(BuildGraph, AboveAllProposedValuesMoreHurryIsNeverSlower) {
  const MotionSet set = walks_and_runs();
  const BuildParams params{.match = {.threshold_m = 0.15}};
  const auto built = build_graph(set, params);
  ASSERT_TRUE(built.has_value());
  const MotionGraph& graph = built->graph;
  Planner planner(graph);
  int ways = 0, faster = 0;
  for (const std::string& clip : graph.clips()) {
    for (NodeIndex from = 0; from < graph.node_count(); from += 7) {
      const auto time_s = [&](int hurry) {
        return planner.plan(from, {.targets = graph.nodes_named(clip), .hurry = hurry})->duration_s;
      };
      double last_s = time_s(params.most_hurry + 1);
      ++ways, faster += last_s < time_s(1) - 1e-9;
      for (int hurry = params.most_hurry + 8; hurry <= kMaxHurry; hurry += 7) {
        EXPECT_LE(time_s(hurry), last_s + 1e-9) << "to " << clip << " from node " << from << ", hurry " << hurry;
        last_s = time_s(hurry);
      }
    }
  }
  EXPECT_GT(faster, ways / 4);
  EXPECT_FALSE(build_graph(set, {.calm_hurry = 31}).has_value());
  EXPECT_FALSE(build_graph(set, {.most_hurry = 101}).has_value());
}

TEST(BuildGraph, DefaultLinksKeepWalking) {
  const MotionSet set = walks_and_runs();
  const auto built = build_graph(set, {.match = {.threshold_m = 0.15}});
  ASSERT_TRUE(built.has_value());
  const MotionGraph& graph = built->graph;
  const auto defaults = complete_defaults(graph);
  for (const char* name : {"walk02", "run02"}) {
    ASSERT_FALSE(graph.nodes_named(name).empty()) << name;
    NodeIndex at = graph.nodes_named(name).front();
    for (int k = 0; k < 500; ++k) {
      at = graph.link(defaults[at]).to;
      ASSERT_EQ(graph.node(at).name, name) << "after " << k << " links";
    }
  }
}

TEST(EndCondition, StopsWhereItWasTold) {
  const MotionSet set = walks_and_runs();
  const auto linked = link_gaits(set);
  ASSERT_TRUE(linked.has_value());
  const MotionGraph& graph = linked->graph;
  const double frame_s = 1.0 / 60.0;
  auto player = Player::create(graph, set, graph.nodes_named("walk02").front());
  ASSERT_TRUE(player.has_value()) << player.error().message;
  Pose pose;
  for (int f = 0; f < 30; ++f) player->step(pose);
  const auto here = player->place();
  for (const double ahead_m : {1.0, 2.0, 3.0, 5.0}) {
    EndConditionParams params{.targets = graph.nodes_named("stand"), .place = here};
    params.place.z_m += ahead_m;
    const auto way = plan_to_place(*player, graph, frame_s, params);
    ASSERT_TRUE(way.has_value()) << way.error().message;
    ASSERT_TRUE(way->found);
    EXPECT_LT(way->error_m, 0.05) << ahead_m;
    EXPECT_NEAR(way->stride, 1.0, 0.15 + 1e-9);
    // What was promised is what is played.
    Player copy = *player;
    ASSERT_TRUE(copy.follow(way->links, way->stride, way->veer_rad).has_value());
    for (int f = 0; f < static_cast<int>(std::lround(way->duration_s / frame_s)); ++f) copy.step(pose);
    EXPECT_NEAR(copy.place().z_m, way->end.z_m, 1e-9);
  }
}

TEST(PartsPlayer, LegsAndArmsFollowTheirOwnGraphs) {
  const MotionSet set = walks_and_runs();
  const auto linked = link_gaits(set);
  const auto first = Player::create(linked->graph, set, linked->graph.nodes_named("walk01").front());
  const auto second = Player::create(linked->graph, set, linked->graph.nodes_named("run01").front());
  std::vector<bool> upper = lower_body(*set.skeleton, set.body_map);
  upper.flip();
  PartsPlayer both(*first, *second, upper);
  Player legs = *first, arms = *second;
  Pose pose, lower, other;
  for (int f = 0; f < 120; ++f) {
    both.step(pose);
    legs.step(lower);
    arms.step(other);
    for (JointIndex j = 0; j < set.skeleton->joint_count(); ++j) {
      const Pose& source = upper[j] ? other : lower;
      ASSERT_EQ(pose.rotation(j).coeffs(), source.rotation(j).coeffs()) << set.skeleton->name(j);
    }
  }
}

TEST(FindMatches, EqualsComparingEveryPairOfCapturedFrames) {
  SHOSA_NEEDS_REAL_DATA();
  const MotionSet set = test::captured({"35_01", "07_01", "07_04", "07_12", "16_35", "02_01"}, false);
  const auto found = find_matches(set, {.threshold_m = 0.06}),
             all = find_matches_exhaustively(set, {.threshold_m = 0.06});
  ASSERT_TRUE(found.has_value() && all.has_value());
  EXPECT_GT(found->list.size(), 20u);
  EXPECT_TRUE(found->list == all->list) << found->list.size() << " and " << all->list.size();
  EXPECT_LT(found->compared, all->compared / 3);
}

TEST(BuildGraph, EveryNodeOfACapturedCoreReachesEveryOther) {
  SHOSA_NEEDS_REAL_DATA();
  const auto built = build_graph(test::captured({"35_01", "07_01", "07_04", "07_12", "02_01"}, false));
  ASSERT_TRUE(built.has_value()) << built.error().message;
  ShortestTimes times(built->graph);
  for (NodeIndex n = 0; n < built->graph.node_count(); ++n) {
    ASSERT_LT(times.time_s(0, n), 1000.0);
    ASSERT_LT(times.time_s(n, 0), 1000.0);
  }
}

/// The longest way that a joint goes from one frame to the next.
double longest_step_m(const Clip& clip, JointIndex joint) {
  const ClipPositions positions = clip_positions(clip);
  double longest = 0.0;
  for (int f = 2; f < clip.frame_count(); ++f) {
    longest = std::max(longest, (positions.joint(f, joint) - positions.joint(f - 1, joint)).norm());
  }
  return longest;
}

// Its feet slide on purpose; held in every contact they would swing in half their time.
TEST(SettleFeet, ANohWalkStepsNoMoreHastily) {
  const auto walk = motions::make("noh_walk");
  ASSERT_TRUE(walk.has_value());
  const auto settled = feet::settle_feet(analysis::study(walk->clip, walk->body_map));
  ASSERT_TRUE(settled.has_value());
  for (JointIndex j = 0; j < walk->clip.joint_count(); ++j) {
    EXPECT_LE(longest_step_m(settled->studied.clip(), j), longest_step_m(walk->clip, j) + 0.01)
        << walk->clip.skeleton().name(j);
  }
}

}  // namespace
}  // namespace shosa::graph
