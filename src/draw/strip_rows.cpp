#include <algorithm>
#include <cmath>
#include <numeric>

#include "draw/strip_drawing.h"
#include "shosa/core/sampling.h"

namespace shosa::draw {
namespace {

void draw_ways(Drawing& drawing, const RowPlan& row, const Projection& projection) {
  for (const Way& way : drawing.ways) {
    std::vector<Point> points;
    for (const Vec3d& point : way.points) {
      points.push_back(projection.to_px({point.x(), drawing.strip.ground_m, point.z()}));
    }
    const std::vector<double> dash_px = way.dashed ? std::vector<double>{5.0, 4.0} : std::vector<double>{};
    drawing.strip.canvas.stroke(Path::polyline(points), {way.colour, 1.2, dash_px});
    if (!from_above(row.view)) {
      return;
    }
  }
}

/// Where each foot stood: its print in the middle of every contact of the shown time.
void draw_steps(Drawing& drawing, const Projection& projection) {
  const auto [from_s, to_s] = std::ranges::minmax(drawing.strip.times_s);
  Pose pose;
  WorldPose world;
  for (const FootMarks& contact : drawing.params.contacts) {
    for (const TimeInterval& interval : contact.intervals) {
      const double begin_s = std::max(from_s, interval.begin_s);
      const double end_s = std::min(to_s, interval.end_s);
      if (end_s < begin_s) {
        continue;
      }
      sample(drawing.clip, 0.5 * (begin_s + end_s), pose);
      forward_kinematics(drawing.clip.skeleton(), pose, world);
      drawing.strip.canvas.shape(footprint(drawing.clip.skeleton(), drawing.postures.shape, world, contact.joint,
                                           drawing.strip.ground_m, projection),
                                 Fill{.colour = with_alpha(kContact, 0.22), .stops = {}},
                                 Stroke{with_alpha(kContact, 0.75), 1.0, {}});
    }
  }
}

void draw_row_ground(Drawing& drawing, const RowPlan& row, const Point& corner_px) {
  const double scale = drawing.strip.px_per_m;
  PageBox box;
  box.include(corner_px - Point(8.0, 8.0));
  box.include(corner_px + scale * (row.box_m.high - row.box_m.low) + Point(8.0, 8.0));
  const Projection projection = row_projection(row, 0, scale, corner_px);
  if (sees_ground(row.view) && !from_above(row.view)) {
    // Only the floor: from the nearest ground point to the farthest, not up behind the heads.
    const double margin_m = 0.32 * drawing.postures.shape.size_m * std::abs(std::sin(row.view.pitch_rad));
    double low_px = 1e300;
    double high_px = -1e300;
    for (std::size_t i = 0; i < row.shifts_m.size(); ++i) {
      const Vec3d& root = drawing.postures.worlds[i].positions[drawing.postures.root];
      const double y = row_projection(row, i, scale, corner_px).to_px({root.x(), drawing.strip.ground_m, root.z()}).y();
      low_px = std::min(low_px, y - scale * margin_m);
      high_px = std::max(high_px, y + scale * margin_m);
    }
    box.low.y() = low_px;
    box.high.y() = high_px;
  }
  draw_ground(drawing.strip.canvas, drawing.strip.ground_m, box, projection,
              round_length_m(0.35 * drawing.postures.shape.size_m));
}

/// Farther postures first; at about the same depth, earlier first.
std::vector<std::size_t> posture_order(const Drawing& drawing, const RowPlan& row) {
  std::vector<std::size_t> order(row.shifts_m.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto layer = [&](std::size_t i) {
    const Vec3d root = drawing.postures.worlds[i].positions[drawing.postures.root];
    const double depth_m = (root + row.shifts_m[i]).dot(row.view.towards_viewer());
    return std::floor(depth_m / (0.15 * drawing.postures.shape.size_m));
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return layer(a) < layer(b); });
  return order;
}

void draw_row_figures(Drawing& drawing, const RowPlan& row, const std::vector<Projection>& projections) {
  Canvas& canvas = drawing.strip.canvas;
  const std::vector<std::size_t> order = posture_order(drawing, row);
  for (const std::size_t i : order) {
    draw_shadow(canvas, drawing.postures.shape, drawing.postures.worlds[i], drawing.strip.ground_m, projections[i]);
  }
  if (drawing.ghost) {
    for (const std::size_t i : order) {
      draw_figure(canvas, drawing.ghost->shape, drawing.ghost->worlds[i], projections[i], ghost_colours());
    }
  }
  for (const std::size_t i : order) {
    for (const FootMarks& contact : drawing.params.contacts) {
      const double time_s = drawing.strip.times_s[i];
      if (std::ranges::any_of(contact.intervals, [&](const TimeInterval& in) { return in.contains(time_s); })) {
        draw_contact_mark(canvas, drawing.clip.skeleton(), drawing.postures.shape, drawing.postures.worlds[i],
                          contact.joint, drawing.strip.ground_m, projections[i]);
      }
    }
    draw_figure(canvas, drawing.postures.shape, drawing.postures.worlds[i], projections[i]);
  }
}

}  // namespace

void draw_row(Drawing& drawing, const RowPlan& row, const std::vector<Projection>& projections,
              const Point& corner_px) {
  draw_row_ground(drawing, row, corner_px);
  if (row.true_place && from_above(row.view)) {
    draw_steps(drawing, projections.front());
  }
  if (row.true_place && sees_ground(row.view)) {
    draw_ways(drawing, row, projections.front());
  }
  draw_row_figures(drawing, row, projections);
  draw_joint_paths(drawing, row, projections);
}

}  // namespace shosa::draw
