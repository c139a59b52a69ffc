#include "shosa/graph/player.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <new>
#include <set>

#include "graph/motions.h"
#include "graph/played.h"
#include "motions/motions.h"
#include "scenes/scenes.h"
#include "shosa/graph/build_graph.h"
#include "shosa/graph/link_gaits.h"
#include "support/real_data.h"

namespace {
thread_local bool counting = false;
thread_local int allocations = 0;
}  // namespace

// Not inlined, so that the compiler sees matching pairs.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (counting) ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  if (counting) ++allocations;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}

namespace shosa::graph {
namespace {

using testing::HasSubstr;

const MotionSet& gaits() {
  static const MotionSet set =
      test::motion_set({{"slow", scenes::walk({.duration_s = 4.0, .speed_mps = 0.8, .step_s = 0.6}).clip},
                        {"walk", scenes::walk({.duration_s = 4.0}).clip},
                        {"brisk", scenes::walk({.duration_s = 4.0, .speed_mps = 1.6, .step_s = 0.47}).clip},
                        {"arc", scenes::walk({.duration_s = 4.0, .turn_rad_per_m = 0.4}).clip}});
  return set;
}

const MotionGraph& net() {
  static const MotionGraph graph = [] {
    auto built = build_graph(gaits(), {.match = {.threshold_m = 0.06}});
    EXPECT_TRUE(built.has_value()) << built.error().message;
    return std::move(built->graph);
  }();
  return graph;
}

/// What must hold: 1 cm, 3 degrees, 2 cm/s, no stall.
void expect_smooth(const test::Played& played) {
  EXPECT_EQ(played.stalls, 0);
  EXPECT_LE(played.skate_mps, 0.02);
  EXPECT_THAT(played.jumps, testing::IsEmpty());
  EXPECT_LE(played.worst_step_m, 0.01);
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
  return played;
}

MotionGraph built(const MotionSet& set, double threshold_m) {
  auto built = build_graph(set, {.match = {.threshold_m = threshold_m}});
  EXPECT_TRUE(built.has_value()) << (built ? "" : built.error().message);
  return std::move(built->graph);
}

TEST(Player, AThousandRandomCommandsNeverJumpSlideOrStall) {
  EXPECT_LE(expect_a_thousand_smooth_commands(gaits(), net(), 11).deepest_m, 0.005);
}

const MotionSet& shipped() {
  static const MotionSet set = [] {
    std::vector<NamedClip> clips;
    for (const char* name : {"idle", "start", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast", "stop",
                             "turn_left", "turn_right"}) {
      clips.push_back({name, motions::make(name)->clip});
    }
    return test::motion_set(std::move(clips));
  }();
  return set;
}

const MotionGraph& shipped_net() {
  static const MotionGraph graph = built(shipped(), 0.12);
  return graph;
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
        if (frame == 10) EXPECT_TRUE(player->command(command).has_value());
      });
      EXPECT_LE(played.longer_flight_s, 0.07) << "hurry " << hurry << " from node " << start;
      longer += played.longer_flight_s > 0.05;
      EXPECT_THAT(played.jumps, testing::IsEmpty());
    }
  }
  // Of 48 starts.
  EXPECT_LE(longer, 12);
}

TEST(Player, ATPoseInFrontOfAClipLetsNoLimbJump) {
  std::vector<NamedClip> clips;
  for (const SetClip& plain : shipped().clips) {
    const Clip& clip = plain.clip;
    Clip longer(clip.skeleton_ptr(), clip.frame_count() + 1, clip.frame_time_s(), clip.translated());
    longer.set_frame(0, Pose::rest(clip.skeleton()));
    for (int f = 0; f < clip.frame_count(); ++f) longer.set_frame(f + 1, clip.frame(f));
    clips.push_back({plain.name, std::move(longer)});
  }
  const MotionSet set = test::motion_set(std::move(clips));
  const MotionGraph graph = built(set, 0.12);
  const NodeIndex start = graph.nodes_named("idle").back();
  auto player = Player::create(graph, set, start);
  ASSERT_TRUE(player.has_value()) << player.error().message;
  const auto own = test::own_motions(shipped(), 1.0 / 60.0);
  const test::Played played = test::measure(*player, set, own, 3000, 1.0 / 60.0, [&](int frame) {
    // Impossible nodes lead to change-overs that no match was found for.
    if (frame % 60 != 30) return;
    player->all_possible();
    for (int n = 0; n < 8; ++n) {
      EXPECT_TRUE(player->declare_impossible((player->next_node() + 37) % graph.node_count()).has_value());
      EXPECT_TRUE(player->declare_impossible(player->next_node()).has_value());
    }
    const NodeIndex target = frame * 31 % graph.node_count();
    EXPECT_TRUE(player->command({.targets = {target}}).has_value());
  });
  EXPECT_THAT(played.jumps, testing::IsEmpty());
}

