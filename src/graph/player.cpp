#include "shosa/graph/player.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "graph/player_state.h"
#include "shosa/core/parallel.h"

namespace shosa::graph {
namespace {

// A ring of default links takes at least this long: a frame plays all that its time has room for.
constexpr double kLeastRing_s = 1e-3;

/// A node of a ring of default links that takes less time, or none.
NodeIndex endless_in_no_time(const MotionGraph& graph, std::span<const LinkIndex> defaults) {
  std::vector<int> seen(defaults.size(), -1);
  for (NodeIndex start = 0; start < graph.node_count(); ++start) {
    NodeIndex node = start;
    while (seen[node] < 0) {
      seen[node] = start;
      node = graph.link(defaults[node]).to;
    }
    if (seen[node] != start) continue;
    double ring_s = 0.0;
    const NodeIndex first = node;
    do {
      const Link& link = graph.link(defaults[node]);
      ring_s += link.time_s;
      node = link.to;
    } while (node != first);
    if (ring_s < kLeastRing_s) return node;
  }
  return kNoNode;
}

Result<void> check_start(const MotionGraph& graph, NodeIndex start) {
  if (start >= 0 && start < graph.node_count()) return {};
  return fail(ErrorCode::invalid_argument, "the start is node number {}, expected 0 to {}", start,
              graph.node_count() - 1);
}

}  // namespace

Result<Player> Player::create(const MotionGraph& graph, const MotionSet& set, NodeIndex start,
                              const PlayerParams& params) {
  if (!(params.frame_time_s > 0.0) || params.frame_time_s > 1.0) {
    return fail(ErrorCode::invalid_argument, "frame_time_s is {}, expected more than 0 and at most 1",
                params.frame_time_s);
  }
  if (params.search_nodes <= 0) {
    return fail(ErrorCode::invalid_argument, "search_nodes is {}, expected > 0", params.search_nodes);
  }
  if (const auto checked = check_start(graph, start); !checked) return std::unexpected(checked.error());
  std::vector<int> clip_of;
  for (const std::string& name : graph.clips()) {
    clip_of.push_back(set.find(name));
    if (clip_of.back() < 0) return fail(ErrorCode::not_possible, "the clip '{}' of the graph is not there", name);
  }
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    const Node& node = graph.node(n);
    if (node.clip == kNoClip) return fail(ErrorCode::not_possible, "node {} has no clip: it cannot be played", node.id);
    const Clip& clip = set.clips[clip_of[node.clip]].clip();
    if (node.time_s > clip.last_time_s() + 0.5 * clip.frame_time_s()) {
      return fail(ErrorCode::not_possible, "node {} is at {} s of '{}', which ends at {} s", node.id, node.time_s,
                  graph.clips()[node.clip], clip.last_time_s());
    }
    if (graph.links_from(n).empty()) {
      return fail(ErrorCode::not_possible, "node {} has no way on: no link leaves it", node.id);
    }
  }
  auto defaults = complete_defaults(graph);
  if (const NodeIndex stuck = endless_in_no_time(graph, defaults); stuck != kNoNode) {
    return fail(ErrorCode::not_possible,
                "default links go round through node {} without taking time, expected {} s at least",
                graph.node(stuck).id, kLeastRing_s);
  }
  std::vector<double> turns(static_cast<std::size_t>(graph.link_count()), 0.0);
  parallel_for(turns.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t l = begin; l < end; ++l) {
      if (plays_on(graph, static_cast<LinkIndex>(l))) continue;
      const Link& link = graph.link(static_cast<LinkIndex>(l));
      const Node &from = graph.node(link.from), &to = graph.node(link.to);
      const int a = clip_of[from.clip], b = clip_of[to.clip];
      const double pace =
          params.motion == LinkMotion::velocity_matched ? pace_at_begin(set, a, from.time_s, b, to.time_s) : 1.0;
      turns[l] = turn_between(set, a, from.time_s, b, to.time_s - link.time_s * clip_time_left(pace, 0.0));
    }
  });
  const bool linear = params.motion == LinkMotion::linear;
  auto shared = std::make_shared<const Shared>(
      Shared{.graph = &graph,
             .set = &set,
             .params = params,
             .clip_of = std::move(clip_of),
             .defaults = std::move(defaults),
             .turns = std::move(turns),
             .routes = RouteGraph(graph),
             .smooth = linear ? TransitionPlayer() : TransitionPlayer(set, params.frame_time_s, params.keep_feet),
             .linear = linear ? LinearPlayer(set) : LinearPlayer()});
  return Player(std::make_unique<State>(std::move(shared), start));
}

