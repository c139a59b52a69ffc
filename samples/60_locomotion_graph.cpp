// Standing to running along five and more paths: the more hurried the command, the more directly (the seed's figures 7
// to 11).

#include <set>

#include "graph_tools.h"
#include "shosa/draw/plot.h"
#include "shosa/graph/link_gaits.h"
#include "shosa/graph/player.h"

int main() {
  using namespace shosa;
  using sample::failure, sample::shipped_set;

  const auto set = shipped_set({"idle", "walk_slow", "walk_normal", "walk_fast", "run_slow", "run_fast"});
  if (!set) return failure(set.error());
  const auto gaits = graph::link_gaits(*set);
  if (!gaits) return failure(gaits.error());
  const graph::MotionGraph& net = gaits->graph;

  // One plan per hurry value; the paths that differ are played.
  graph::Planner planner(net);
  draw::Panel speeds{.title = "speed after the command to run", .unit = "m/s", .series = {}};
  std::set<std::vector<graph::NodeIndex>> paths;
  double last_s = 1e9;
  for (int hurry = 0; hurry <= 100; ++hurry) {
    const graph::Command command{.targets = net.nodes_named("run_fast"), .hurry = hurry};
    const auto plan = planner.plan(0, command);
    if (!plan || !plan->reachable) return failure("running cannot be reached");
    if (plan->duration_s > last_s + 1e-9) return failure(fmt::format("hurry {} takes longer than less hurry", hurry));
    if (!paths.insert(plan->nodes).second) continue;
    last_s = plan->duration_s;
    fmt::print("from hurry {:3}: {:2} links, at full speed after {:.2f} s\n", hurry, plan->steps.size(),
               plan->duration_s);

    auto player = graph::Player::create(net, *set, 0);
    if (!player) return failure(player.error());
    Clip played(set->skeleton, 300, 1.0 / 60.0);
    Pose pose;
    draw::Series speed{.name = fmt::format("from {}", hurry), .times_s = {}, .values = {}};
    analysis::GroundPlace before;
    for (int f = 0; f < played.frame_count(); ++f) {
      if (f == 1 && !player->command(command)) return failure("the command was refused");
      player->step(pose);
      played.set_frame(f, pose);
      const analysis::GroundPlace now = player->place();
      if (f % 6 == 0 && f > 0) {
        speed.times_s.push_back(f / 60.0);
        speed.values.push_back(std::hypot(now.x_m - before.x_m, now.z_m - before.z_m) * 10.0);
      }
      if (f % 6 == 0) before = now;
    }
    speeds.series.push_back(std::move(speed));
    const auto strip = draw::draw_strip(
        played, set->body_map,
        {.count = 12, .to_s = 3.0, .title = fmt::format("to running, hurry {}", hurry), .width_px = 1000.0});
    if (!strip || !sample::save(strip->canvas, fmt::format("locomotion_{:03}.png", hurry))) return failure("no strip");
  }
  if (paths.size() < 5) return failure(fmt::format("{} paths, expected at least 5", paths.size()));
  const auto plot = draw::draw_plot(
      {.title = "The more hurried, the sooner at full speed", .panels = {speeds}, .panel_height_px = 260.0});
  if (!plot || !sample::save(plot->canvas, "locomotion_speed.png")) return failure("no plot");
  fmt::print("{} different paths\n", paths.size());
}
