// How far a character goes on when it is told to stand, and what a gait takes at least from standing to standing.

#include <algorithm>
#include <cmath>

#include "character/ways.h"
#include "shosa/core/angles.h"
#include "shosa/core/parallel.h"
#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

constexpr double kLongestStop_s = 6.0;

/// How a clip moves the body over the ground from one time to another, seen from where it faces at first.
struct Travel {
  double ahead_m = 0.0, aside_m = 0.0, turned_rad = 0.0;
  Travel then(const Travel& next) const {
    const double c = std::cos(turned_rad), s = std::sin(turned_rad);
    return {ahead_m + c * next.ahead_m - s * next.aside_m, aside_m + s * next.ahead_m + c * next.aside_m,
            turned_rad + next.turned_rad};
  }
};
Travel travel(const graph::SetClip& clip, double from_s, double to_s) {
  const auto& a = clip.root().places[clip.clip().nearest_frame(from_s)];
  const auto& b = clip.root().places[clip.clip().nearest_frame(to_s)];
  const Vec3d way = about_y(-a.heading_rad) * Vec3d(b.x_m - a.x_m, 0.0, b.z_m - a.z_m);
  return {way.z(), way.x(), b.heading_rad - a.heading_rad};
}

/// How the body travels from every node on its way to the target.
std::vector<Travel> travels_along(const graph::MotionGraph& graph, const graph::MotionSet& set, const Ways& ways) {
  std::vector<Travel> travels(ways.link.size());
  for (const graph::NodeIndex n : ways.by_time) {
    if (ways.link[n] == graph::kNoLink) continue;
    const graph::Link& link = graph.link(ways.link[n]);
    const graph::Node& to = graph.node(link.to);
    const graph::SetClip& clip = set.clips[set.find(graph.clips()[to.clip])];
    travels[n] = travel(clip, to.time_s - link.time_s, to.time_s).then(travels[link.to]);
  }
  return travels;
}

}  // namespace

void CharacterData::lead(std::span<const graph::NodeIndex> targets, int state, int hurry, graph::NodeIndex from,
                         graph::Command& command) const {
  command.targets.assign(targets.begin(), targets.end());
  command.hurry = hurry;
  command.avoided_nodes.clear();
  for (int i = 0; i < static_cast<int>(states_.size()); ++i) {
    if (i == state_of(from) || i == state || is_passed(i)) continue;
    command.avoided_nodes.insert(command.avoided_nodes.end(), states_[i].nodes.begin(), states_[i].nodes.end());
  }
}

bool CharacterData::is_in(int state, const graph::Player& player) const {
  return !player.state().commanded && !player.state().searching && state_of(player.next_node()) == state;
}

/// Played, not reckoned: a body that changes over to standing goes on by its momentum, and by the steps that it takes.
StopWay CharacterData::played_stop(graph::NodeIndex before, graph::NodeIndex node) const {
  auto player = player_->another(before);
  if (!player) return {};
  Pose pose;
  for (double t = 0.0; player->next_node() != node && t < kLongestStop_s; t += params_.frame_time_s) player->step(pose);
  graph::Command command;
  lead(states_[still_].nodes, still_, graph::kNoHurry, node, command);
  if (player->next_node() != node || !player->command(command)) return {};
  while (player->until_next_s() > params_.frame_time_s) player->step(pose);
  // The node is met a little after this frame: what the body goes until then is no part of the stop.
  const analysis::GroundPlace from = player->place();
  const graph::SetClip& clip = set_->clips[player->state().clip];
  const double until_s = player->until_next_s();
  const double until_m = until_s * clip.speed_mps[clip.clip().nearest_frame(player->state().clip_time_s)];
  analysis::GroundPlace at = from;
  double time_s = -until_s, speed_mps = kStill_mps;
  while (time_s < kLongestStop_s && (speed_mps >= kStill_mps || !is_in(still_, *player))) {
    player->step(pose);
    time_s += params_.frame_time_s;
    const analysis::GroundPlace now = player->place();
    speed_mps = std::hypot(now.x_m - at.x_m, now.z_m - at.z_m) / params_.frame_time_s;
    at = now;
  }
  if (speed_mps >= kStill_mps || !is_in(still_, *player)) return {};
  const Vec3d way = about_y(-from.heading_rad) * Vec3d(at.x_m - from.x_m, 0.0, at.z_m - from.z_m);
  return {true, static_cast<float>(way.z() - until_m), static_cast<float>(way.x()), static_cast<float>(time_s)};
}

void CharacterData::find_stop_ways() {
  stop_ways_.assign(static_cast<std::size_t>(graph_->node_count()), {});
  if (still_ < 0) return;
  // Ways of clips alone, for what is no gait, and where a stop cannot be played.
  const Ways ways = ways_to(*this, states_[still_].nodes);
  const std::vector<Travel> travels = travels_along(*graph_, *set_, ways);
  for (const graph::NodeIndex n : ways.by_time) {
    stop_ways_[n] = {true, static_cast<float>(travels[n].ahead_m), static_cast<float>(travels[n].aside_m),
                     static_cast<float>(ways.time_s[n])};
  }
  parallel_for(stop_ways_.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const auto node = static_cast<graph::NodeIndex>(n);
      const int state = state_of(node);
      if (state < 0 || state == still_ || !states_[state].gait) continue;
      const auto by_itself = [&](graph::LinkIndex l) {
        const graph::NodeIndex from = graph_->link(l).from;
        return state_of(from) == state && graph_->node(from).default_link == l;
      };
      const auto links = graph_->links_to(node);
      const auto link = std::ranges::find_if(links, by_itself);
      if (link == links.end()) continue;
      if (const StopWay played = played_stop(graph_->link(*link).from, node); played.known) stop_ways_[n] = played;
    }
  });
}

void CharacterData::find_least_ways() {
  if (still_ < 0) return;
  for (State& state : states_) {
    if (!state.gait) continue;
    const Ways ways = ways_to(*this, state.nodes);
    const std::vector<Travel> travels = travels_along(*graph_, *set_, ways);
    double most = -1.0;
    for (const graph::NodeIndex n : states_[still_].nodes) {
      // The node of the state that is come to first, and the stop from there.
      graph::NodeIndex first = n;
      while (ways.link[first] != graph::kNoLink) first = graph_->link(ways.link[first]).to;
      if (!std::isfinite(ways.time_s[n]) || !stop_ways_[first].known) continue;
      most = std::max(most, travels[n].ahead_m + static_cast<double>(stop_ways_[first].ahead_m));
    }
    if (most >= 0.0) state.least_way_m = most;
  }
}

}  // namespace shosa::character
