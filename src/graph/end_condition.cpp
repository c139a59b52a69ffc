#include "shosa/graph/end_condition.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <set>

#include "shosa/analysis/heading.h"

namespace shosa::graph {

namespace {

struct Steps {
  double stride = 1.0, veer_rad = 0.0;
};

/// Where a copy of the player comes to along these links.
Result<analysis::GroundPlace> played_end(const Player& player, std::span<const LinkIndex> links, const Steps& steps,
                                         int frames) {
  Player trial = player;
  if (const auto taken = trial.follow(links, steps.stride, steps.veer_rad); !taken)
    return std::unexpected(taken.error());
  Pose pose;
  for (int f = 0; f < frames; ++f) trial.step(pose);
  return trial.place();
}

/// Steps that bring `end` nearest to the wanted place, when `steps` led from `begin` to `end`.
Steps better_steps(const analysis::GroundPlace& begin, const analysis::GroundPlace& end,
                   const EndConditionParams& params, const Steps& steps) {
  // The way as a complex number z + i x, whose argument grows about +Y.
  const std::complex<double> way(end.z_m - begin.z_m, end.x_m - begin.x_m);
  const std::complex<double> wanted(params.place.z_m - begin.z_m, params.place.x_m - begin.x_m);
  if (std::norm(way) < 1e-4 || std::norm(wanted) < 1e-4) return steps;
  const std::complex<double> ratio = wanted / way;
  return {std::clamp(steps.stride * std::abs(ratio), 1.0 - params.most_stride, 1.0 + params.most_stride),
          std::clamp(steps.veer_rad + std::arg(ratio), -params.most_veer_rad, params.most_veer_rad)};
}

}  // namespace

Result<EndCondition> plan_to_place(const Player& player, const MotionGraph& graph, double frame_time_s,
                                   const EndConditionParams& params) {
  const Command command{.targets = params.targets, .hurry = 0, .impossible_nodes = {}};
  if (const auto checked = check_command(graph, command); !checked) return std::unexpected(checked.error());
  if (params.most_links < 0 || params.hurry_step < 1 || params.hurry_step > kMaxHurry || !(params.longest_s > 0.0) ||
      !(params.metres_per_rad >= 0.0) || !(params.most_stride >= 0.0 && params.most_stride <= 0.5) ||
      !(params.most_veer_rad >= 0.0 && params.most_veer_rad <= 0.5) || !(frame_time_s > 0.0)) {
    return fail(
        ErrorCode::invalid_argument,
        "most_links {}, hurry_step {}, longest_s {}, metres_per_rad {}, most_stride {}; expected >= 0, 1 to 100, "
        "> 0, >= 0, 0 to 0.5",
        params.most_links, params.hurry_step, params.longest_s, params.metres_per_rad, params.most_stride,
        params.most_veer_rad);
  }
  const auto defaults = complete_defaults(graph);
  Planner planner(graph, {.kept_searches = kMaxHurry + 1});
  EndCondition best;
  double least = 0.0;
  std::vector<LinkIndex> before;
  NodeIndex node = player.next_node();
  std::set<std::vector<LinkIndex>> tried;
  const analysis::GroundPlace begin = player.place();
  const auto off_m = [&](const analysis::GroundPlace& end) {
    return std::hypot(end.x_m - params.place.x_m, end.z_m - params.place.z_m);
  };
  const auto turned_rad = [&](const analysis::GroundPlace& end) {
    return std::abs(analysis::wrap_angle(end.heading_rad - params.place.heading_rad));
  };
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
      const PlayerState& state = player.state();
      const double left = state.link == kNoLink ? 0.0 : graph.link(state.link).time_s - state.into_link_s;
      const int frames = static_cast<int>(std::lround((left + duration) / frame_time_s));
      auto end = played_end(player, links, {}, frames);
      if (!end) return std::unexpected(end.error());
      ++best.trials;
      // Longer or shorter steps, only where that can make it the best.
      Steps steps;
      const double most_m =
          (params.most_stride + params.most_veer_rad) * std::hypot(end->x_m - begin.x_m, end->z_m - begin.z_m);
      for (int round = 0; round < 2; ++round) {
        if (best.found && off_m(*end) - most_m > least) break;
        const Steps next = better_steps(begin, *end, params, steps);
        if (std::abs(next.stride - steps.stride) + std::abs(next.veer_rad - steps.veer_rad) < 1e-4) break;
        const auto other = played_end(player, links, next, frames);
        if (!other) return std::unexpected(other.error());
        ++best.trials;
        if (off_m(*other) >= off_m(*end)) break;
        steps = next, end = other;
      }
      const double turned = turned_rad(*end);
      const double error = off_m(*end) + (params.heading_matters ? params.metres_per_rad * turned : 0.0);
      if (best.found && error >= least) continue;
      least = error;
      best.found = true, best.links_before = waited, best.hurry = hurry, best.links = links, best.stride = steps.stride,
      best.veer_rad = steps.veer_rad;
      best.duration_s = left + duration, best.end = *end, best.error_m = off_m(*end), best.heading_error_rad = turned;
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

void take_part(const Pose& other, const std::vector<bool>& is_part, Pose& pose) {
  assert(static_cast<std::size_t>(pose.joint_count()) == is_part.size());
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    if (!is_part[static_cast<std::size_t>(j)]) continue;
    pose.set_rotation(j, other.rotation(j));
    pose.set_translation(j, other.translation(j));
  }
}

void PartsPlayer::step(Pose& pose) {
  first_.step(pose);
  second_.step(other_);
  take_part(other_, is_second_, pose);
}

}  // namespace shosa::graph
