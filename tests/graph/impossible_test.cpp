// Nodes that cannot be taken now.

#include <gmock/gmock.h>

#include <set>

#include "graph/played.h"
#include "graph/player_sets.h"
#include "shosa/graph/player.h"

namespace shosa::graph {
namespace {

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
    if (frame == 30) {
      EXPECT_TRUE(player->declare_impossible(4).has_value());
    }
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

}  // namespace
}  // namespace shosa::graph