TEST(Player, ImpossibleNodesAmongGaitsMakeNoJump) {
  std::vector<NamedClip> clips;
  for (const char* name : {"walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"}) {
    clips.push_back({name, motions::make(name)->clip});
  }
  const MotionSet set = test::motion_set(std::move(clips));
  const MotionGraph graph = built(set, 0.15);
  const auto own = test::own_motions(set, 1.0 / 60.0);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
    auto player = Player::create(graph, set, below(graph.node_count()));
    ASSERT_TRUE(player.has_value()) << player.error().message;
    const test::Played played = test::measure(*player, set, own, 1200, 1.0 / 60.0, [&](int frame) {
      if (frame % 48 != 7) return;
      if (below(100) >= 30) {
        EXPECT_TRUE(player->command({.targets = {below(graph.node_count())}, .hurry = below(101)}).has_value());
        return;
      }
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(player->declare_impossible(below(graph.node_count())).has_value());
      EXPECT_TRUE(player->declare_impossible(player->next_node()).has_value());
    });
    EXPECT_THAT(played.jumps, testing::IsEmpty()) << "seed " << seed;
    EXPECT_EQ(played.stalls, 0);
  }
}

TEST(Player, ADogsElbowsStayOverTheGroundInALinkWrittenByHand) {
  const MotionSet set =
      test::motion_set({{"drop", motions::make("dog_drop")->clip}, {"lie", motions::make("dog_lie_down")->clip}});
  const double dropped_s = set.clips[0].clip.last_time_s() - 0.05, lying_s = set.clips[1].clip.last_time_s() - 0.05;
  // It lies already, and takes over while the other is still standing.
  const MotionGraph graph = *MotionGraph::create({"drop", "lie"},
                                                 {{.id = 0, .clip = 0, .time_s = 0.2},
                                                  {.id = 1, .clip = 0, .time_s = dropped_s},
                                                  {.id = 2, .clip = 1, .time_s = lying_s}},
                                                 {{.id = 0, .from = 0, .to = 1, .time_s = dropped_s - 0.2},
                                                  {.id = 1, .from = 1, .to = 2, .time_s = 2.3},
                                                  {.id = 2, .from = 2, .to = 2, .time_s = 0.2}});
  auto player = Player::create(graph, set, 0);
  ASSERT_TRUE(player.has_value()) << player.error().message;
  Pose pose;
  WorldPose world;
  double lowest_m = 1.0;
  for (int f = 0; f < 300; ++f) {
    player->step(pose);
    forward_kinematics(*set.skeleton, pose, world);
    for (const Vec3d& place : world.positions) lowest_m = std::min(lowest_m, place.y());
  }
  EXPECT_GT(lowest_m, -0.01);
}

TEST(Player, ACommandBeforeTheFirstFrameJumpsFromNoStart) {
  const MotionSet& set = shipped();
  const MotionGraph& graph = shipped_net();
  const auto own = test::own_motions(set, 1.0 / 60.0);
  const auto defaults = complete_defaults(graph);
  int at_once = 0;
  for (NodeIndex start = 0; start < graph.node_count(); ++start) {
    // A change-over as early as can be.
    const Link& first = graph.link(defaults[static_cast<std::size_t>(start)]);
    const auto leaving = graph.links_from(first.to);
    const auto over = std::find_if(leaving.begin(), leaving.end(), [&](LinkIndex l) { return !plays_on(graph, l); });
    const bool early = over != leaving.end() && first.time_s < 2.5 / 60.0;
    at_once += early;
    if (!early && start % 8 != 0) continue;
    auto player = Player::create(graph, set, start);
    ASSERT_TRUE(player.has_value()) << player.error().message;
    const NodeIndex target = over != leaving.end() ? graph.link(*over).to : (start + 40) % graph.node_count();
    ASSERT_TRUE(player->command({.targets = {target}}).has_value());
    const test::Played played = test::measure(*player, set, own, 30, 1.0 / 60.0, [](int) {});
    EXPECT_THAT(played.jumps, testing::IsEmpty()) << "from node " << graph.node(start).id;
    // The first frame is the start's own posture.
    const SetClip& clip =
        set.clips[static_cast<std::size_t>(set.find(graph.clips()[static_cast<std::size_t>(graph.node(start).clip)]))];
    Pose own_pose;
    sample(clip.clip, graph.node(start).time_s, own_pose);
    EXPECT_NEAR(played.poses[0].translation(0).y(), own_pose.translation(0).y(), 0.02) << graph.node(start).id;
  }
  EXPECT_GT(at_once, 20);
}

