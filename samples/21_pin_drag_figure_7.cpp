// Feet pinned, the head is pulled back: the neck leaves its range, the trunk takes over, the neck returns.

#include <algorithm>
#include <numbers>

#include "sample_tools.h"
#include "shosa/draw/plot.h"
#include "shosa/draw/range_region.h"
#include "shosa/posing/range_outline.h"

int main() {
  using namespace shosa;

  const Clip stand = scenes::stand().clip;
  const Skeleton& skeleton = stand.skeleton();
  const body::BodyMap map = body::guess_body_map(skeleton);
  posing::PinDragParams params;
  // Weak and slow, so that leaving the range and the way back can be seen.
  params.range_gain = 4.0;
  params.range_strength = 1.5;
  posing::PinDragSolver solver(stand.skeleton_ptr(), params);
  solver.body().set_pose(stand.frame(0));
  const auto ranges = posing::human_ranges(skeleton, map);
  if (!ranges) return sample::failure(ranges.error());
  for (const auto& entry : *ranges) solver.set_range(entry.joint, entry.range);
  const auto at = [&](const char* joint) { return solver.body().world().positions[std::size_t(skeleton.find(joint))]; };
  for (const char* joint : {"left_foot", "left_toes", "right_foot", "right_toes"}) {
    if (!solver.add_goal({.joint = skeleton.find(joint), .position_m = at(joint)})) return 1;
  }
  // The neck gives way first, then the trunk, the legs hardly.
  for (const auto& [joint, stiffness] : {std::pair{"neck", 0.1},
                                         {"head", 1.0},
                                         {"spine", 2.0},
                                         {"chest", 2.0},
                                         {"upper_chest", 2.0},
                                         {"hips", 100.0},
                                         {"left_upper_leg", 50.0},
                                         {"right_upper_leg", 50.0},
                                         {"left_lower_leg", 50.0},
                                         {"right_lower_leg", 50.0}}) {
    if (!solver.set_stiffness(skeleton.find(joint), stiffness)) return 1;
  }
  posing::Goal drag{.joint = skeleton.find("head"), .offset_m = {0.0, 0.12, 0.0}, .priority = posing::Priority::high};
  const Vec3d home = solver.body().point(drag.joint, drag.offset_m);
  drag.position_m = home;
  const auto id = solver.add_goal(drag);
  if (!id) return 1;

  // Pulled in two strokes with a pause after each.
  const int frames = 301;
  Clip clip(stand.skeleton_ptr(), frames, 1.0 / 60.0, stand.translated());
  draw::Panel panel{.title = "out of range", .unit = "deg"};
  for (const char* name : {"neck", "chest", "spine"}) panel.series.push_back({.name = name});
  double worst_pin = 0.0, worst_drag = 0.0, worst_neck = 0.0;
  for (int f = 0; f < frames; ++f) {
    const double first = std::clamp(f / 40.0, 0.0, 1.0), second = std::clamp((f - 180) / 60.0, 0.0, 1.0);
    drag.position_m = home + first * Vec3d(0, -0.05, -0.15) + second * Vec3d(0, -0.02, -0.04);
    if (!solver.set_goal(*id, drag)) return 1;
    const auto report = solver.step(1.0 / 60.0);
    worst_pin = std::max(worst_pin, report.max_pin_error_m);
    worst_drag = std::max(worst_drag, report.max_drag_error_m);
    Pose pose;
    solver.body().get_pose(pose);
    clip.set_frame(f, pose);
    for (auto& series : panel.series) {
      series.times_s.push_back(f / 60.0);
      series.values.push_back(solver.range_violation_rad(skeleton.find(series.name)) * 180.0 / std::numbers::pi);
    }
    worst_neck = std::max(worst_neck, panel.series[0].values.back());
  }
  const double last_neck = panel.series[0].values.back();
  fmt::print("drag error {:.3f} mm, pin error {:.3f} mm; neck at most {:.1f} deg out of its range, at the end {:.2f}\n",
             1e3 * worst_drag, 1e3 * worst_pin, worst_neck, last_neck);

  draw::StripParams strip;
  strip.views = {draw::ViewName::side};
  strip.layout = draw::StripLayout::cells;
  strip.times_s = {0.0, 0.7, 2.9, 5.0};
  strip.width_px = 900.0;
  strip.max_body_px = 330.0;
  strip.title = "The head is pulled back; cones turn red out of range";
  auto drawn = draw::draw_strip(clip, map, strip);
  if (!drawn) return sample::failure(drawn.error());
  for (std::size_t i = 0; i < drawn->times_s.size(); ++i) {
    posing::Articulation body(stand.skeleton_ptr());
    body.set_pose(clip.frame(int(drawn->times_s[i] * 60.0 + 0.5)));
    for (const auto& entry : *ranges) {
      const std::string& name = skeleton.name(entry.joint);
      if (name != "neck" && name != "chest" && name != "spine") continue;
      draw::RangeCone cone{.apex_m = body.world().positions[std::size_t(entry.joint)], .length_m = 0.22};
      const Quatd& world_from_parent = body.world().rotations[std::size_t(skeleton.parent(entry.joint))];
      for (const Vec3d& direction : posing::range_outline(entry.range))
        cone.rim.push_back(world_from_parent * direction);
      cone.violated = entry.range.nearest(body.rotation(entry.joint)).correction_rad.norm() > 0.01;
      draw::draw_range_cone(drawn->canvas, cone, drawn->rows[0].projections[i]);
    }
  }
  const auto plot = draw::draw_plot({.panels = {panel}, .width_px = drawn->canvas.width_px(), .panel_height_px = 90.0});
  if (!plot) return sample::failure(plot.error());
  const std::vector<draw::Canvas> both = {drawn->canvas, plot->canvas};
  const bool good = worst_pin < 2e-3 && worst_neck > 2.0 && last_neck < 1.0;
  return sample::save(draw::stacked(both, 6.0), "figure_7.png") && sample::save(clip, "figure_7.bvh") && good ? 0 : 1;
}
