#pragma once

#include <memory>
#include <vector>

#include "graph/linear_player.h"
#include "graph/link_pace.h"
#include "graph/route_search.h"
#include "graph/transition.h"
#include "shosa/graph/player.h"

namespace shosa::graph {

/// Least time in which a body comes to a posture that no link leads to.
inline constexpr double kDetour_s = 0.3;

/// How clip b at a time is turned against clip a, by where their bodies face: so that who goes over from one to the
/// other faces on the same. Where limbs lie would say otherwise of strides in opposite phase, which overlay best
/// crosswise.
double turn_between(const MotionSet& set, int clip_a, double time_a_s, int clip_b, double time_b_s);

/// What all players of one graph, set and parameters know.
struct Player::Shared {
  const MotionGraph* graph;
  const MotionSet* set;
  PlayerParams params;
  std::vector<int> clip_of;  ///< Set clip of each graph clip.
  std::vector<LinkIndex> defaults;
  std::vector<double> turns;  ///< Per link: how its change-over turns the next clip.
  RouteGraph routes;
  TransitionPlayer smooth;  ///< Not begun: one of the two is copied.
  LinearPlayer linear;
};

/// A player between its calls: which way is being played, and where in it.
struct Player::State {
  State(std::shared_ptr<const Shared> of, NodeIndex start);

  std::shared_ptr<const Shared> shared;
  const MotionGraph* graph;
  const MotionSet* set;
  PlayerParams params;
  RouteSearch search;
  Command order;  ///< The command being carried out.
  std::vector<std::uint8_t> blocked;
  bool any_blocked = false;
  std::vector<std::uint8_t> closed;  ///< What the search goes round: blocked or avoided; empty: nothing.
  /// While any is blocked: possible nodes from which possible ways never end; where there are none, those from which
  /// they last at least half as long as anywhere.
  std::vector<std::uint8_t> goes_on;
  bool all_cut_off = false;                ///< No possible link is left at all.
  std::vector<std::uint8_t> held;          ///< Nodes that lead to one another for ever and are not left; empty: none.
  std::vector<NodeIndex> lasting_targets;  ///< The same as a list.
  std::vector<LinkIndex> given;            ///< By `follow`.
  std::size_t given_next = 0;

  // The way being played: a link, or a detour to a node that no link leads to.
  NodeIndex to = kNoNode;
  double length_s = 0.0;
  double pace = 1.0;  ///< `pace_at_begin` of the link.
  double rate = 1.0;  ///< `set_rate`.
  PlayerState now;
  bool changing = false;
  double turn_rad = 0.0;
  TransitionPlayer smooth;
  LinearPlayer linear;

  int clip(NodeIndex node) const { return shared->clip_of[graph->node(node).clip]; }
  bool is_blocked(NodeIndex node) const { return any_blocked && blocked[node] != 0; }
  /// Worth a detour.
  bool is_open(NodeIndex node) const { return !any_blocked || all_cut_off || goes_on[node] != 0; }
  /// May be entered without being told to.
  bool may_enter(NodeIndex node) const { return is_open(node) || (now.stranded && !is_blocked(node)); }

  /// After a change of `blocked`.
  void find_ways_on();

  void take(LinkIndex index);

  double pace_of(const Link& link) const {
    return pace_at_begin(*set, clip(link.from), graph->node(link.from).time_s, clip(link.to),
                         graph->node(link.to).time_s);
  }

  void linear_next(bool on, double turn) {
    if (params.motion != LinkMotion::linear) return;
    linear.next(clip(to), graph->node(to).time_s, on, turn, length_s);
  }

  /// To a node that no link leads to, in `time_s`.
  void detour(NodeIndex node, double time_s);

  /// The open node whose posture is most like that of `wanted` and whose clip, `time_s` before it, is most like what
  /// plays now. Nodes that the command's targets can be reached from come first, then those whose clip has begun by
  /// then.
  NodeIndex nearest_possible(NodeIndex wanted, double time_s) const;

  /// `lasting`: to targets that can be held, where there are any.
  void look_for_way(bool lasting = true);

  /// Sets `held` and `lasting_targets` to those of the nodes among which one can stay.
  void hold(std::span<const NodeIndex> nodes);

  /// The default link of a node, or where that leaves what is held the calmest that does not.
  LinkIndex usual_link(NodeIndex node) const;

  void arrive(NodeIndex node);

  void step(Pose& pose);

  void visit_state(StateBytes& bytes);
};

}  // namespace shosa::graph
