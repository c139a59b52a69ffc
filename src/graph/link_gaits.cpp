#include "shosa/graph/link_gaits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>

#include "graph/link_pace.h"
#include "shosa/analysis/cycle.h"
#include "shosa/analysis/foot_contacts.h"
#include "shosa/analysis/pose_distance.h"
#include "shosa/graph/planner.h"

namespace shosa::graph {
namespace {

constexpr double kWindow_s = 0.2;
constexpr double kLeadIn_s = 0.5;  ///< What a loop should have before it, for links that lead into it.
/// Ways to a slower loop that are this much worse than the best are left out. To a faster one none is: who waits for a
/// way loses what hurry gained.
constexpr double kMuchWorse = 1.5, kMuchWorse_m = 0.02;
constexpr double kBeforeClip_mps = 1.0;  ///< What it costs to begin before a clip's first frame.
/// How far hurry values of slowing down may be from those of speeding up; the first at which more hurry is never slower
/// is taken.
constexpr std::array kSlower = {10, 5, 15, 20, 3, 25, 7, 12, 17, 30};
constexpr double kMostBraking_mps = 1.6;  ///< What a body gives up in one change-over; runs stop through walks.
constexpr double kStands_mps = 0.15;      ///< A loop that gets ahead by less stands.
constexpr double kOtherFoot_m = 0.10;     ///< What a foot that stands in one clip only adds to a distance.

Result<double> distance_m(const MotionSet& set, const SetClip& a, int frame_a, const SetClip& b, int frame_b) {
  const auto match = analysis::window_distance(a.positions(), frame_a, b.positions(), frame_b, set.frame_time_s,
                                               {.window_s = kWindow_s, .joint_weights = {}});
  if (!match) return std::unexpected(match.error());
  return match->distance_m;
}

GaitLoop loop_of(const MotionSet& set, const SetClip& clip) {
  GaitLoop loop{{0.0, clip.clip().last_time_s()}};
  if (const auto cycle = analysis::find_cycle(clip.studied); cycle && cycle->found)
    loop = {{cycle->begin_s, cycle->end_s}, 0.0, true};
  // A later cycle that closes as well leaves room for links that lead into it.
  const auto gap_m = [&](double begin_s) {
    const auto gap = distance_m(set, clip, clip.clip().nearest_frame(begin_s), clip,
                                clip.clip().nearest_frame(begin_s + loop.time.length_s()));
    return gap ? *gap : 1.0;
  };
  const double length_s = loop.time.length_s(), own_m = gap_m(loop.time.begin_s);
  while (loop.is_cycle && loop.time.begin_s < kLeadIn_s && loop.time.end_s + length_s <= clip.clip().last_time_s() &&
         gap_m(loop.time.begin_s + length_s) <= own_m + 0.01) {
    loop.time.begin_s += length_s, loop.time.end_s += length_s;
  }
  const auto &first = clip.root().places[clip.clip().nearest_frame(loop.time.begin_s)],
             &last = clip.root().places[clip.clip().nearest_frame(loop.time.end_s)];
  loop.speed_mps = std::hypot(last.x_m - first.x_m, last.z_m - first.z_m) / std::max(1e-9, loop.time.length_s());
  return loop;
}

/// Where one loop can be left for another.
struct Passage {
  int from = -1, to = -1;  ///< Keyframes.
  double distance_m = 0.0;
};

/// For each keyframe of one loop the keyframe of the other that is best reached in `time_s`: what is compared is where
/// the link begins. With `only_good` those that are much worse than the best are left out.
Result<std::vector<Passage>> find_passages(const MotionSet& set, std::span<const Node> from_nodes,
                                           std::span<const Node> to_nodes, double time_s, bool only_good) {
  const int from_clip = from_nodes.front().clip, to_clip = to_nodes.front().clip;
  const SetClip &from = set.clips[from_clip], &to = set.clips[to_clip];
  std::vector<Passage> passages;
  for (std::size_t k = 0; k < from_nodes.size(); ++k) {
    Passage best;
    for (std::size_t m = 0; m < to_nodes.size(); ++m) {
      const double pace = pace_at_begin(set, from_clip, from_nodes[k].time_s, to_clip, to_nodes[m].time_s);
      const double begin_s = to_nodes[m].time_s - time_s * clip_time_left(pace, 0.0);
      const int at = from.clip().nearest_frame(from_nodes[k].time_s), begin = to.clip().nearest_frame(begin_s);
      auto distance = distance_m(set, from, at, to, begin);
      if (!distance) return std::unexpected(distance.error());
      *distance += kOtherFoot_m * std::popcount(static_cast<unsigned>(from.contact[at] ^ to.contact[begin]));
      if (begin_s < 0.0) *distance += kBeforeClip_mps * -begin_s;
      if (best.from >= 0 && *distance >= best.distance_m) continue;
      best = {static_cast<int>(k), static_cast<int>(m), *distance};
    }
    passages.push_back(best);
  }
  if (!only_good) return passages;
  const double least_m = std::min_element(passages.begin(), passages.end(), [](const Passage& a, const Passage& b) {
                           return a.distance_m < b.distance_m;
                         })->distance_m;
  std::erase_if(passages, [&](const Passage& p) { return p.distance_m > kMuchWorse * least_m + kMuchWorse_m; });
  return passages;
}

/// For how many of these starts and hurry values the targets are met later than with a little less hurry.
int slower_with_more_hurry(const MotionGraph& graph, std::span<const NodeIndex> starts,
                           const std::vector<NodeIndex>& targets) {
  Planner planner(graph);
  std::vector<double> last_s(starts.size(), 1e300);
  int worse = 0;
  for (int hurry = 0; hurry <= kMaxHurry; ++hurry) {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const auto plan = planner.plan(starts[i], {.targets = targets, .hurry = hurry});
      if (!plan || !plan->reachable) continue;
      worse += plan->duration_s > last_s[i] + 1e-9;
      last_s[i] = plan->duration_s;
    }
  }
  return worse;
}

}  // namespace

