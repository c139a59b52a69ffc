#include "shosa/graph/build_graph.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "graph/components.h"
#include "graph/link_pace.h"
#include "shosa/analysis/pose_distance.h"

namespace shosa::graph {
namespace {

/// A change-over in frames.
struct Change {
  int from_clip, from_frame, to_clip, to_frame, frames;
  double distance_m, speed_change_mps;
};

Result<void> check(const BuildParams& params) {
  if (!(params.node_step_s > 0.0)) {
    return fail(ErrorCode::invalid_argument, "node_step_s is {}, expected > 0", params.node_step_s);
  }
  if (!(params.min_link_time_s > 0.0) || !(params.max_link_time_s >= params.min_link_time_s)) {
    return fail(ErrorCode::invalid_argument, "link times from {} to {} s, expected 0 < min <= max",
                params.min_link_time_s, params.max_link_time_s);
  }
  if (!(params.comfortable_mps2 > 0.0) || !(params.ease_mps > 0.0) || !(params.characteristic_mps >= 0.0)) {
    return fail(ErrorCode::invalid_argument,
                "comfortable_mps2 {}, ease_mps {}, characteristic_mps {}, expected > 0, > 0, >= 0",
                params.comfortable_mps2, params.ease_mps, params.characteristic_mps);
  }
  if (params.calm_hurry < 0 || params.most_hurry < std::max(1, params.calm_hurry) || params.most_hurry > kMaxHurry) {
    return fail(ErrorCode::invalid_argument,
                "calm_hurry is {} and most_hurry {}, expected 0 <= calm <= most, 1 <= most <= {}", params.calm_hurry,
                params.most_hurry, kMaxHurry);
  }
  return {};
}

std::vector<Change> changes_of(const MotionSet& set, const Matches& matches, const BuildParams& params) {
  std::vector<Change> changes;
  const auto add = [&](int from_clip, int from_frame, int to_clip, int match_frame, double distance_m) {
    const SetClip &from = set.clips[from_clip], &to = set.clips[to_clip];
    const double before = from.speed_mps[from_frame];
    const double after = to.speed_mps[match_frame];
    const double needed = std::max(std::abs(after - before) / params.comfortable_mps2, distance_m / params.ease_mps);
    const double time = std::clamp(needed, params.min_link_time_s, params.max_link_time_s);
    const int frames = std::max(1, static_cast<int>(std::lround(time / set.frame_time_s)));
    // The next clip begins at another pace, so that it comes less far or farther in that time.
    int to_frame = std::min(match_frame + frames, to.clip().frame_count() - 1);
    const double pace =
        pace_at_begin(set, from_clip, from_frame * set.frame_time_s, to_clip, to_frame * set.frame_time_s);
    to_frame = match_frame + static_cast<int>(std::lround(frames * clip_time_left(pace, 0.0)));
    if (to_frame >= to.clip().frame_count()) return;
    changes.push_back({from_clip, from_frame, to_clip, to_frame, frames, distance_m, std::abs(after - before)});
  };
  for (const FrameMatch& m : matches.list) {
    add(m.clip_a, m.frame_a, m.clip_b, m.frame_b, m.distance_m);
    add(m.clip_b, m.frame_b, m.clip_a, m.frame_a, m.distance_m);
  }
  return changes;
}

/// Who walks keeps walking: clips that can be played round are.
template <class IsLine, class Distance>
void go_round_by_default(const MotionSet& set, const MotionGraph& graph, const IsLine& is_line,
                         const Distance& distance_m, std::vector<LinkIndex>& defaults) {
  constexpr double kShortestRound_s = 0.3, kAsAtItsEnd_mps = 0.5;
  std::vector<LinkIndex> round(graph.clips().size(), kNoLink);
  for (LinkIndex l = 0; l < graph.link_count(); ++l) {
    const Node &from = graph.node(graph.link(l).from), &to = graph.node(graph.link(l).to);
    if (is_line(l) || from.clip != to.clip || from.time_s - to.time_s < kShortestRound_s) continue;
    const SetClip& clip = set.clips[from.clip];
    const double speed = clip.speed_mps[clip.clip().nearest_frame(from.time_s)];
    if (std::abs(speed - clip.speed_mps.back()) > kAsAtItsEnd_mps) continue;
    LinkIndex& best = round[from.clip];
    const auto key = [&](LinkIndex k) {
      return std::tuple(-graph.node(graph.link(k).from).time_s, distance_m(k), graph.canonical_rank(k));
    };
    if (best == kNoLink || key(l) < key(best)) best = l;
  }
  for (const LinkIndex l : round) {
    if (l != kNoLink) defaults[graph.link(l).from] = l;
  }
}

std::string node_name(const BuildParams& params, const std::string& clip) {
  const auto named = params.names.find(clip);
  return named != params.names.end() ? named->second : std::filesystem::path(clip).stem().string();
}

}  // namespace

std::vector<int> extremal_frames(const SetClip& clip) {
  const ClipPositions aligned = analysis::pelvis_aligned(clip.studied);
  const auto joints = analysis::part_joints(clip.studied.skeleton(), clip.studied.map(), analysis::BodyPart::whole);
  const int frames = clip.clip().frame_count();
  std::vector<double> change(static_cast<std::size_t>(frames), 0.0), smooth(change);
  for (int f = 1; f < frames; ++f) {
    change[f] = analysis::pose_distance(aligned.frame(f), aligned.frame(f - 1), joints);
  }
  const int half = std::max(1, static_cast<int>(std::lround(0.04 / clip.clip().frame_time_s())));
  for (int f = 0; f < frames; ++f) {
    for (int k = -half; k <= half; ++k) {
      smooth[f] += change[std::clamp(f + k, 1, std::max(1, frames - 1)) % frames];
    }
  }
  std::vector<int> found;
  for (int f = 1; f + 1 < frames; ++f) {
    const double before = smooth[f - 1], here = smooth[f], after = smooth[f + 1];
    if ((here > before && here >= after) || (here < before && here <= after)) found.push_back(f);
  }
  return found;
}

Result<BuiltGraph> build_graph(const MotionSet& set, const BuildParams& params) {
  if (const auto checked = check(params); !checked) return std::unexpected(checked.error());
  auto matches = find_matches(set, params.match);
  if (!matches) return std::unexpected(matches.error());
  const auto changes = changes_of(set, *matches, params);

  // Keyframes of each clip.
  std::vector<std::set<int>> frames(set.clips.size());
  const int step = std::max(1, static_cast<int>(std::lround(params.node_step_s / set.frame_time_s)));
  for (std::size_t c = 0; c < set.clips.size(); ++c) {
    const int count = set.clips[c].clip().frame_count();
    frames[c] = {0, count - 1};
    if (params.nodes == NodeChoice::every) {
      for (int f = 0; f < count; f += step) frames[c].insert(f);
    } else {
      for (const int f : extremal_frames(set.clips[c])) frames[c].insert(f);
    }
  }
  double largest_change = 0.0;
  for (const Change& change : changes) {
    frames[change.from_clip].insert(change.from_frame);
    frames[change.to_clip].insert(change.to_frame);
    largest_change = std::max(largest_change, change.speed_change_mps);
  }

  std::vector<std::string> names;
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::map<std::pair<int, int>, NodeIndex> node_at;
  for (std::size_t c = 0; c < set.clips.size(); ++c) {
    names.push_back(set.clips[c].name);
    NodeIndex before = kNoNode;
    for (const int f : frames[c]) {
      const auto index = static_cast<NodeIndex>(nodes.size());
      node_at[{static_cast<int>(c), f}] = index;
      nodes.push_back({.id = index,
                       .clip = static_cast<int>(c),
                       .time_s = f * set.frame_time_s,
                       .name = node_name(params, set.clips[c].name)});
      if (before != kNoNode) {
        const double time = nodes.back().time_s - nodes[before].time_s;
        links.push_back({static_cast<std::int64_t>(links.size()), before, index, time, params.calm_hurry});
      }
      before = index;
    }
  }
  const auto lines = static_cast<LinkIndex>(links.size());
  std::vector<double> distance(links.size(), 0.0);
  for (const Change& change : changes) {
    int hurry = params.calm_hurry;
    if (change.speed_change_mps >= params.characteristic_mps && largest_change > 0.0) {
      const double share = change.speed_change_mps / largest_change;
      hurry = std::max(
          1, params.calm_hurry + static_cast<int>(std::lround(share * (params.most_hurry - params.calm_hurry))));
    }
    links.push_back({static_cast<std::int64_t>(links.size()), node_at[{change.from_clip, change.from_frame}],
                     node_at[{change.to_clip, change.to_frame}], change.frames * set.frame_time_s, hurry});
    distance.push_back(change.distance_m);
  }
  auto whole = MotionGraph::create(std::move(names), std::move(nodes), std::move(links));
  if (!whole) return std::unexpected(whole.error());
  auto core = core_of(*whole);
  if (!core) return std::unexpected(core.error());

  // Where the clip cannot be played on, the change-over to the most similar posture is the default.
  std::vector<LinkIndex> defaults;
  int between = 0;
  for (const LinkIndex l : core->of_link) between += l >= lines;
  const auto distance_m = [&](LinkIndex l) { return distance[core->of_link[l]]; };
  const auto is_line = [&](LinkIndex l) { return core->of_link[l] < lines; };
  for (NodeIndex n = 0; n < core->graph.node_count(); ++n) {
    const auto leaving = core->graph.links_from(n);
    defaults.push_back(*std::min_element(leaving.begin(), leaving.end(), [&](LinkIndex a, LinkIndex b) {
      if (is_line(a) != is_line(b)) return is_line(a);
      const double da = distance_m(a), db = distance_m(b);
      return da != db ? da < db : core->graph.canonical_rank(a) < core->graph.canonical_rank(b);
    }));
  }
  go_round_by_default(set, core->graph, is_line, distance_m, defaults);
  // Ids count from 0 without gaps, for people who type them.
  std::vector<Node> kept(core->graph.nodes().begin(), core->graph.nodes().end());
  std::vector<Link> joined(core->graph.links().begin(), core->graph.links().end());
  for (std::size_t n = 0; n < kept.size(); ++n)
    kept[n].id = static_cast<std::int64_t>(n), kept[n].default_link = defaults[n];
  for (std::size_t l = 0; l < joined.size(); ++l) joined[l].id = static_cast<std::int64_t>(l);
  auto graph = MotionGraph::create(core->graph.clips(), std::move(kept), std::move(joined));
  if (!graph) return std::unexpected(graph.error());
  BuiltGraph built{std::move(*graph), {}, std::move(*matches), between};
  for (const NodeIndex n : core->cut) {
    const Node& node = whole->node(n);
    built.cut.push_back({whole->clips()[node.clip], node.time_s});
  }
  return built;
}

double connecting_threshold_m(const MotionSet& set, const BuildParams& params, double most_m) {
  constexpr int kMostFrames = 20000;
  if (set.frame_count() > kMostFrames) return 0.0;
  const auto clips_at = [&](const BuildParams& with) {
    const auto built = build_graph(set, with);
    std::set<int> there;
    for (const Node& node : built ? built->graph.nodes() : std::span<const Node>()) there.insert(node.clip);
    return there.size();
  };
  BuildParams looser = params;
  std::size_t most_clips = clips_at(params);
  double best_m = 0.0;
  for (looser.match.threshold_m *= 1.25; looser.match.threshold_m <= most_m; looser.match.threshold_m *= 1.25) {
    // In whole millimetres, for people who type them.
    looser.match.threshold_m = std::ceil(1000.0 * looser.match.threshold_m) / 1000.0;
    const std::size_t clips = clips_at(looser);
    if (clips > most_clips) most_clips = clips, best_m = looser.match.threshold_m;
    if (clips == set.clips.size()) break;
  }
  return best_m;
}

}  // namespace shosa::graph
