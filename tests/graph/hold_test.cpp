#include <gtest/gtest.h>

#include "graph/player_sets.h"
#include "shosa/graph/player.h"

namespace shosa::graph {
namespace {

// A ring of standing (nodes 0, 1), and a run whose keyframes 2 … 5 play on; the last leads to standing. From 4 a link
// leads back to 2.
MotionGraph stand_and_run(bool goes_round, bool way_to_its_start = true) {
  std::vector<Node> nodes = {{.id = 0, .clip = 0, .time_s = 0.0, .name = "stand"},
                             {.id = 1, .clip = 0, .time_s = 0.4, .name = "stand"}};
  for (int n = 2; n < 6; ++n) nodes.push_back({.id = n, .clip = 1, .time_s = 0.2 * (n - 1), .name = "run"});
  std::vector<Link> links = {{.id = 0, .from = 0, .to = 1, .time_s = 0.4},
                             {.id = 1, .from = 1, .to = 0, .time_s = 0.2},
                             {.id = 2, .from = 2, .to = 3, .time_s = 0.2},
                             {.id = 3, .from = 3, .to = 4, .time_s = 0.2},
                             {.id = 4, .from = 4, .to = 5, .time_s = 0.2},
                             {.id = 5, .from = 5, .to = 0, .time_s = 0.3},
                             // The nearest way in is the run's end.
                             {.id = 6, .from = 1, .to = 5, .time_s = 0.1}};
  if (way_to_its_start) links.push_back({.id = 7, .from = 1, .to = 2, .time_s = 0.5});
  if (goes_round) links.push_back({.id = 8, .from = 4, .to = 2, .time_s = 0.3});
  return *MotionGraph::create({"idle", "run_slow"}, std::move(nodes), std::move(links));
}

struct Course {
  double running_s = 0.0;  // within the last two seconds
  bool commanded = false, held = false;
};
Course play(const MotionGraph& graph, const Command& command) {
  auto player = Player::create(graph, shipped(), 0);
  EXPECT_TRUE(player.has_value()) << player.error().message;
  EXPECT_TRUE(player->command(command).has_value());
  Pose pose;
  Course course;
  for (int f = 0; f < 300; ++f) {
    player->step(pose);
    if (f >= 180 && graph.node(player->next_node()).name == "run") course.running_s += 1.0 / 60.0;
  }
  course.commanded = player->state().commanded, course.held = player->state().held;
  return course;
}

TEST(Hold, AStateThatWasReachedIsHeldUntilTheNextCommand) {
  const MotionGraph graph = stand_and_run(true);
  const Course run = play(graph, {.targets = graph.nodes_named("run")});
  EXPECT_FALSE(run.commanded);
  EXPECT_TRUE(run.held);
  EXPECT_NEAR(run.running_s, 2.0, 1e-9);
}

TEST(Hold, WhereNothingGoesRoundDefaultLinksAreFollowed) {
  const MotionGraph graph = stand_and_run(false);
  const Course run = play(graph, {.targets = graph.nodes_named("run")});
  EXPECT_LT(run.running_s, 1.9);
  EXPECT_FALSE(run.held);
}

TEST(Hold, ASingleNodeIsPassed) {
  const MotionGraph graph = stand_and_run(true);
  const Course run = play(graph, {.targets = {3}});
  EXPECT_LT(run.running_s, 1.0);
  EXPECT_FALSE(run.held);
}

TEST(Hold, AnyTargetWillDoWhereThoseThatLastCannotBeReached) {
  const MotionGraph graph = stand_and_run(true, false);
  auto player = Player::create(graph, shipped(), 0);
  ASSERT_TRUE(player.has_value());
  ASSERT_TRUE(player->command({.targets = graph.nodes_named("run")}).has_value());
  Pose pose;
  bool met = false;
  for (int f = 0; f < 240; ++f) {
    player->step(pose);
    met |= player->next_node() == 5;
  }
  EXPECT_TRUE(met);
  EXPECT_FALSE(player->state().held);
}

}  // namespace
}  // namespace shosa::graph
