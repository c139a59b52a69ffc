#pragma once

#include <random>
#include <vector>

#include "shosa/graph/motion_graph.h"

namespace shosa::test {

struct RandomGraphParams {
  int nodes = 6;
  int links = 12;
  std::uint64_t seed = 1;
  double zero_share = 0.2;   ///< Links of no play time.
  double hurry_share = 0.5;  ///< Characteristic links.
  int hurry_step = 10;       ///< Hurry values are multiples of it: the larger, the more ties.
};

/// Times are multiples of 1/8 s, so that sums of doubles are exact. Self loops and parallel links occur.
inline graph::MotionGraph random_graph(const RandomGraphParams& params) {
  std::mt19937_64 random(params.seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  const auto chance = [&](double share) { return static_cast<double>(random() >> 11) * 0x1p-53 < share; };
  std::vector<graph::Node> nodes;
  for (int n = 0; n < params.nodes; ++n) nodes.push_back({.id = 7 * n + 3});
  std::vector<graph::Link> links;
  for (int l = 0; l < params.links; ++l) {
    graph::Link link{.id = 1000 - l, .from = below(params.nodes), .to = below(params.nodes)};
    link.time_s = chance(params.zero_share) ? 0.0 : (1 + below(16)) / 8.0;
    if (chance(params.hurry_share)) link.hurry = params.hurry_step * (1 + below(100 / params.hurry_step));
    links.push_back(link);
  }
  return *graph::MotionGraph::create({}, std::move(nodes), std::move(links));
}

}  // namespace shosa::test
