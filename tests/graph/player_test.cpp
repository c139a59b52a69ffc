#include "shosa/graph/player.h"

#include <gmock/gmock.h>

#include "graph/played.h"
#include "graph/player_sets.h"
#include "scenes/allocations.h"

namespace shosa::graph {
namespace {

using testing::HasSubstr;

TEST(Player, ATPoseInFrontOfAClipLetsNoLimbJump) {
  std::vector<NamedClip> clips;
  for (const SetClip& plain : shipped().clips) {
    const Clip& clip = plain.clip();
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

TEST(Player, ADogsElbowsStayOverTheGroundInALinkWrittenByHand) {
  const MotionSet set =
      test::motion_set({{"drop", motions::make("dog_drop")->clip}, {"lie", motions::make("dog_lie_down")->clip}});
  const double dropped_s = set.clips[0].clip().last_time_s() - 0.05, lying_s = set.clips[1].clip().last_time_s() - 0.05;
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
  EXPECT_GT(lowest_m, -0.015);
}

TEST(Player, ACommandBeforeTheFirstFrameJumpsFromNoStart) {
  const MotionSet& set = shipped();
  const MotionGraph& graph = shipped_net();
  const auto own = test::own_motions(set, 1.0 / 60.0);
  const auto defaults = complete_defaults(graph);
  int at_once = 0;
  for (NodeIndex start = 0; start < graph.node_count(); ++start) {
    // A change-over as early as can be.
    const Link& first = graph.link(defaults[start]);
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
    const SetClip& clip = set.clips[set.find(graph.clips()[static_cast<std::size_t>(graph.node(start).clip)])];
    Pose own_pose;
    sample(clip.clip(), graph.node(start).time_s, own_pose);
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
  const long before = scenes::allocations();
  for (int f = 0; f < 600; ++f) player->step(pose);
  EXPECT_EQ(scenes::allocations() - before, 0);
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

TEST(Player, AnotherOneOfTheSameKindPlaysAsOneOfItsOwn) {
  const MotionGraph& graph = shipped_net();
  const NodeIndex start = graph.nodes_named("idle").back(), target = graph.nodes_named("walk_normal").front();
  auto first = Player::create(graph, shipped(), 0), own = Player::create(graph, shipped(), start);
  ASSERT_TRUE(first.has_value() && own.has_value());
  Pose pose, wanted;
  for (int f = 0; f < 100; ++f) first->step(pose);
  auto another = first->another(start);
  ASSERT_TRUE(another.has_value());
  for (Player* player : {&*own, &*another}) ASSERT_TRUE(player->command({.targets = {target}}).has_value());
  for (int f = 0; f < 300; ++f) {
    own->step(wanted);
    first->step(pose);  // disturbs nobody
    another->step(pose);
    ASSERT_TRUE(std::ranges::equal(pose.rotation_lanes(), wanted.rotation_lanes())) << f;
    ASSERT_TRUE(std::ranges::equal(pose.translation_lanes(), wanted.translation_lanes())) << f;
  }
  EXPECT_THAT(first->another(graph.node_count()).error().message, HasSubstr("expected 0 to"));
}

}  // namespace
}  // namespace shosa::graph
