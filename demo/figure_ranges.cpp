// Figure 7 of seed 002: the head is pulled back, the neck leaves its range, the trunk takes over, the neck returns.

#include <algorithm>

#include "demo/make_figures.h"
#include "demo/measure.h"
#include "demo/posing_tools.h"
#include "demo/submovement_tools.h"
#include "shosa/analysis/heading.h"
#include "shosa/core/rotations.h"
#include "shosa/draw/plot.h"
#include "shosa/draw/range_region.h"
#include "shosa/posing/range_outline.h"

namespace shosa::demo {

namespace {

const Vec3d kCrown(0.0, 0.12, 0.0);
/// Seen by the body: back is -Z.
const Vec3d kFirstPull(0.0, -0.05, -0.15), kSecondPull(0.0, -0.015, -0.03);

/// How far the neck is to leave its range, and how many times the pulls may grow until it does.
constexpr double kLeaves_deg = 2.0, kFarthest = 3.0;
/// At 60 Hz: two pulls with two and four seconds of rest after them.
constexpr int kFrames = 481, kSecondPullFrame = 180;

Quatd facing(const Clip& clip, const body::BodyMap& map) {
  const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(0));
  const Quatd& root = world.rotations[root_joint(map)];
  return about_y(analysis::heading_rad(map, world.positions, root));
}

/// Feet pinned, the crown of the head dragged back in two strokes with a pause after each.
Result<Clip> pulled_back(const Clip& stand, const body::BodyMap& map, const std::vector<posing::HumanRange>& ranges,
                         double scale) {
  posing::PinDragParams params;
  // Weak and slow, so that leaving the range and the way back can be seen.
  params.range_gain = 4.0;
  params.range_strength = 1.5;
  posing::PinDragSolver solver(stand.skeleton_ptr(), params);
  solver.body().set_pose(stand.frame(0));
  for (const auto& entry : ranges) solver.set_range(entry.joint, entry.range);
  for (const body::Role role :
       roles_of(map, {body::Role::left_foot, body::Role::left_toes, body::Role::right_foot, body::Role::right_toes})) {
    const JointIndex joint = map.joint(role);
    const Vec3d place = solver.body().world().positions[joint];
    if (const auto id = solver.add_goal({.joint = joint, .position_m = place}); !id) return std::unexpected(id.error());
  }
  // The neck gives way first, then the trunk, the legs hardly.
  for (const auto& [role, stiffness] : {std::pair{body::Role::neck, 0.1},
                                        {body::Role::head, 1.0},
                                        {body::Role::spine, 2.0},
                                        {body::Role::chest, 2.0},
                                        {body::Role::upper_chest, 2.0},
                                        {body::Role::hips, 100.0},
                                        {body::Role::left_upper_leg, 50.0},
                                        {body::Role::right_upper_leg, 50.0},
                                        {body::Role::left_lower_leg, 50.0},
                                        {body::Role::right_lower_leg, 50.0}}) {
    if (!map.has(role)) continue;
    if (const auto set = solver.set_stiffness(map.joint(role), stiffness); !set) return std::unexpected(set.error());
  }
  posing::Goal drag{.joint = map.joint(body::Role::head), .offset_m = kCrown, .priority = posing::Priority::high};
  const Vec3d home = solver.body().point(drag.joint, drag.offset_m);
  drag.position_m = home;
  const Quatd front = facing(stand, map);
  const auto id = solver.add_goal(drag);
  if (!id) return std::unexpected(id.error());

  const int frames = kFrames;
  Clip clip(stand.skeleton_ptr(), frames, 1.0 / 60.0, stand.translated());
  Pose pose;
  for (int f = 0; f < frames; ++f) {
    const double first = minimum_jerk_step(0.0, 40.0, f);
    const double second = minimum_jerk_step(kSecondPullFrame, kSecondPullFrame + 60.0, f);
    drag.position_m = home + front * (scale * (first * kFirstPull + second * kSecondPull));
    if (const auto set = solver.set_goal(*id, drag); !set) return std::unexpected(set.error());
    solver.step(1.0 / 60.0);
    solver.body().get_pose(pose);
    clip.set_frame(f, pose);
  }
  return clip;
}

/// Out of range per frame, of whichever of neck and head is farther out: some bodies bend the neck at its top.
std::vector<double> neck_out_deg(const RangeUse& use, const body::BodyMap& map) {
  std::vector<double> out(static_cast<std::size_t>(kFrames), 0.0);
  for (std::size_t k = 0; k < use.joints.size(); ++k) {
    if (use.joints[k] != map.joint(body::Role::neck) && use.joints[k] != map.joint(body::Role::head)) continue;
    for (std::size_t f = 0; f < out.size(); ++f) out[f] = std::max(out[f], use.out_deg[k][f]);
  }
  return out;
}

Vec3d crown_at(const FigureClip& shown, double time_s) {
  const WorldPose world = forward_kinematics(shown.clip.skeleton(), shown.clip.frame(shown.clip.nearest_frame(time_s)));
  const auto head = static_cast<std::size_t>(shown.body_map.joint(body::Role::head));
  return world.positions[head] + world.rotations[head] * kCrown;
}

/// Postures with the cones of neck, chest and spine, and how far out of range they are over time.
Result<draw::Canvas> picture(const FigureClip& shown, const RangeUse& use) {
  const Skeleton& skeleton = shown.clip.skeleton();
  const auto ranges = posing::human_ranges(skeleton, shown.body_map);
  if (!ranges) return std::unexpected(ranges.error());
  draw::StripParams strip;
  strip.layout = draw::StripLayout::cells;
  strip.times_s = {0.0, 0.7, 2.9, 8.0};
  strip.width_px = 900.0;
  strip.max_body_px = 330.0;
  auto drawn = draw::draw_strip(shown.clip, shown.body_map, strip);
  if (!drawn) return std::unexpected(drawn.error());
  draw::Panel panel{.title = "out of range", .unit = "deg", .series = {}};
  for (std::size_t k = 0; k < ranges->size(); ++k) {
    const auto& entry = (*ranges)[k];
    const auto role = shown.body_map.role_of(entry.joint);
    if (role != body::Role::neck && role != body::Role::head && role != body::Role::chest && role != body::Role::spine)
      continue;
    draw::Series series{.name = std::string(role_name(*role)), .times_s = {}, .values = use.out_deg[k]};
    for (std::size_t f = 0; f < series.values.size(); ++f) series.times_s.push_back(f * shown.clip.frame_time_s());
    panel.series.push_back(std::move(series));
    for (std::size_t i = 0; i < drawn->times_s.size(); ++i) {
      const int frame = shown.clip.nearest_frame(drawn->times_s[i]);
      const WorldPose world = forward_kinematics(skeleton, shown.clip.frame(frame));
      draw::RangeCone cone{.apex_m = world.positions[entry.joint], .rim = {}, .length_m = 0.22};
      const Quatd& world_from_parent = world.rotations[skeleton.parent(entry.joint)];
      for (const Vec3d& direction : posing::range_outline(entry.range))
        cone.rim.push_back(world_from_parent * direction);
      cone.violated = use.out_deg[k][frame] > 0.5;
      draw::draw_range_cone(drawn->canvas, cone, drawn->rows[0].projections[i]);
    }
  }
  const auto plot = draw::draw_plot({.panels = {panel}, .width_px = drawn->canvas.width_px(), .panel_height_px = 90.0});
  if (!plot) return std::unexpected(plot.error());
  const std::vector<draw::Canvas> both = {drawn->canvas, plot->canvas};
  return draw::stacked(both, 6.0);
}

}  // namespace