Result<LinkedGaits> link_gaits(const MotionSet& set, const LinkGaitsParams& params) {
  if (set.clips.size() < 2) return fail(ErrorCode::invalid_argument, "{} clips, expected at least 2", set.clips.size());
  if (params.nodes_per_loop < 2 || !(params.link_time_s > 0.0) || !(params.comfortable_mps2 > 0.0) ||
      !(params.longest_link_s > 0.0)) {
    return fail(
        ErrorCode::invalid_argument,
        "nodes_per_loop {}, link_time_s {}, comfortable_mps2 {}, longest_link_s {}; expected >= 2, > 0, > 0, > 0",
        params.nodes_per_loop, params.link_time_s, params.comfortable_mps2, params.longest_link_s);
  }
  std::vector<GaitLoop> loops;
  std::vector<std::string> names;
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<LinkIndex> slower;  // Links that slow down.
  const int count = params.nodes_per_loop, clips = static_cast<int>(set.clips.size());
  const auto node_of = [&](int clip, int k) { return static_cast<NodeIndex>(clip * count + k); };
  const auto add = [&](NodeIndex from, NodeIndex to, double time_s, int hurry) {
    links.push_back({static_cast<std::int64_t>(links.size()), from, to, time_s, hurry});
  };
  for (int c = 0; c < clips; ++c) {
    const SetClip& clip = set.clips[c];
    loops.push_back(loop_of(set, clip));
    names.push_back(clip.name);
    const TimeInterval time = loops.back().time;
    for (int k = 0; k < count; ++k) {
      // On frames, so that lines between keyframes are played as captured.
      const double at = time.begin_s + k * time.length_s() / count;
      nodes.push_back({.id = node_of(c, k),
                       .clip = c,
                       .time_s = clip.clip().nearest_frame(at) * set.frame_time_s,
                       .default_link = static_cast<LinkIndex>(links.size()),
                       .name = std::filesystem::path(clip.name).stem().string()});
      const double next = k + 1 < count ? clip.clip().nearest_frame(at + time.length_s() / count) * set.frame_time_s
                                        : clip.clip().nearest_frame(time.end_s) * set.frame_time_s;
      add(node_of(c, k), node_of(c, (k + 1) % count), next - nodes.back().time_s, 0);
    }
  }
  double largest = 0.0;
  for (const GaitLoop& a : loops) {
    for (const GaitLoop& b : loops) largest = std::max(largest, b.speed_mps - a.speed_mps);
  }
  // Faster: to every loop. Slower: to the next slower, and, where a body can brake by so much at once, to the slowest
  // and to all that stand; else detours through slowing down would be
  // cheap for some hurry values.
  std::vector<int> by_speed(static_cast<std::size_t>(clips));
  std::iota(by_speed.begin(), by_speed.end(), 0);
  std::stable_sort(by_speed.begin(), by_speed.end(),
                   [&](int a, int b) { return loops[a].speed_mps < loops[b].speed_mps; });
  for (int i = 0; i < clips; ++i) {
    for (int j = 0; j < clips; ++j) {
      const int a = by_speed[i], b = by_speed[j];
      if (i == j || (j < i && j != i - 1 && j != 0 && loops[b].speed_mps >= kStands_mps)) continue;
      const double change = std::abs(loops[b].speed_mps - loops[a].speed_mps);
      if (j < i - 1 && change > kMostBraking_mps) continue;
      const double wanted_s =
          (j < i ? 2.0 : 1.0) * std::min(params.link_time_s + change / params.comfortable_mps2, params.longest_link_s);
      // Whole frames, so that the next loop is met on its frames and plays as captured.
      const double time_s = std::max(1.0, std::round(wanted_s / set.frame_time_s)) * set.frame_time_s;
      const std::span<const Node> all(nodes);
      const auto passages = find_passages(
          set, all.subspan(static_cast<std::size_t>(node_of(a, 0)), static_cast<std::size_t>(count)),
          all.subspan(static_cast<std::size_t>(node_of(b, 0)), static_cast<std::size_t>(count)), time_s, j < i);
      if (!passages) return std::unexpected(passages.error());
      const int hurry =
          largest > 0.0 ? std::clamp(static_cast<int>(std::lround(100.0 * change / largest)), 1, kMaxHurry) : 0;
      for (const Passage& p : *passages) {
        if (j < i && hurry > 0) slower.push_back(static_cast<LinkIndex>(links.size()));
        add(node_of(a, p.from), node_of(b, p.to), time_s, hurry);
      }
    }
  }
  // Slowing down has other values than speeding up: else going there and back would cost nothing for some commands.
  // What is still worth a way back for one of them depends on the speeds.
  std::optional<MotionGraph> best;
  int least = 0;
  const auto node_range = [&](int clip) {
    std::vector<NodeIndex> range(static_cast<std::size_t>(count));
    std::iota(range.begin(), range.end(), node_of(clip, 0));
    return range;
  };
  const std::vector<NodeIndex> slowest = node_range(by_speed.front()), fastest = node_range(by_speed.back());
  for (const int apart : kSlower) {
    std::vector<Link> tried = links;
    for (const LinkIndex l : slower) {
      int& hurry = tried[l].hurry;
      hurry += hurry + apart <= kMaxHurry ? apart : -std::min(apart, hurry - 1);
    }
    auto graph = MotionGraph::create(names, nodes, std::move(tried));
    if (!graph) return std::unexpected(graph.error());
    const int worse = slower_with_more_hurry(*graph, slowest, fastest);
    if (!best || worse < least) best = std::move(*graph), least = worse;
    if (least == 0) break;
  }
  return LinkedGaits{std::move(*best), std::move(loops)};
}

}  // namespace shosa::graph
