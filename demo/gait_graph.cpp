#include "demo/gait_graph.h"

#include <cmath>
#include <limits>

#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::demo {

Result<std::unique_ptr<GaitGraph>> make_gait_graph(const Cast& cast) {
  std::vector<graph::NamedClip> clips;
  const SourceMotion* first = nullptr;
  for (const char* part : {"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"}) {
    const auto motion = cast.find(part);
    if (!motion) return std::unexpected(motion.error());
    if (first == nullptr) first = *motion;
    // Of standing a moment is enough: a loop is left only where a link is.
    auto clip = clips.empty() ? cut((*motion)->clip(), 0.0, 0.3) : Result<Clip>((*motion)->clip());
    if (!clip) return std::unexpected(clip.error());
    clips.push_back({part, std::move(*clip)});
  }
  auto set = graph::make_motion_set(std::move(clips), first->body_map(), {.clean = cast.captured});
  if (!set) return std::unexpected(set.error());
  auto gaits = graph::link_gaits(*set, {.link_time_s = 0.2});
  if (!gaits) return std::unexpected(gaits.error());
  const auto left_foot_m = [&](const Clip& clip) {
    const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(0));
    return world.positions[first->body_map().joint(body::Role::left_foot)].y();
  };
  const double raise_m = left_foot_m(first->clip()) - left_foot_m(set->clips[0].clip());
  return std::make_unique<GaitGraph>(GaitGraph{std::move(*set), std::move(*gaits), "run_fast", raise_m});
}

Result<std::vector<GaitPath>> gait_paths(const GaitGraph& gaits) {
  graph::Planner planner(gaits.gaits.graph);
  std::vector<GaitPath> paths;
  for (int hurry = 1; hurry <= graph::kMaxHurry; ++hurry) {
    auto plan = planner.plan(0, {.targets = gaits.gaits.graph.nodes_named(gaits.fastest), .hurry = hurry});
    if (!plan) return std::unexpected(plan.error());
    if (!plan->reachable) return fail(ErrorCode::not_possible, "running cannot be reached from standing");
    if (!paths.empty() && paths.back().plan.nodes == plan->nodes) {
      paths.back().to_hurry = hurry;
    } else {
      paths.push_back({hurry, hurry, std::move(*plan)});
    }
  }
  return paths;
}

Result<Clip> play_to_run(const GaitGraph& gaits, int hurry, double seconds, double command_s) {
  auto player = graph::Player::create(gaits.gaits.graph, gaits.set, 0);
  if (!player) return std::unexpected(player.error());
  Clip played(gaits.set.skeleton, static_cast<int>(std::lround(60.0 * seconds)) + 1, 1.0 / 60.0);
  const int told = static_cast<int>(std::lround(60.0 * command_s));
  Pose pose;
  for (int f = 0; f < played.frame_count(); ++f) {
    if (f == told) {
      const auto taken = player->command({.targets = gaits.gaits.graph.nodes_named(gaits.fastest), .hurry = hurry});
      if (!taken) return std::unexpected(taken.error());
    }
    player->step(pose);
    played.set_frame(f, pose);
  }
  raise(played, gaits.raise_m);
  return played;
}

void raise(Clip& clip, double by_m) {
  for (int f = 0; f < clip.frame_count(); ++f)
    clip.set_translation(f, 0, clip.translation(f, 0) + Vec3f(0.0f, static_cast<float>(by_m), 0.0f));
}

double least_weight(const graph::MotionGraph& graph, graph::NodeIndex from,
                    const std::vector<graph::NodeIndex>& targets, int hurry) {
  const double never = std::numeric_limits<double>::infinity();
  std::vector<double> weight(static_cast<std::size_t>(graph.node_count()), never);
  weight[from] = 0.0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const graph::Link& link : graph.links()) {
      const double square = (hurry - link.hurry) * (hurry - link.hurry);
      const double cost = link.hurry == 0 ? link.time_s : link.time_s == 0.0 ? square : square * link.time_s;
      const double reached = weight[link.from] + cost;
      if (reached < weight[link.to]) {
        weight[link.to] = reached;
        changed = true;
      }
    }
  }
  double least = never;
  for (const graph::NodeIndex target : targets) least = std::min(least, weight[target]);
  return least;
}

}  // namespace shosa::demo