Result<Player> Player::another(NodeIndex start) const {
  if (const auto checked = check_start(*state_->graph, start); !checked) return std::unexpected(checked.error());
  return Player(std::make_unique<State>(state_->shared, start));
}

Player::Player(std::unique_ptr<State> state) : state_(std::move(state)) {}
Player::Player(const Player& other) : state_(std::make_unique<State>(*other.state_)) {}
Player::Player(Player&&) noexcept = default;
Player& Player::operator=(Player&&) noexcept = default;
Player::~Player() = default;

Result<void> Player::command(const Command& command) {
  if (const auto checked = check_command(*state_->graph, command); !checked) return checked;
  state_->order.targets.assign(command.targets.begin(), command.targets.end());
  state_->order.impossible_nodes.assign(command.impossible_nodes.begin(), command.impossible_nodes.end());
  state_->order.avoided_nodes.assign(command.avoided_nodes.begin(), command.avoided_nodes.end());
  state_->order.hurry = command.hurry;
  state_->given.clear();
  state_->given_next = 0;
  state_->smooth.set_stride(1.0, 0.0);
  for (const NodeIndex node : command.impossible_nodes) {
    state_->blocked[node] = 1;
    state_->any_blocked = true;
  }
  if (!command.impossible_nodes.empty()) state_->find_ways_on();
  state_->look_for_way();
  return {};
}

Result<void> Player::follow(std::span<const LinkIndex> links, double stride, double veer_rad) {
  if (!(stride >= 0.5 && stride <= 1.5) || !(std::abs(veer_rad) <= 0.5)) {
    return fail(ErrorCode::invalid_argument, "a stride of {}, veering by {} rad, expected 0.5 to 1.5, -0.5 to 0.5",
                stride, veer_rad);
  }
  NodeIndex at = state_->to;
  for (const LinkIndex index : links) {
    if (index < 0 || index >= state_->graph->link_count() || state_->graph->link(index).from != at) {
      return fail(ErrorCode::invalid_argument, "link number {} does not leave node {}", index,
                  state_->graph->node(at).id);
    }
    at = state_->graph->link(index).to;
  }
  state_->given.assign(links.begin(), links.end());
  state_->given_next = 0;
  state_->smooth.set_stride(stride, veer_rad);
  state_->now.commanded = state_->now.searching = false;
  return {};
}

void Player::hold(std::span<const NodeIndex> nodes) {
  state_->hold(nodes);
}

Result<void> Player::declare_impossible(NodeIndex node) {
  State& state = *state_;
  if (node < 0 || node >= state.graph->node_count()) {
    return fail(ErrorCode::invalid_argument, "node number {}, expected 0 to {}", node, state.graph->node_count() - 1);
  }
  if (std::count(state.blocked.begin(), state.blocked.end(), 0) <= (state.is_blocked(node) ? 0 : 1)) {
    return fail(ErrorCode::not_possible, "no possible node is left");
  }
  state.blocked[node] = 1;
  state.any_blocked = true;
  state.find_ways_on();
  state.given.clear();
  if (state.now.commanded) state.look_for_way();
  if (state.to == node && !state.all_cut_off) {
    const double time_s = std::max(kDetour_s, state.length_s - state.now.into_link_s);
    // What was about to be taken is not: the body turns from where it is.
    state.turn_rad = 0.0;
    state.linear.stop_here();
    state.detour(state.nearest_possible(node, time_s), time_s);
  }
  return {};
}

void Player::all_possible() {
  std::fill(state_->blocked.begin(), state_->blocked.end(), std::uint8_t{0});
  state_->any_blocked = false;
  state_->find_ways_on();
  if (state_->now.commanded) state_->look_for_way();
}

void Player::step(Pose& pose) {
  state_->step(pose);
}

const PlayerState& Player::state() const {
  return state_->now;
}

NodeIndex Player::next_node() const {
  return state_->to;
}

double Player::until_next_s() const {
  return state_->length_s - state_->now.into_link_s;
}

Landing Player::next_landing(int foot) const {
  return state_->params.motion == LinkMotion::linear ? Landing{} : state_->smooth.next_landing(foot);
}

const Pose& Player::pose() const {
  return state_->smooth.pose();
}
const WorldPose& Player::world() const {
  return state_->smooth.world();
}

void Player::set_rate(double rate) {
  assert(rate >= 0.5 && rate <= 2.0);
  state_->rate = rate;
  state_->smooth.set_rate(rate);
}

void Player::visit_state(StateBytes& bytes) {
  state_->visit_state(bytes);
}

analysis::GroundPlace Player::place() const {
  return state_->params.motion == LinkMotion::linear ? state_->linear.place() : state_->smooth.place();
}

}  // namespace shosa::graph
