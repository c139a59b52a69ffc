#include "shosa/graph/planner.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

#include "graph/random_graph.h"
#include "graph/shortest_times.h"

namespace shosa::graph {
namespace {

using test::random_graph;
using testing::ElementsAre;
using testing::HasSubstr;

/// What decides between two ways, smaller first: weight, less hurry, time, links.
using Merit = std::tuple<double, int, double, int>;

Merit merit(const MotionGraph& graph, std::span<const LinkIndex> links, int hurry) {
  double weight = 0.0, time = 0.0;
  int hurried = 0;
  for (const LinkIndex l : links) {
    const Link& link = graph.link(l);
    const double c = link.hurry, square = (hurry - c) * (hurry - c);
    // Written out again from the seed's equation 2, apart from the code under test.
    double a = link.time_s;
    if (hurry != kNoHurry && c != 0 && a != 0) a = square * link.time_s;
    if (hurry != kNoHurry && c != 0 && link.time_s == 0) a = square;
    weight += a;
    time += link.time_s;
    if (hurry != kNoHurry && link.hurry != hurry) hurried += link.hurry;
  }
  return {weight, -hurried, time, static_cast<int>(links.size())};
}

/// Tries every way that meets no node twice.
std::optional<Merit> best_by_enumeration(const MotionGraph& graph, NodeIndex from, std::span<const NodeIndex> targets,
                                         int hurry) {
  std::optional<Merit> best;
  std::vector<LinkIndex> way;
  std::vector<bool> met(static_cast<std::size_t>(graph.node_count()), false);
  const std::function<void(NodeIndex)> visit = [&](NodeIndex node) {
    met[node] = true;
    if (std::find(targets.begin(), targets.end(), node) != targets.end()) {
      const Merit found = merit(graph, way, hurry);
      if (!best || found < *best) best = found;
    }
    for (LinkIndex l = 0; l < graph.link_count(); ++l) {
      if (graph.link(l).from != node || met[graph.link(l).to]) continue;
      way.push_back(l);
      visit(graph.link(l).to);
      way.pop_back();
    }
    met[node] = false;
  };
  visit(from);
  return best;
}

std::vector<LinkIndex> links_of(const Plan& plan) {
  std::vector<LinkIndex> links;
  for (const PlanStep& step : plan.steps) links.push_back(step.link);
  return links;
}

TEST(Planner, EqualsEnumerationOnRandomSmallGraphs) {
  int reachable = 0, unreachable = 0, hurried = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
    const int nodes = 2 + below(6);
    const MotionGraph graph = random_graph({.nodes = nodes,
                                            .links = nodes + below(2 * nodes),
                                            .seed = seed,
                                            .zero_share = 0.25 * below(4),
                                            .hurry_share = 0.3 * below(4),
                                            .hurry_step = seed % 2 == 0 ? 20 : 5});
    Planner planner(graph);
    for (int command = 0; command < 4; ++command) {
      const int hurry = command == 0 ? kNoHurry : 5 * below(21);
      std::vector<NodeIndex> targets = {below(nodes)};
      if (command == 3) targets.push_back(below(nodes));
      const NodeIndex from = below(nodes);
      const auto truth = best_by_enumeration(graph, from, targets, hurry);
      const auto plan = planner.plan(from, {.targets = targets, .hurry = hurry});
      ASSERT_TRUE(plan.has_value()) << plan.error().message;
      ASSERT_EQ(plan->reachable, truth.has_value());
      (truth ? reachable : unreachable)++;
      if (!truth) continue;
      ASSERT_EQ(merit(graph, links_of(*plan), hurry), *truth) << "hurry " << hurry;
      ASSERT_EQ(plan->weight, std::get<0>(*truth));
      ASSERT_EQ(plan->duration_s, std::get<2>(*truth));
      ASSERT_EQ(plan->nodes.front(), from);
      ASSERT_TRUE(std::find(targets.begin(), targets.end(), plan->nodes.back()) != targets.end());
      hurried += std::get<1>(*truth) != 0;
    }
  }
  EXPECT_GT(reachable, 4000);
  EXPECT_GT(unreachable, 2000);
  EXPECT_GT(hurried, 1000);
}

/// Standing to lying by two ways of equal play time.
MotionGraph dog() {
  return *MotionGraph::create({}, {{.id = 0}, {.id = 1}, {.id = 2}, {.id = 3}},
                              {{.id = 0, .from = 0, .to = 1, .time_s = 0.4, .hurry = 40},
                               {.id = 1, .from = 0, .to = 2, .time_s = 0.4, .hurry = 60},
                               {.id = 2, .from = 1, .to = 3, .time_s = 0.5},
                               {.id = 3, .from = 2, .to = 3, .time_s = 0.5}});
}

TEST(Planner, TheDogLiesDownSlowlyUpToFortyNineAndAtOnceFromFifty) {
  const MotionGraph graph = dog();
  Planner planner(graph);
  for (int hurry = 0; hurry <= 100; ++hurry) {
    const auto plan = planner.plan(0, {.targets = {3}, .hurry = hurry});
    ASSERT_TRUE(plan.has_value());
    EXPECT_THAT(plan->nodes, ElementsAre(0, hurry < 50 ? 1 : 2, 3)) << hurry;
    EXPECT_DOUBLE_EQ(plan->duration_s, 0.9);
  }
}

TEST(Planner, ExplainsEveryLinkOfThePath) {
  const MotionGraph graph = dog();
  Planner planner(graph);
  const auto plan = planner.plan(0, {.targets = {3}, .hurry = 30});
  ASSERT_TRUE(plan.has_value());
  ASSERT_EQ(plan->steps.size(), 2u);
  EXPECT_EQ(plan->steps[0].link, 0);
  EXPECT_EQ(plan->steps[0].hurry, 40);
  EXPECT_DOUBLE_EQ(plan->steps[0].weight, 100 * 0.4);
  EXPECT_DOUBLE_EQ(plan->steps[1].begin_s, 0.4);
  EXPECT_DOUBLE_EQ(plan->steps[1].weight, 0.5);
  EXPECT_DOUBLE_EQ(plan->weight, 40.5);
}

TEST(Planner, SumsThatAreEqualAreTiesHoweverTheyAreAdded) {
  // 0.1 + 0.2 is not 0.3 in doubles; the hurried way must still win the tie.
  const auto graph = MotionGraph::create({}, {{.id = 0}, {.id = 1}, {.id = 2}},
                                         {{.id = 0, .from = 0, .to = 2, .time_s = 0.1, .hurry = 40},
                                          {.id = 1, .from = 2, .to = 1, .time_s = 0.2, .hurry = 40},
                                          {.id = 2, .from = 0, .to = 1, .time_s = 0.3, .hurry = 60}});
  Planner planner(*graph);
  // The two-link way sums more hurry (80) than the one-link way (60).
  EXPECT_EQ(planner.plan(0, {.targets = {1}, .hurry = 50})->steps.size(), 2u);
  const auto other = MotionGraph::create({}, {{.id = 0}, {.id = 1}, {.id = 2}},
                                         {{.id = 0, .from = 0, .to = 2, .time_s = 0.1, .hurry = 20},
                                          {.id = 1, .from = 2, .to = 1, .time_s = 0.2, .hurry = 20},
                                          {.id = 2, .from = 0, .to = 1, .time_s = 0.3, .hurry = 80}});
  Planner second(*other);
  EXPECT_EQ(second.plan(0, {.targets = {1}, .hurry = 50})->steps.size(), 1u);
}

TEST(Planner, NamesAndOrderOfWritingNeverChangeThePath) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    // Postures tell nodes apart, so that there is one best way even where everything else is equal.
    const MotionGraph bare = random_graph({.nodes = 8, .links = 24, .seed = seed, .hurry_step = 25});
    std::vector<Node> nodes(bare.nodes().begin(), bare.nodes().end());
    for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n].clip = 0, nodes[n].time_s = 0.1 * static_cast<double>(n);
    std::vector<Link> links(bare.links().begin(), bare.links().end());
    const auto graph = MotionGraph::create({"a.bvh"}, nodes, links);

    std::mt19937_64 random(seed);
    std::vector<NodeIndex> place(nodes.size());
    std::iota(place.begin(), place.end(), 0);
    std::shuffle(place.begin(), place.end(), random);
    std::vector<Node> moved(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      moved[place[n]] = nodes[n];
      moved[place[n]].id = static_cast<std::int64_t>(random() >> 20);
    }
    for (Link& link : links) {
      link.from = place[link.from];
      link.to = place[link.to];
      link.id = static_cast<std::int64_t>(random() >> 20);
    }
    std::shuffle(links.begin(), links.end(), random);
    const auto renamed = MotionGraph::create({"a.bvh"}, moved, links);
    ASSERT_TRUE(renamed.has_value()) << renamed.error().message;
    Planner first(*graph), second(*renamed);
    for (int hurry = 0; hurry <= 100; hurry += 25) {
      const auto plan = first.plan(0, {.targets = {7}, .hurry = hurry});
      const auto again = second.plan(place[0], {.targets = {place[7]}, .hurry = hurry});
      std::vector<NodeIndex> mapped;
      for (const NodeIndex node : plan->nodes) mapped.push_back(place[node]);
      EXPECT_EQ(again->nodes, mapped);
      EXPECT_EQ(again->weight, plan->weight);
    }
  }
}

