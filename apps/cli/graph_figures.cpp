#include "graph_figures.h"

#include <cmath>

#include "shosa/draw/plot.h"
#include "shosa/draw/strip.h"

namespace shosa::cli {
namespace {

constexpr double kFrame_s = 1.0 / 60.0;
constexpr int kSpeedFrames = 9;  ///< A speed is measured over so many frames: half a quick step.

struct Shown {
  Clip clip;
  draw::Series speed;
};
Result<Shown> show_way(const graph::MotionGraph& graph, const graph::MotionSet& set, const PlayedWay& way, int hurry) {
  auto player = graph::Player::create(graph, set, way.from, {.frame_time_s = kFrame_s});
  if (!player) return std::unexpected(player.error());
  if (const auto told = player->command({.targets = way.targets, .hurry = hurry}); !told) {
    return std::unexpected(told.error());
  }
  const int frames = std::max(2, static_cast<int>(std::lround(way.duration_s / kFrame_s)) + 1);
  Shown shown{
      Clip(set.skeleton, frames, kFrame_s, set.clips.front().clip().translated()),
      {.name = hurry == graph::kNoHurry ? "shortest" : fmt::format("hurry {}", hurry), .times_s = {}, .values = {}}};
  std::vector<analysis::GroundPlace> places;
  Pose pose;
  for (int f = 0; f < frames; ++f) {
    player->step(pose);
    shown.clip.set_frame(f, pose);
    places.push_back(player->place());
    if (f < kSpeedFrames) continue;
    const auto &a = places[f - kSpeedFrames], &b = places.back();
    shown.speed.times_s.push_back((f - 0.5 * kSpeedFrames) * kFrame_s);
    shown.speed.values.push_back(std::hypot(b.x_m - a.x_m, b.z_m - a.z_m) / (kSpeedFrames * kFrame_s));
  }
  return shown;
}

}  // namespace

Result<draw::Canvas> draw_way_strip(const graph::MotionGraph& graph, const graph::MotionSet& set, const PlayedWay& way,
                                    int hurry) {
  const auto shown = show_way(graph, set, way, hurry);
  if (!shown) return std::unexpected(shown.error());
  auto strip = draw::draw_strip(shown->clip, set.body_map,
                                {.count = 14, .to_s = way.duration_s, .title = shown->speed.name, .width_px = 1200.0});
  if (!strip) return std::unexpected(strip.error());
  return std::move(strip->canvas);
}

Result<draw::Canvas> draw_way_speeds(const graph::MotionGraph& graph, const graph::MotionSet& set, const PlayedWay& way,
                                     const std::vector<int>& hurries) {
  draw::Panel panel{.title = "speed after the command", .unit = "m/s", .series = {}};
  for (const int hurry : hurries) {
    auto shown = show_way(graph, set, way, hurry);
    if (!shown) return std::unexpected(shown.error());
    panel.series.push_back(std::move(shown->speed));
  }
  auto plot = draw::draw_plot({.title = "", .panels = {panel}, .panel_height_px = 260.0});
  if (!plot) return std::unexpected(plot.error());
  return std::move(plot->canvas);
}

}  // namespace shosa::cli