TEST(Player, WithoutKeepingFeetNothingJumpsAtAll) {
  auto player = Player::create(net(), gaits(), 0, {.keep_feet = false});
  ASSERT_TRUE(player.has_value());
  const test::Played played = test::play_random_commands(*player, net(), gaits(), 1000, 12);
  EXPECT_THAT(played.jumps, testing::IsEmpty());
  EXPECT_THAT(played.kinks, testing::IsEmpty());
  EXPECT_EQ(played.stalls, 0);
}

TEST(Player, LinearInterpolationOfTheSeedMeetsEveryKeyframe) {
  auto player = Player::create(net(), gaits(), 0, {.motion = LinkMotion::linear});
  ASSERT_TRUE(player.has_value());
  const test::Played played = test::play_random_commands(*player, net(), gaits(), 100, 5);
  EXPECT_EQ(played.stalls, 0);
  EXPECT_GE(played.reached, 20);
}

TEST(Player, AStepAllocatesNothing) {
  auto player = Player::create(net(), gaits(), 0);
  ASSERT_TRUE(player.has_value());
  Pose pose;
  for (int f = 0; f < 10; ++f) player->step(pose);
  ASSERT_TRUE(player->command({.targets = {net().node_count() - 1}, .hurry = 50}).has_value());
  allocations = 0;
  counting = true;
  for (int f = 0; f < 600; ++f) player->step(pose);
  counting = false;
  EXPECT_EQ(allocations, 0);
}

TEST(Player, FollowsTheSamePathThatIsPlanned) {
  Planner planner(net());
  for (const NodeIndex target : {5, 40, net().node_count() - 2}) {
    // Frames short enough that no link passes within one.
    auto player = Player::create(net(), gaits(), 3, {.frame_time_s = 1.0 / 240.0});
    ASSERT_TRUE(player.has_value());
    Pose pose;
    player->step(pose);
    const Command command{.targets = {target}, .hurry = 30};
    ASSERT_TRUE(player->command(command).has_value());
    const auto plan = planner.plan(player->next_node(), command);
    std::vector<LinkIndex> taken;
    LinkIndex before = player->state().link;
    for (int f = 0; f < 9000 && player->state().commanded; ++f) {
      player->step(pose);
      if (player->state().link != before) taken.push_back(before = player->state().link);
    }
    // The last entry is the default link taken at the target.
    ASSERT_EQ(taken.size(), plan->steps.size() + 1);
    for (std::size_t i = 0; i < plan->steps.size(); ++i) EXPECT_EQ(taken[i], plan->steps[i].link);
  }
}

TEST(Player, AnImpossibleNodeShiftsToTheNearestAndIsNotEntered) {
  auto player = Player::create(net(), gaits(), 0);
  ASSERT_TRUE(player.has_value());
  Pose pose;
  player->step(pose);
  ASSERT_TRUE(player->command({.targets = {net().node_count() - 1}, .hurry = 0}).has_value());
  const NodeIndex node = player->next_node();
  ASSERT_TRUE(player->declare_impossible(node).has_value());
  EXPECT_NE(player->next_node(), node);
  for (int f = 0; f < 1000; ++f) {
    player->step(pose);
    ASSERT_NE(player->next_node(), node);
  }
  EXPECT_FALSE(player->state().commanded);
  EXPECT_FALSE(player->state().unreachable);
  player->all_possible();
}

TEST(Player, WhereTheOnlyWayOnIsImpossibleItShiftsOnceAndPlaysOn) {
  const MotionSet& set = shipped();
  const MotionGraph& graph = shipped_net();
  const auto own = test::own_motions(set, 1.0 / 60.0);
  int strangled = 0;
  for (NodeIndex start = 0; start < graph.node_count() && strangled < 25; start += 5) {
    // The way on from the node being entered; then what is left of it, so that several nodes before it are cut off.
    auto player = Player::create(graph, set, start);
    ASSERT_TRUE(player.has_value());
    const NodeIndex entered = player->next_node();
    const auto leaving = graph.links_from(entered);
    if (leaving.size() > 2) continue;
    ++strangled;
    const NodeIndex target = (start + graph.node_count() / 2) % graph.node_count();
    std::set<NodeIndex> impossible;
    for (const LinkIndex link : leaving) impossible.insert(graph.link(link).to);
    impossible.erase(target);
    int detours = 0;
    bool entered_impossible = false, on_detour = false;
    const test::Played played = test::measure(*player, set, own, 480, 1.0 / 60.0, [&](int frame) {
      if (frame == 1) {
        EXPECT_TRUE(player->command({.targets = {target}}).has_value());
        for (const NodeIndex node : impossible) EXPECT_TRUE(player->declare_impossible(node).has_value());
      }
      entered_impossible = entered_impossible || (frame > 1 && impossible.contains(player->next_node()));
      const bool detour = player->state().link == kNoLink;
      detours += detour && !on_detour;
      on_detour = detour;
    });
    EXPECT_FALSE(entered_impossible) << "from node " << graph.node(start).id;
    EXPECT_LE(detours, 1) << "from node " << graph.node(start).id;
    EXPECT_FALSE(player->state().unreachable) << "from node " << graph.node(start).id;
    EXPECT_FALSE(player->state().stranded);
    EXPECT_THAT(played.jumps, testing::IsEmpty()) << "from node " << graph.node(start).id;
    EXPECT_EQ(played.stalls, 0);
  }
  EXPECT_GE(strangled, 10);
}

