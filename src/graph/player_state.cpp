#include "graph/player_state.h"

#include <algorithm>
#include <tuple>

#include "shosa/core/rotations.h"

namespace shosa::graph {
namespace {

/// Mean distance of two postures, each seen from its own hips.
double posture_distance(const SetClip& a, int frame_a, const SetClip& b, int frame_b) {
  const auto &p = a.root().places[frame_a], &q = b.root().places[frame_b];
  const Quatd turn_a = about_y(-p.heading_rad), turn_b = about_y(-q.heading_rad);
  double sum = 0.0;
  for (JointIndex j = 0; j < a.positions().joint_count(); ++j) {
    sum += (turn_a * (a.positions().joint(frame_a, j) - Vec3d(p.x_m, 0.0, p.z_m)) -
            turn_b * (b.positions().joint(frame_b, j) - Vec3d(q.x_m, 0.0, q.z_m)))
               .norm();
  }
  return sum / a.positions().joint_count();
}

}  // namespace

double turn_between(const MotionSet& set, int clip_a, double time_a_s, int clip_b, double time_b_s) {
  const auto heading_rad = [&](int clip, double time_s) {
    const SetClip& of = set.clips[clip];
    return of.root().places[of.clip().nearest_frame(time_s)].heading_rad;
  };
  return wrap_angle(heading_rad(clip_a, time_a_s) - heading_rad(clip_b, time_b_s));
}

Player::State::State(std::shared_ptr<const Shared> of, NodeIndex start)
    : shared(std::move(of)),
      graph(shared->graph),
      set(shared->set),
      params(shared->params),
      search(shared->routes),
      smooth(shared->smooth),
      linear(shared->linear) {
  const auto nodes = static_cast<std::size_t>(graph->node_count());
  blocked.assign(nodes, 0);
  // Commands allocate nothing.
  for (std::vector<NodeIndex>* list : {&order.targets, &order.impossible_nodes, &order.avoided_nodes, &lasting_targets})
    list->reserve(nodes);
  closed.reserve(nodes);
  held.reserve(nodes);
  now.clip = clip(start), now.clip_time_s = graph->node(start).time_s;
  if (params.motion == LinkMotion::linear)
    linear.begin(now.clip, now.clip_time_s, params.start);
  else
    smooth.begin(now.clip, now.clip_time_s, params.start);
  // The first frame is the start's own posture: a way of no length that ends when it is stepped.
  to = start;
  arrive(start);
  now.into_link_s = -params.frame_time_s;
}

void Player::State::take(LinkIndex index) {
  const Link& link = graph->link(index);
  const bool on = plays_on(*graph, index);
  now.link = index, now.into_link_s = 0.0;
  to = link.to, length_s = link.time_s, pace = 1.0;
  if (!on) {
    if (params.motion == LinkMotion::velocity_matched) pace = pace_of(link);
    turn_rad += shared->turns[index];
    changing = true;
  }
  linear_next(on, on ? 0.0 : shared->turns[index]);
}

void Player::State::detour(NodeIndex node, double time_s) {
  const double turn = turn_between(*set, now.clip, now.clip_time_s, clip(node), graph->node(node).time_s - time_s);
  now.link = kNoLink, now.into_link_s = 0.0;
  now.searching = now.commanded && !search.is_over();
  to = node, length_s = time_s, pace = 1.0;
  turn_rad += turn;
  changing = true;
  linear_next(false, turn);
}

NodeIndex Player::State::nearest_possible(NodeIndex wanted, double time_s) const {
  const auto clip_at = [&](int index) -> const SetClip& { return set->clips[index]; };
  const SetClip &a = clip_at(clip(wanted)), &playing = clip_at(now.clip);
  const int frame = a.clip().nearest_frame(graph->node(wanted).time_s);
  const int now_frame = playing.clip().nearest_frame(now.clip_time_s);
  const bool planned = now.commanded && search.is_over();
  NodeIndex nearest = kNoNode;
  std::tuple<bool, bool, double> least;
  for (NodeIndex n = 0; n < graph->node_count(); ++n) {
    if (!is_open(n)) continue;
    const SetClip& b = clip_at(clip(n));
    const double at_s = graph->node(n).time_s;
    const std::tuple cost{planned && !search.is_settled(n), at_s < time_s,
                          posture_distance(a, frame, b, b.clip().nearest_frame(at_s)) +
                              posture_distance(playing, now_frame, b, b.clip().nearest_frame(at_s - time_s))};
    if (nearest == kNoNode || cost < least) nearest = n, least = cost;
  }
  return nearest;
}

void Player::State::find_ways_on() {
  now.stranded = all_cut_off = false;
  if (!any_blocked) return;
  goes_on.resize(blocked.size());
  std::vector<int> ways(blocked.size(), 0);
  std::vector<double> lasts_s(blocked.size(), 0.0);
  std::vector<NodeIndex> ends;
  for (NodeIndex n = 0; n < graph->node_count(); ++n) {
    const auto at = static_cast<std::size_t>(n);
    goes_on[at] = !is_blocked(n);
    for (const LinkIndex l : graph->links_from(n)) ways[at] += !is_blocked(graph->link(l).to);
    if (goes_on[at] != 0 && ways[at] == 0) goes_on[at] = 0, ends.push_back(n);
  }
  // What leads to ends alone is an end too.
  while (!ends.empty()) {
    const NodeIndex end = ends.back();
    ends.pop_back();
    for (const LinkIndex l : graph->links_to(end)) {
      const auto from = static_cast<std::size_t>(graph->link(l).from);
      lasts_s[from] = std::max(lasts_s[from], graph->link(l).time_s + lasts_s[end]);
      if (--ways[from] == 0 && goes_on[from] != 0) goes_on[from] = 0, ends.push_back(graph->link(l).from);
    }
  }
  now.stranded = std::count(goes_on.begin(), goes_on.end(), 0) == static_cast<std::ptrdiff_t>(goes_on.size());
  if (!now.stranded) return;
  double longest_s = 0.0;
  for (NodeIndex n = 0; n < graph->node_count(); ++n) {
    if (!is_blocked(n)) longest_s = std::max(longest_s, lasts_s[n]);
  }
  all_cut_off = longest_s == 0.0;
  for (NodeIndex n = 0; n < graph->node_count(); ++n) {
    goes_on[n] = !is_blocked(n) && lasts_s[n] >= 0.5 * longest_s;
  }
}

void Player::State::look_for_way(bool lasting) {
  held.clear();
  if (lasting) hold(order.targets);
  closed.clear();
  if (any_blocked) closed.assign(blocked.begin(), blocked.end());
  if (!order.avoided_nodes.empty()) {
    closed.resize(blocked.size(), 0);
    for (const NodeIndex node : order.avoided_nodes) closed[node] = 1;
    for (const NodeIndex node : order.targets) closed[node] = is_blocked(node) ? 1 : 0;
  }
  search.start(held.empty() ? order.targets : lasting_targets, order.hurry, closed);
  now.commanded = true;
  // Where a detour may lead is not known: ways from every node are needed.
  now.searching = !search.run(params.search_nodes, any_blocked ? kNoNode : to) && !search.is_settled(to);
  now.unreachable = now.held = false;
}

void Player::State::hold(std::span<const NodeIndex> nodes) {
  held.clear();
  lasting_targets.clear();
  if (nodes.size() < 2) return;
  held.assign(static_cast<std::size_t>(graph->node_count()), 0);
  for (const NodeIndex node : nodes) held[node] = is_blocked(node) ? 0 : 1;
  const auto stays = [&](LinkIndex l) { return held[graph->link(l).to] != 0; };
  // What leads out of them alone is none of them.
  for (bool changed = true; changed;) {
    changed = false;
    for (const NodeIndex node : nodes) {
      if (held[node] == 0 || std::ranges::any_of(graph->links_from(node), stays)) continue;
      held[node] = 0;
      changed = true;
    }
  }
  for (const NodeIndex node : nodes)
    if (held[node] != 0) lasting_targets.push_back(node);
  if (lasting_targets.empty()) held.clear();
}

LinkIndex Player::State::usual_link(NodeIndex node) const {
  const LinkIndex usual = shared->defaults[node];
  if (held.empty() || held[node] == 0 || held[graph->link(usual).to] != 0) return usual;
  LinkIndex best = kNoLink;
  const auto key = [&](LinkIndex l) { return std::tuple(graph->link(l).hurry, graph->canonical_rank(l)); };
  for (const LinkIndex l : graph->links_from(node))
    if (held[graph->link(l).to] != 0 && may_enter(graph->link(l).to) && (best == kNoLink || key(l) < key(best)))
      best = l;
  return best == kNoLink ? usual : best;
}

void Player::State::arrive(NodeIndex node) {
  LinkIndex next = kNoLink;
  if (given_next < given.size()) {
    next = given[given_next++];
  } else {
    smooth.set_stride(1.0, 0.0);
  }
  if (next == kNoLink && now.commanded) {
    if (search.is_settled(node)) {
      now.searching = false;
      next = search.next_link(node);
      if (next == kNoLink) {
        now.commanded = false;
        now.held = !held.empty() && held[node] != 0;
      }
    } else if (search.is_over() && !order.avoided_nodes.empty()) {
      // No way goes round what was to be avoided.
      order.avoided_nodes.clear();
      look_for_way();
    } else if (search.is_over() && !held.empty()) {
      // Where one could stay cannot be reached: any target will do.
      look_for_way(false);
    } else if (search.is_over() && (now.stranded || is_open(node))) {
      now.commanded = now.searching = false;
      now.unreachable = true;
    }
  }
  if (next == kNoLink) {
    next = usual_link(node);
    if (!may_enter(graph->link(next).to)) {
      const auto leaving = graph->links_from(node);
      const auto other =
          std::find_if(leaving.begin(), leaving.end(), [&](LinkIndex l) { return may_enter(graph->link(l).to); });
      if (other == leaving.end()) return detour(nearest_possible(graph->link(next).to, kDetour_s), kDetour_s);
      next = *other;
    }
  }
  take(next);
}

void Player::State::visit_state(StateBytes& bytes) {
  bytes(search, order.targets, order.hurry, order.impossible_nodes, order.avoided_nodes, blocked, any_blocked, goes_on,
        all_cut_off, held, lasting_targets, given, given_next, to, length_s, pace, rate, now.link, now.into_link_s,
        now.commanded, now.searching, now.stranded, now.unreachable, now.held, now.clip, now.clip_time_s, now.standing,
        changing, turn_rad);
  if (params.motion == LinkMotion::linear)
    bytes(linear);
  else
    bytes(smooth);
}

void Player::State::step(Pose& pose) {
  if (now.searching) now.searching = !search.run(params.search_nodes) && !search.is_settled(to);
  double left = params.frame_time_s * rate;
  for (int met = 0; left >= length_s - now.into_link_s; ++met) {
    left -= length_s - now.into_link_s;
    // What is played now is this node's posture, whichever link follows.
    now.clip = clip(to), now.clip_time_s = graph->node(to).time_s;
    // Links around what is impossible may go round in no time.
    if (any_blocked && met > 2 * graph->node_count()) {
      detour(nearest_possible(to, kDetour_s), kDetour_s);
    } else {
      arrive(to);
    }
  }
  now.into_link_s += left;
  now.clip = clip(to);
  const double share = length_s > 0.0 ? now.into_link_s / length_s : 1.0;
  now.clip_time_s = graph->node(to).time_s - length_s * clip_time_left(pace, share);
  if (params.motion == LinkMotion::linear) {
    linear.frame(share, pose);
  } else {
    if (changing) {
      smooth.change(now.clip, now.clip_time_s, pace * rate, turn_rad, length_s / rate);
    } else {
      smooth.go_to(now.clip_time_s, pace_at(pace, share) * rate);
    }
    smooth.frame(pose);
    now.standing = smooth.standing();
  }
  changing = false;
  turn_rad = 0.0;
}

}  // namespace shosa::graph