TEST(Planner, ImpossibleNodesAreNotEntered) {
  const MotionGraph graph = dog();
  Planner planner(graph);
  EXPECT_THAT(planner.plan(0, {.targets = {3}, .hurry = 10, .impossible_nodes = {1}})->nodes, ElementsAre(0, 2, 3));
  EXPECT_FALSE(planner.plan(0, {.targets = {3}, .hurry = 10, .impossible_nodes = {1, 2}})->reachable);
  EXPECT_FALSE(planner.plan(0, {.targets = {3}, .hurry = 10, .impossible_nodes = {3}})->reachable);
  EXPECT_TRUE(planner.plan(1, {.targets = {3}, .hurry = 10, .impossible_nodes = {1}})->reachable);
}

TEST(Planner, AnswersDoNotDependOnWhatWasAskedBefore) {
  const MotionGraph graph = random_graph({.nodes = 60, .links = 240, .seed = 9});
  Planner kept(graph, {.kept_searches = 2});
  std::mt19937_64 random(3);
  for (int i = 0; i < 500; ++i) {
    const Command command{.targets = {static_cast<NodeIndex>(random() % 5)}, .hurry = static_cast<int>(random() % 3)};
    const auto from = static_cast<NodeIndex>(random() % 60);
    Planner fresh(graph, {.early_stop_nodes = i % 2 == 0 ? 0 : 4096});
    EXPECT_EQ(kept.plan(from, command)->nodes, fresh.plan(from, command)->nodes);
  }
}

