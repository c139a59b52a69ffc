#include "shosa/graph/end_condition.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>

#include "shosa/analysis/heading.h"

namespace shosa::graph {

Result<EndCondition> plan_to_place(const Player& player, const MotionGraph& graph, double frame_time_s,
                                   const EndConditionParams& params) {
  const Command command{.targets = params.targets, .hurry = 0, .impossible_nodes = {}};
  if (const auto checked = check_command(graph, command); !checked) return std::unexpected(checked.error());
  if (params.most_links < 0 || params.hurry_step < 1 || params.hurry_step > kMaxHurry || !(params.longest_s > 0.0) ||
      !(params.metres_per_rad >= 0.0) || !(frame_time_s > 0.0)) {
    return fail(ErrorCode::invalid_argument,
                "most_links {}, hurry_step {}, longest_s {}, metres_per_rad {}; expected >= 0, 1 to 100, > 0, >= 0",
                params.most_links, params.hurry_step, params.longest_s, params.metres_per_rad);
  }
  const auto defaults = complete_defaults(graph);
  Planner planner(graph, {.kept_searches = kMaxHurry + 1});
  EndCondition best;
  double least = 0.0;
  std::vector<LinkIndex> before;
  NodeIndex node = player.next_node();
  std::set<std::vector<LinkIndex>> tried;
  Pose pose;
  for (int waited = 0; waited <= params.most_links; ++waited) {
    for (int hurry = 0; hurry <= kMaxHurry; hurry += params.hurry_step) {
      const auto plan = planner.plan(node, {.targets = params.targets, .hurry = hurry});
      if (!plan) return std::unexpected(plan.error());
      if (!plan->reachable) continue;
      std::vector<LinkIndex> links = before;
      double duration = 0.0;
      for (const PlanStep& step : plan->steps) links.push_back(step.link);
      for (const LinkIndex link : links) duration += graph.link(link).time_s;
      if (duration > params.longest_s || !tried.insert(links).second) continue;
      // Played by a copy, from where the character is now to the last link's end.
      Player trial = player;
      if (const auto taken = trial.follow(links); !taken) return std::unexpected(taken.error());
      const PlayerState& state = trial.state();
      const double left = state.link == kNoLink ? 0.0 : graph.link(state.link).time_s - state.into_link_s;
      const int frames = static_cast<int>(std::lround((left + duration) / frame_time_s));
      for (int f = 0; f < frames; ++f) trial.step(pose);
      const analysis::GroundPlace end = trial.place();
      const double off = std::hypot(end.x_m - params.place.x_m, end.z_m - params.place.z_m);
      const double turned = std::abs(analysis::wrap_angle(end.heading_rad - params.place.heading_rad));
      const double error = off + (params.heading_matters ? params.metres_per_rad * turned : 0.0);
      ++best.trials;
      if (best.found && error >= least) continue;
      least = error;
      best.found = true, best.links_before = waited, best.hurry = hurry, best.links = links;
      best.duration_s = left + duration, best.end = end, best.error_m = off, best.heading_error_rad = turned;
    }
    if (defaults[static_cast<std::size_t>(node)] == kNoLink) break;
    before.push_back(defaults[static_cast<std::size_t>(node)]);
    node = graph.link(before.back()).to;
  }
  return best;
}

PartsPlayer::PartsPlayer(Player first, Player second, std::vector<bool> is_second)
    : first_(std::move(first)), second_(std::move(second)), is_second_(std::move(is_second)) {
  assert(!is_second_.empty() && !is_second_[0]);
}

void PartsPlayer::step(Pose& pose) {
  first_.step(pose);
  second_.step(other_);
  assert(static_cast<std::size_t>(pose.joint_count()) == is_second_.size());
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    if (!is_second_[static_cast<std::size_t>(j)]) continue;
    pose.set_rotation(j, other_.rotation(j));
    pose.set_translation(j, other_.translation(j));
  }
}

}  // namespace shosa::graph