Result<Figure> ranges_figure(const Cast& cast, const Workshop& shop) {
  const auto stand = cast.find("idle");
  if (!stand) return std::unexpected(stand.error());
  const auto ranges = posing::human_ranges((*stand)->clip().skeleton(), (*stand)->body_map());
  if (!ranges) return std::unexpected(ranges.error());
  // Somebody who looks down has farther to go until the neck leaves its range.
  double scale = 1.0;
  auto made = pulled_back((*stand)->clip(), (*stand)->body_map(), *ranges, scale);
  for (; made && scale < kFarthest; scale += 0.25) {
    const auto use = range_use({"", "", *made, (*stand)->body_map()});
    if (!use) return std::unexpected(use.error());
    if (std::ranges::max(neck_out_deg(*use, (*stand)->body_map())) >= kLeaves_deg) break;
    made = pulled_back((*stand)->clip(), (*stand)->body_map(), *ranges, scale + 0.25);
  }
  if (!made) return std::unexpected(made.error());

  Figure figure;
  figure.text =
      "Feet pinned, the head is pulled back. The neck leaves its range (its cone turns red), the trunk takes over, the "
      "neck returns.";
  const auto shown = shop.add_clip(figure, "002-fig-7", "The head pulled back", *made, (*stand)->body_map());
  if (!shown) return std::unexpected(shown.error());
  const auto use = range_use(*shown);
  if (!use) return std::unexpected(use.error());
  const auto out = neck_out_deg(*use, shown->body_map);
  at_least(figure, "neck out of its range at most", std::ranges::max(out), kLeaves_deg, "deg");
  at_most(figure, "neck out of its range before the second pull", out[kSecondPullFrame - 1], 1.0, "deg");
  at_most(figure, "neck out of its range at the end", out.back(), 1.0, "deg");
  double others = 0.0;
  for (const auto& one : use->out_deg) others = std::max(others, one.back() - one.front());
  at_most(figure, "any joint out of its range at the end (beyond what the start has)", others, 1.0, "deg");
  at_most(figure, "pinned foot moved by",
          largest_drift_m(*shown, roles_of(shown->body_map, {body::Role::left_foot, body::Role::left_toes,
                                                             body::Role::right_foot, body::Role::right_toes})),
          0.002, "m");
  const Vec3d moved = crown_at(*shown, shown->clip.last_time_s()) - crown_at(*shown, 0.0);
  at_most(figure, "drag error at the end",
          (moved - facing((*stand)->clip(), (*stand)->body_map()) * (scale * (kFirstPull + kSecondPull))).norm(), 1e-3,
          "m");
  const auto canvas = picture(*shown, *use);
  if (!canvas) return std::unexpected(canvas.error());
  if (const auto added =
          shop.add_picture(figure, "002-fig-7", "Cones turn red out of range; below, by how much", *canvas);
      !added)
    return std::unexpected(added.error());
  return figure;
}

}  // namespace shosa::demo