TEST(Player, WhereNoPossibleWayGoesOnForEverItPlaysWhatIsLeftAgainAndAgain) {
  // A ring of five nodes along a walk.
  std::vector<Node> nodes;
  std::vector<Link> links;
  for (int i = 0; i < 5; ++i) {
    nodes.push_back({.id = i, .clip = 0, .time_s = 0.8 + 0.3 * i});
    links.push_back({.id = i, .from = i, .to = (i + 1) % 5, .time_s = 0.3});
  }
  const MotionGraph graph = *MotionGraph::create({"walk"}, nodes, links);
  const auto own = test::own_motions(gaits(), 1.0 / 60.0);
  auto player = Player::create(graph, gaits(), 0);
  ASSERT_TRUE(player.has_value());
  int entered = 0;
  std::set<NodeIndex> met;
  const test::Played played = test::measure(*player, gaits(), own, 600, 1.0 / 60.0, [&](int frame) {
    if (frame == 30) EXPECT_TRUE(player->declare_impossible(4).has_value());
    entered += frame > 30 && player->next_node() == 4;
    if (frame > 120) met.insert(player->next_node());
  });
  EXPECT_TRUE(player->state().stranded);
  EXPECT_EQ(entered, 0);
  EXPECT_GE(met.size(), 3u);
  EXPECT_EQ(played.stalls, 0);
  EXPECT_THAT(played.jumps, testing::IsEmpty());
  // No link at all is left: then what is impossible is played.
  for (const NodeIndex node : {0, 2}) ASSERT_TRUE(player->declare_impossible(node).has_value());
  EXPECT_EQ(test::measure(*player, gaits(), own, 300, 1.0 / 60.0, [](int) {}).stalls, 0);
  player->all_possible();
  EXPECT_FALSE(player->state().stranded);
}

TEST(Player, RefusesGraphsThatCannotBePlayed) {
  const auto message = [&](std::vector<Node> nodes, std::vector<Link> links, NodeIndex start = 0) {
    const auto graph = MotionGraph::create({"walk", "none"}, std::move(nodes), std::move(links));
    const auto player = Player::create(*graph, gaits(), start);
    return player ? std::string("no error") : player.error().message;
  };
  EXPECT_THAT(message({{.id = 1, .clip = 0}}, {}), HasSubstr("'none' of the graph is not there"));
  const auto with = [&](std::vector<Node> nodes, std::vector<Link> links, NodeIndex start = 0) {
    const auto graph = MotionGraph::create({"walk"}, std::move(nodes), std::move(links));
    const auto player = Player::create(*graph, gaits(), start);
    return player ? std::string("no error") : player.error().message;
  };
  EXPECT_THAT(with({{.id = 7, .clip = 0}}, {}), HasSubstr("node 7 has no way on"));
  EXPECT_THAT(with({{.id = 7}}, {{.id = 1, .from = 0, .to = 0, .time_s = 1}}), HasSubstr("node 7 has no clip"));
  EXPECT_THAT(with({{.id = 7, .clip = 0, .time_s = 99}}, {{.id = 1, .from = 0, .to = 0, .time_s = 1}}),
              HasSubstr("node 7 is at 99 s of 'walk', which ends at 4 s"));
  EXPECT_THAT(with({{.id = 7, .clip = 0}}, {{.id = 1, .from = 0, .to = 0}}), HasSubstr("without taking time"));
  EXPECT_THAT(with({{.id = 7, .clip = 0}}, {{.id = 1, .from = 0, .to = 0, .time_s = 1e-9}}),
              HasSubstr("without taking time"));
  EXPECT_THAT(with({{.id = 7, .clip = 0}}, {{.id = 1, .from = 0, .to = 0, .time_s = 1}}, 3),
              HasSubstr("node number 3"));
}

}  // namespace
}  // namespace shosa::graph
