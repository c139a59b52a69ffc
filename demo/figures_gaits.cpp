// Figures 8 to 11 of seed 004: from standing to running, the more hurried the more directly.

#include <algorithm>
#include <cmath>

#include "demo/gait_graph.h"
#include "demo/graph_picture.h"
#include "demo/make_figures.h"
#include "demo/measure.h"
#include "shosa/draw/plot.h"

namespace shosa::demo {

namespace {

constexpr double kCommand_s = 0.5, kPlayed_s = 6.0;

std::string band(const GaitPath& path) {
  return fmt::format("hurry {} to {}", path.from_hurry, path.to_hurry);
}

/// Speed of the hips over the ground, over the third of a second before so that steps do not count, and nothing shows
/// before it happens.
std::vector<double> ground_speed(const FigureClip& shown) {
  const ClipPositions positions = clip_positions(shown.clip);
  const JointIndex hips = root_joint(shown.body_map);
  const int span = std::max(1, shown.clip.nearest_frame(1.0 / 3.0)), last = positions.frame_count() - 1;
  std::vector<double> speed;
  for (int f = 0; f <= last; ++f) {
    const int b = std::min(std::max(1, f), last), a = std::max(0, b - span);
    const Vec3d way = positions.joint(b, hips) - positions.joint(a, hips);
    speed.push_back(std::hypot(way.x(), way.z()) / (std::max(1, b - a) * shown.clip.frame_time_s()));
  }
  return speed;
}

/// When the speed is within 5 % of what it is in the last second, and stays so.
double settled_s(const std::vector<double>& speed, double frame_time_s) {
  const auto second = static_cast<std::size_t>(std::lround(1.0 / frame_time_s));
  double final_mps = 0.0;
  for (std::size_t f = speed.size() - second; f < speed.size(); ++f)
    final_mps += speed[f] / static_cast<double>(second);
  std::size_t f = speed.size();
  while (f > 0 && speed[f - 1] >= 0.95 * final_mps) --f;
  return static_cast<double>(f) * frame_time_s;
}

void check_played(Figure& figure, const GaitGraph& gaits, const FigureClip& shown) {
  const FeetQuality feet = feet_quality(shown);
  at_most(figure, "foot slide while standing", feet.slide_mps, 0.02, "m/s");
  at_most(figure, "foot under the ground", feet.penetration_m, 0.005, "m");
  Unevenness sources;
  double flight_s = 0.0;
  for (const auto& clip : gaits.set.clips) {
    sources.take_worst(unevenness(clip.clip()));
    flight_s = std::max(flight_s, longest_flight_s({"", "", clip.clip(), gaits.set.body_map}));
  }
  at_most(figure, "longest time in the air (bound: the sources' own, and 0.05)", longest_flight_s(shown),
          flight_s + 0.05, "s");
  const Excess over = excess(unevenness(shown.clip), sources);
  at_most(figure, "jump between frames beyond the sources' own", over.step_m, 0.01, "m");
  at_most(figure, "turn between frames beyond the sources' own", over.turn_deg, 3.0, "deg");
}

Result<Figure> played_figure(const Cast& cast, const Workshop& shop, bool hurried) {
  const auto gaits = make_gait_graph(cast);
  if (!gaits) return std::unexpected(gaits.error());
  const auto paths = gait_paths(**gaits);
  if (!paths) return std::unexpected(paths.error());
  const GaitPath& path = hurried ? paths->back() : paths->front();
  const auto played = play_to_run(**gaits, path.from_hurry, kPlayed_s, kCommand_s);
  if (!played) return std::unexpected(played.error());
  Figure figure;
  const std::string name = hurried ? "004-fig-11" : "004-fig-10";
  figure.text = fmt::format("Told to run with {}: full speed {} after {} link{}.", band(path),
                            hurried ? "at once," : "little by little,", path.plan.steps.size(),
                            path.plan.steps.size() == 1 ? "" : "s");
  const auto shown =
      shop.add_clip(figure, name, "From standing to running, " + band(path), *played, (*gaits)->set.body_map);
  if (!shown) return std::unexpected(shown.error());
  check_played(figure, **gaits, *shown);
  const auto speed = ground_speed(*shown);
  at_most(figure, "final speed against the fastest run's 4.5 m/s", std::abs(speed[speed.size() - 30] / 4.5 - 1.0),
          cast.captured ? 1.0 : 0.05, "");
  const auto drawn = add_strip(shop, figure, name, "Postures after the command", *shown,
                               {.layout = draw::StripLayout::cells, .count = 14, .from_s = 0.4, .to_s = 4.0});
  if (!drawn) return std::unexpected(drawn.error());
  return figure;
}

}  // namespace

Result<Figure> paths_figure(const Cast& cast, const Workshop& shop) {
  const auto made = make_gait_graph(cast);
  if (!made) return std::unexpected(made.error());
  const GaitGraph& gaits = **made;
  const graph::MotionGraph& net = gaits.gaits.graph;
  const auto paths = gait_paths(gaits);
  if (!paths) return std::unexpected(paths.error());

  Figure figure;
  figure.text = fmt::format(
      "{} keyframes in six loops. From standing to running there are {} ways; which one is taken "
      "depends on how hurried the command is.",
      net.node_count(), paths->size());
  at_least(figure, "different ways", static_cast<double>(paths->size()), 5.0, "");
  int longer = 0;
  double off = 0.0;
  std::vector<std::vector<graph::NodeIndex>> seen;
  int again = 0;
  for (std::size_t i = 0; i < paths->size(); ++i) {
    const GaitPath& path = (*paths)[i];
    if (i > 0 && path.plan.duration_s > (*paths)[i - 1].plan.duration_s + 1e-9) ++longer;
    if (std::find(seen.begin(), seen.end(), path.plan.nodes) != seen.end()) ++again;
    seen.push_back(path.plan.nodes);
    for (const int hurry : {path.from_hurry, path.to_hurry}) {
      double weight = 0.0;
      for (const graph::PlanStep& step : path.plan.steps) {
        const graph::Link& link = net.link(step.link);
        weight += link.hurry == 0 ? link.time_s : (hurry - link.hurry) * (hurry - link.hurry) * link.time_s;
      }
      off = std::max(off, std::abs(weight - least_weight(net, 0, net.nodes_named(gaits.fastest), hurry)));
    }
    if (const auto added = shop.add_picture(figure, fmt::format("004-fig-8-{}", static_cast<char>('a' + i)),
                                            fmt::format("Path ({}), {}", static_cast<char>('a' + i), band(path)),
                                            draw_graph(net, &path.plan));
        !added)
      return std::unexpected(added.error());
  }
  at_most(figure, "ways that take longer than a less hurried one", longer, 0.0, "");
  at_most(figure, "ways that come back at another hurry", again, 0.0, "");
  at_most(figure, "weight of a way against plain relaxation over all links", off, 1e-6, "");
  return figure;
}

Result<Figure> speeds_figure(const Cast& cast, const Workshop& shop) {
  const auto gaits = make_gait_graph(cast);
  if (!gaits) return std::unexpected(gaits.error());
  const auto paths = gait_paths(**gaits);
  if (!paths) return std::unexpected(paths.error());
  Figure figure;
  figure.text =
      "Speed over time after the command to run, one line for each way. The more hurried, the sooner the final "
      "speed is reached.";
  draw::Panel panel{.title = "speed over the ground", .unit = "m/s", .series = {}};
  panel.markers.push_back({kCommand_s, "command"});
  double last_s = 1e300;
  int later = 0;
  double early_mps = 0.0;
  for (std::size_t i = 0; i < paths->size(); ++i) {
    const GaitPath& path = (*paths)[i];
    const auto played = play_to_run(**gaits, path.from_hurry, kPlayed_s + 1.0, kCommand_s);
    if (!played) return std::unexpected(played.error());
    const auto shown = shop.add_clip(figure, fmt::format("004-fig-9-{}", static_cast<char>('a' + i)),
                                     "From standing to running, " + band(path), *played, (*gaits)->set.body_map);
    if (!shown) return std::unexpected(shown.error());
    const double dt = shown->clip.frame_time_s();
    const auto speed = ground_speed(*shown);
    const double reached = settled_s(speed, dt) - kCommand_s;
    at_most(figure, fmt::format("{}: time to the final speed (bound: the less hurried one's)", band(path)), reached,
            std::min(last_s, kPlayed_s), "s");
    if (reached > last_s) ++later;
    for (std::size_t f = 0; f * dt <= kCommand_s; ++f) early_mps = std::max(early_mps, speed[f]);
    last_s = reached;
    draw::Series series{.name = band(path), .times_s = {}, .values = speed};
    for (std::size_t f = 0; f < speed.size(); ++f) series.times_s.push_back(static_cast<double>(f) * dt);
    panel.series.push_back(std::move(series));
  }
  at_most(figure, "ways that reach it later than a less hurried one", later, 0.0, "");
  if (!cast.captured) at_most(figure, "speed drawn before the command", early_mps, 0.05, "m/s");
  const auto plot = draw::draw_plot({.panels = {panel}, .panel_height_px = 260.0});
  if (!plot) return std::unexpected(plot.error());
  if (const auto added =
          shop.add_picture(figure, "004-fig-9", "Speed over the third of a second before, for each way", plot->canvas);
      !added)
    return std::unexpected(added.error());
  return figure;
}

Result<Figure> calm_run_figure(const Cast& cast, const Workshop& shop) {
  return played_figure(cast, shop, false);
}
Result<Figure> hurried_run_figure(const Cast& cast, const Workshop& shop) {
  return played_figure(cast, shop, true);
}

}  // namespace shosa::demo
