// Distances, link finding and planning at scale. Peer for planning: Boost.Graph's Dijkstra, in the same run.

#include <benchmark/benchmark.h>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <random>

#include "scenes/scenes.h"
#include "shosa/graph/find_matches.h"
#include "shosa/graph/planner.h"

namespace {

using namespace shosa;
using namespace shosa::graph;

/// A body of 31 joints whose 2,000 frames look like nothing else: the dense stage does not care.
MotionSet two_clips() {
  const auto skeleton = scenes::random_tree(31, 4);
  return *make_motion_set(
      {{"a", scenes::random_clip(skeleton, 2000, 1, 120.0)}, {"b", scenes::random_clip(skeleton, 2000, 2, 120.0)}},
      body::guess_body_map(*skeleton));
}

void distances_2000(benchmark::State& state) {
  const MotionSet set = two_clips();
  for (auto _ : state) {
    const auto matrix = distance_matrix(set, 0, 1, {.window_s = 34.0 / 120.0});
    benchmark::DoNotOptimize(matrix->data());
  }
}
BENCHMARK(distances_2000)->Unit(benchmark::kMillisecond);

/// Many walks and runs, no two alike: speed, cadence, duty and curvature differ.
MotionSet library_of(int frames) {
  std::vector<NamedClip> clips;
  std::mt19937_64 random(7);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  for (int n = 0, made = 0; made < frames; ++n) {
    scenes::WalkParams params{.duration_s = 499.0 / 120.0, .fps = 120.0};
    params.speed_mps = between(0.5, 4.0);
    params.step_s = between(0.3, 0.7);
    params.duty = params.speed_mps > 2.2 ? between(0.3, 0.42) : between(0.55, 0.7);
    params.turn_rad_per_m = between(-0.5, 0.5);
    params.foot_clearance_m = between(0.03, 0.2);
    Clip clip = params.duty < 0.5 ? scenes::run(params).clip : scenes::walk(params).clip;
    made += clip.frame_count();
    clips.push_back({std::to_string(n), std::move(clip)});
  }
  const body::BodyMap map = body::guess_body_map(clips.front().clip.skeleton());
  return *make_motion_set(std::move(clips), map);
}

void find_links(benchmark::State& state) {
  const MotionSet set = library_of(static_cast<int>(state.range(0)));
  Matches matches;
  for (auto _ : state) matches = *find_matches(set, {.threshold_m = 0.03});
  state.counters["matches"] = static_cast<double>(matches.list.size());
  state.counters["compared_share"] = static_cast<double>(matches.compared) / static_cast<double>(matches.pairs);
  state.SetComplexityN(state.range(0));
}
BENCHMARK(find_links)
    ->RangeMultiplier(2)
    ->Range(12500, 100000)
    ->Unit(benchmark::kSecond)
    ->Iterations(1)
    ->UseRealTime()
    ->Complexity();

MotionGraph net(int nodes, int links) {
  std::mt19937_64 random(3);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  std::vector<Node> list;
  for (int n = 0; n < nodes; ++n) list.push_back({.id = n});
  std::vector<Link> ways;
  for (int l = 0; l < links; ++l) {
    const bool line = l < nodes;
    ways.push_back({.id = l,
                    .from = line ? l : below(nodes),
                    .to = line ? (l + 1) % nodes : below(nodes),
                    .time_s = 0.05 + 0.0001 * below(4000),
                    .hurry = !line && below(3) == 0 ? 1 + below(100) : 0});
  }
  return *MotionGraph::create({}, std::move(list), std::move(ways));
}

void plan_first(benchmark::State& state) {
  const MotionGraph graph = net(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  Planner planner(graph, {.kept_searches = 1});
  int target = 0;
  for (auto _ : state) {
    target = (target + 7919) % graph.node_count();
    const auto plan = planner.plan((target + 31337) % graph.node_count(), {.targets = {target}, .hurry = 60});
    benchmark::DoNotOptimize(plan->weight);
  }
}
BENCHMARK(plan_first)->Args({1000, 10000})->Args({100000, 1000000})->Unit(benchmark::kMicrosecond);

void plan_further(benchmark::State& state) {
  const MotionGraph graph = net(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  Planner planner(graph);
  int from = 0;
  (void)planner.plan(from, {.targets = {5}, .hurry = 60});
  for (auto _ : state) {
    from = (from + 7919) % graph.node_count();
    const auto plan = planner.plan(from, {.targets = {5}, .hurry = 60});
    benchmark::DoNotOptimize(plan->weight);
  }
}
BENCHMARK(plan_further)->Args({1000, 10000})->Args({100000, 1000000})->Unit(benchmark::kMicrosecond);

void boost_dijkstra(benchmark::State& state) {
  const MotionGraph graph = net(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property,
                                                 boost::property<boost::edge_weight_t, double>>;
  std::vector<std::pair<int, int>> ends;
  std::vector<double> weights;
  for (const Link& link : graph.links()) {
    ends.emplace_back(link.to, link.from);
    weights.push_back(hurry_weight(link, 60));
  }
  const Csr csr(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), weights.begin(),
                static_cast<std::size_t>(graph.node_count()));
  std::vector<double> distance(static_cast<std::size_t>(graph.node_count()));
  std::size_t target = 0;
  for (auto _ : state) {
    target = (target + 7919) % distance.size();
    boost::dijkstra_shortest_paths(
        csr, target,
        boost::distance_map(boost::make_iterator_property_map(distance.begin(), get(boost::vertex_index, csr))));
    benchmark::DoNotOptimize(distance.data());
  }
}
BENCHMARK(boost_dijkstra)->Args({1000, 10000})->Args({100000, 1000000})->Unit(benchmark::kMicrosecond);

}  // namespace
