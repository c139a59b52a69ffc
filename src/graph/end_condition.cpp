#include "shosa/graph/end_condition.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <set>
#include <tuple>

#include "shosa/analysis/heading.h"
#include "shosa/core/rotations.h"

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

/// A way that was played as it is.
struct Trial {
  std::vector<LinkIndex> links;
  int links_before = 0, hurry = 0, frames = 0;
  double duration_s = 0.0;
  analysis::GroundPlace end;
};

/// From every node that default links come to: the ways that hurry values take. What they have in common is played
/// once.
Result<std::vector<Trial>> play_trials(const Player& player, const MotionGraph& graph, double frame_time_s,
                                       const EndConditionParams& params) {
  const auto defaults = complete_defaults(graph);
  Planner planner(graph, {.kept_searches = kMaxHurry + 1});
  std::vector<Trial> trials;
  std::set<std::vector<LinkIndex>> tried;
  std::vector<LinkIndex> before;
  // A copy that follows default links, up to shortly before the node at hand; and when it meets which node.
  Player waiting = player;
  if (const auto taken = waiting.follow({}); !taken) return std::unexpected(taken.error());
  std::vector<double> met_s;
  std::size_t first = 0;  // of `before` that is still to be played
  int waited_frames = 0;
  Pose pose;
  double wait_s = player.until_next_s();
  for (NodeIndex node = player.next_node();;) {
    for (int hurry = 0; hurry <= kMaxHurry; hurry += params.hurry_step) {
      const auto plan = planner.plan(node, {.targets = params.targets, .hurry = hurry});
      if (!plan) return std::unexpected(plan.error());
      if (!plan->reachable) continue;
      Trial trial{.links = before, .links_before = static_cast<int>(before.size()), .hurry = hurry};
      trial.duration_s = wait_s + plan->duration_s;
      for (const PlanStep& step : plan->steps) trial.links.push_back(step.link);
      if (trial.duration_s > params.longest_s || !tried.insert(trial.links).second) continue;
      trial.frames = static_cast<int>(std::lround(trial.duration_s / frame_time_s));
      const std::span<const LinkIndex> links = std::span(trial.links).subspan(first);
      auto end = played_end(waiting, links, {}, trial.frames - waited_frames);
      if (!end) return std::unexpected(end.error());
      trial.end = *end;
      trials.push_back(std::move(trial));
    }
    const LinkIndex next = defaults[node];
    if (next == kNoLink || wait_s > params.longest_wait_s) return trials;
    for (; (waited_frames + 1) * frame_time_s < wait_s - frame_time_s; ++waited_frames) waiting.step(pose);
    before.push_back(next);
    met_s.push_back(wait_s);
    while (first + 1 < before.size() && (met_s[first] < waited_frames * frame_time_s - 1e-9 ||
                                         graph.link(before[first]).from != waiting.next_node())) {
      ++first;
    }
    wait_s += graph.link(next).time_s;
    node = graph.link(next).to;
  }
}

}  // namespace

Result<EndCondition> plan_to_place(const Player& player, const MotionGraph& graph, double frame_time_s,
                                   const EndConditionParams& params) {
  const Command command{.targets = params.targets, .hurry = 0, .impossible_nodes = {}};
  if (const auto checked = check_command(graph, command); !checked) return std::unexpected(checked.error());
  if (!(params.enough_m >= 0.0) || !(params.longest_wait_s >= 0.0) || params.hurry_step < 1 ||
      params.hurry_step > kMaxHurry || !(params.longest_s > 0.0) || !(params.metres_per_rad >= 0.0) ||
      !(params.most_stride >= 0.0 && params.most_stride <= 0.5) ||
      !(params.most_veer_rad >= 0.0 && params.most_veer_rad <= 0.5) || !(frame_time_s > 0.0)) {
    return fail(
        ErrorCode::invalid_argument,
        "enough_m {}, longest_wait_s {}, hurry_step {}, longest_s {}, metres_per_rad {}, most_stride {}, most_veer_rad "
        "{}; expected >= 0, >= 0, 1 to 100, > 0, >= 0, 0 to 0.5, 0 to 0.5",
        params.enough_m, params.longest_wait_s, params.hurry_step, params.longest_s, params.metres_per_rad,
        params.most_stride, params.most_veer_rad);
  }
  const analysis::GroundPlace begin = player.place();
  const auto off_m = [&](const analysis::GroundPlace& end) {
    return std::hypot(end.x_m - params.place.x_m, end.z_m - params.place.z_m);
  };
  const auto turned_rad = [&](const analysis::GroundPlace& end) {
    return std::abs(wrap_angle(end.heading_rad - params.place.heading_rad));
  };
  const auto error_of = [&](const analysis::GroundPlace& end) {
    return off_m(end) + (params.heading_matters ? params.metres_per_rad * turned_rad(end) : 0.0);
  };
  auto trials = play_trials(player, graph, frame_time_s, params);
  if (!trials) return std::unexpected(trials.error());
  EndCondition best;
  best.trials = static_cast<int>(trials->size());

  // What longer or shorter steps can bring near enough comes first, the earliest of it; then what they can bring
  // nearest.
  std::vector<std::tuple<double, double, std::size_t>> order;
  for (std::size_t i = 0; i < trials->size(); ++i) {
    const analysis::GroundPlace& end = (*trials)[i].end;
    const double most_m =
        (params.most_stride + params.most_veer_rad) * std::hypot(end.x_m - begin.x_m, end.z_m - begin.z_m);
    order.emplace_back(std::max(params.enough_m, error_of(end) - most_m), (*trials)[i].duration_s, i);
  }
  std::sort(order.begin(), order.end());
  double least = 0.0;
  std::size_t chosen = 0;
  for (const auto& [bound, duration_s, index] : order) {
    if (best.found && bound > least) break;
    const Trial& trial = (*trials)[index];
    analysis::GroundPlace end = trial.end;
    Steps steps;
    for (int round = 0; round < 2; ++round) {
      const Steps next = better_steps(begin, end, params, steps);
      if (std::abs(next.stride - steps.stride) + std::abs(next.veer_rad - steps.veer_rad) < 1e-4) break;
      const auto other = played_end(player, trial.links, next, trial.frames);
      if (!other) return std::unexpected(other.error());
      ++best.trials;
      if (off_m(*other) >= off_m(end)) break;
      steps = next, end = *other;
    }
    const double error = error_of(end);
    if (best.found && (error > least || (error == least && index > chosen))) continue;
    least = error, chosen = index;
    best.found = true, best.links_before = trial.links_before, best.hurry = trial.hurry, best.links = trial.links;
    best.stride = steps.stride, best.veer_rad = steps.veer_rad, best.duration_s = trial.duration_s;
    best.end = end, best.error_m = off_m(end), best.heading_error_rad = turned_rad(end);
    if (least <= params.enough_m) break;
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
    if (!is_part[j]) continue;
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
