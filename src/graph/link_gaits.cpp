#include "shosa/graph/link_gaits.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "shosa/analysis/cycle.h"
#include "shosa/analysis/foot_contacts.h"
#include "shosa/analysis/pose_distance.h"

namespace shosa::graph {
namespace {

GaitLoop loop_of(const MotionSet& set, const SetClip& clip) {
  GaitLoop loop{{0.0, clip.clip.last_time_s()}};
  const auto contacts = analysis::find_foot_contacts(clip.clip, clip.positions, set.body_map);
  if (contacts) {
    const auto cycle = analysis::find_cycle(clip.clip, clip.positions, set.body_map, *contacts);
    if (cycle && cycle->found) loop = {{cycle->begin_s, cycle->end_s}, 0.0, true};
  }
  const auto &first = clip.root.places[static_cast<std::size_t>(clip.clip.nearest_frame(loop.time.begin_s))],
             &last = clip.root.places[static_cast<std::size_t>(clip.clip.nearest_frame(loop.time.end_s))];
  loop.speed_mps = std::hypot(last.x_m - first.x_m, last.z_m - first.z_m) / std::max(1e-9, loop.time.length_s());
  return loop;
}

}  // namespace

Result<LinkedGaits> link_gaits(const MotionSet& set, const LinkGaitsParams& params) {
  if (set.clips.size() < 2) return fail(ErrorCode::invalid_argument, "{} clips, expected at least 2", set.clips.size());
  if (params.nodes_per_loop < 2 || !(params.link_time_s > 0.0) || !(params.comfortable_mps2 > 0.0)) {
    return fail(ErrorCode::invalid_argument,
                "nodes_per_loop {}, link_time_s {}, comfortable_mps2 {}; expected >= 2, > 0, > 0",
                params.nodes_per_loop, params.link_time_s, params.comfortable_mps2);
  }
  std::vector<GaitLoop> loops;
  std::vector<std::string> names;
  std::vector<Node> nodes;
  std::vector<Link> links;
  const int count = params.nodes_per_loop, clips = static_cast<int>(set.clips.size());
  const auto node_of = [&](int clip, int k) { return static_cast<NodeIndex>(clip * count + k); };
  const auto add = [&](NodeIndex from, NodeIndex to, double time_s, int hurry) {
    links.push_back({static_cast<std::int64_t>(links.size()), from, to, time_s, hurry});
  };
  for (int c = 0; c < clips; ++c) {
    const SetClip& clip = set.clips[static_cast<std::size_t>(c)];
    loops.push_back(loop_of(set, clip));
    names.push_back(clip.name);
    const TimeInterval time = loops.back().time;
    for (int k = 0; k < count; ++k) {
      // On frames, so that lines between keyframes are played as captured.
      const double at = time.begin_s + k * time.length_s() / count;
      nodes.push_back({.id = node_of(c, k),
                       .clip = c,
                       .time_s = clip.clip.nearest_frame(at) * set.frame_time_s,
                       .default_link = static_cast<LinkIndex>(links.size()),
                       .name = std::filesystem::path(clip.name).stem().string()});
      const double next = k + 1 < count ? clip.clip.nearest_frame(at + time.length_s() / count) * set.frame_time_s
                                        : clip.clip.nearest_frame(time.end_s) * set.frame_time_s;
      add(node_of(c, k), node_of(c, (k + 1) % count), next - nodes.back().time_s, 0);
    }
  }
  double largest = 0.0;
  for (const GaitLoop& a : loops) {
    for (const GaitLoop& b : loops) largest = std::max(largest, b.speed_mps - a.speed_mps);
  }
  // Faster: to every loop. Slower: to the next slower and to the slowest; else detours through slowing down would be
  // cheap for some hurry values.
  std::vector<int> by_speed(static_cast<std::size_t>(clips));
  std::iota(by_speed.begin(), by_speed.end(), 0);
  std::stable_sort(by_speed.begin(), by_speed.end(), [&](int a, int b) {
    return loops[static_cast<std::size_t>(a)].speed_mps < loops[static_cast<std::size_t>(b)].speed_mps;
  });
  for (int i = 0; i < clips; ++i) {
    for (int j = 0; j < clips; ++j) {
      if (i == j || (j < i && j != i - 1 && j != 0)) continue;
      const int a = by_speed[static_cast<std::size_t>(i)], b = by_speed[static_cast<std::size_t>(j)];
      const SetClip &from = set.clips[static_cast<std::size_t>(a)], &to = set.clips[static_cast<std::size_t>(b)];
      double least = 0.0;
      int best_from = -1, best_to = -1;
      for (int k = 0; k < count; ++k) {
        for (int m = 0; m < count; ++m) {
          const auto match = analysis::window_distance(
              from.positions, from.clip.nearest_frame(nodes[static_cast<std::size_t>(node_of(a, k))].time_s),
              to.positions, to.clip.nearest_frame(nodes[static_cast<std::size_t>(node_of(b, m))].time_s),
              set.frame_time_s, {.window_s = 0.2, .joint_weights = {}});
          if (!match) return std::unexpected(match.error());
          if (best_from < 0 || match->distance_m < least) least = match->distance_m, best_from = k, best_to = m;
        }
      }
      const double change =
          std::abs(loops[static_cast<std::size_t>(b)].speed_mps - loops[static_cast<std::size_t>(a)].speed_mps);
      const int hurry =
          largest > 0.0 ? std::clamp(static_cast<int>(std::lround(100.0 * change / largest)), 1, kMaxHurry) : 0;
      // The posture that matches is left; the next keyframe is what is reached.
      add(node_of(a, best_from), node_of(b, (best_to + 1) % count),
          params.link_time_s + change / params.comfortable_mps2, hurry);
    }
  }
  auto graph = MotionGraph::create(std::move(names), std::move(nodes), std::move(links));
  if (!graph) return std::unexpected(graph.error());
  return LinkedGaits{std::move(*graph), std::move(loops)};
}

}  // namespace shosa::graph