TEST(Planner, RefusesWhatIsNotInTheGraph) {
  const MotionGraph graph = dog();
  Planner planner(graph);
  EXPECT_THAT(planner.plan(4, {.targets = {0}}).error().message, HasSubstr("node number 4, expected 0 to 3"));
  EXPECT_THAT(planner.plan(0, {.targets = {-1}}).error().message, HasSubstr("a target is node number -1"));
  EXPECT_THAT(planner.plan(0, {.targets = {}}).error().message, HasSubstr("without target"));
  EXPECT_THAT(planner.plan(0, {.targets = {1}, .hurry = 101}).error().message, HasSubstr("hurry is 101"));
}

TEST(RouteSearch, RunInSlicesGivesTheSameWays) {
  const MotionGraph graph = random_graph({.nodes = 300, .links = 1500, .seed = 2});
  const RouteGraph routes(graph);
  RouteSearch whole(routes), sliced(routes);
  const NodeIndex target = 11;
  whole.start({&target, 1}, 40);
  ASSERT_TRUE(whole.run(1 << 30));
  sliced.start({&target, 1}, 40);
  int slices = 0;
  while (!sliced.run(7)) ++slices;
  EXPECT_GT(slices, 10);
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    ASSERT_EQ(sliced.is_settled(n), whole.is_settled(n));
    if (!whole.is_settled(n)) continue;
    EXPECT_EQ(sliced.next_link(n), whole.next_link(n));
  }
}

TEST(ShortestTimes, MatrixAndColumnsAgreeAndEqualEnumeration) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const MotionGraph graph = random_graph({.nodes = 7, .links = 16, .seed = seed});
    ShortestTimes matrix(graph), columns(graph, {.matrix_nodes = 0, .kept_targets = 2});
    ASSERT_TRUE(matrix.is_matrix());
    ASSERT_FALSE(columns.is_matrix());
    for (NodeIndex from = 0; from < 7; ++from) {
      for (NodeIndex to = 0; to < 7; ++to) {
        const auto truth = best_by_enumeration(graph, from, {&to, 1}, kNoHurry);
        const double expected = truth ? std::get<0>(*truth) : std::numeric_limits<double>::infinity();
        EXPECT_EQ(matrix.time_s(from, to), expected);
        EXPECT_EQ(columns.time_s(from, to), expected);
      }
    }
  }
}

TEST(Planner, GoesRoundWhatIsToBeAvoidedAndThroughItWhereThereIsNoOtherWay) {
  // 0 -> 1 -> 3 is short, 0 -> 2 -> 3 long; 1 is to be avoided, then both.
  const auto graph = MotionGraph::create({"clip"},
                                         {{.id = 0, .clip = 0, .time_s = 0.0, .default_link = 0},
                                          {.id = 1, .clip = 0, .time_s = 1.0, .default_link = 2},
                                          {.id = 2, .clip = 0, .time_s = 2.0, .default_link = 3},
                                          {.id = 3, .clip = 0, .time_s = 3.0, .default_link = 4}},
                                         {{.id = 0, .from = 0, .to = 1, .time_s = 1.0},
                                          {.id = 1, .from = 0, .to = 2, .time_s = 2.0},
                                          {.id = 2, .from = 1, .to = 3, .time_s = 1.0},
                                          {.id = 3, .from = 2, .to = 3, .time_s = 2.0},
                                          {.id = 4, .from = 3, .to = 0, .time_s = 1.0}});
  ASSERT_TRUE(graph.has_value());
  Planner planner(*graph);
  EXPECT_THAT(planner.plan(0, {.targets = {3}})->nodes, ElementsAre(0, 1, 3));
  EXPECT_THAT(planner.plan(0, {.targets = {3}, .avoided_nodes = {1}})->nodes, ElementsAre(0, 2, 3));
  EXPECT_THAT(planner.plan(0, {.targets = {3}, .avoided_nodes = {1, 3}})->nodes, ElementsAre(0, 2, 3));
  EXPECT_THAT(planner.plan(0, {.targets = {3}, .avoided_nodes = {1, 2}})->nodes, ElementsAre(0, 1, 3));
  EXPECT_FALSE(planner.plan(0, {.targets = {3}, .avoided_nodes = {4}}).has_value());
}

}  // namespace
}  // namespace shosa::graph
