#include <algorithm>
#include <cmath>
#include <numbers>

#include "draw/figure.h"

namespace shosa::draw {
namespace {

/// Convex hull, anticlockwise (Andrew's monotone chain).
std::vector<Point> convex_hull(std::vector<Point> points) {
  std::ranges::sort(points,
                    [](const Point& a, const Point& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  std::vector<Point> hull;
  const auto turns_left = [&](const Point& point) {
    const Point a = hull[hull.size() - 1] - hull[hull.size() - 2];
    const Point b = point - hull[hull.size() - 2];
    return a.x() * b.y() - a.y() * b.x() > 0.0;
  };
  const auto add_row = [&](auto begin, auto end) {
    const std::size_t first = hull.size();
    for (auto it = begin; it != end; ++it) {
      while (hull.size() >= first + 2 && !turns_left(*it)) {
        hull.pop_back();
      }
      hull.push_back(*it);
    }
    hull.pop_back();
  };
  if (points.size() < 3) {
    return points;
  }
  add_row(points.begin(), points.end());
  add_row(points.rbegin(), points.rend());
  return hull;
}

/// What a part covers of a level plane, seen: the hull of its balls' circles there.
Path on_plane(std::span<const Ball> balls, const WorldPose& world, double height_m, double shrink,
              const Projection& projection) {
  constexpr int kSides = 16;
  std::vector<Point> points;
  for (const Ball& ball : balls) {
    const Vec3d centre = ball.centre(world);
    for (int i = 0; i < kSides; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kSides;
      const double radius_m = shrink * ball.radius_m;
      points.push_back(projection.to_px(
          {centre.x() + radius_m * std::cos(angle), height_m, centre.z() + radius_m * std::sin(angle)}));
    }
  }
  return Path::polygon(convex_hull(std::move(points)));
}

std::vector<Ball> foot_balls(const Skeleton& skeleton, const BodyShape& shape, JointIndex joint) {
  std::vector<Ball> balls;
  for (const BodyPart& part : shape.parts) {
    JointIndex owner = part.joint;
    while (owner != kNoJoint && owner != joint) {
      owner = skeleton.parent(owner);
    }
    if (owner == joint) {
      balls.insert(balls.end(), part.balls.begin(), part.balls.end());
    }
  }
  if (balls.empty()) {
    balls.push_back({joint, Vec3d::Zero(), 0.012 * shape.size_m});
  }
  return balls;
}

/// More lines than the largest page can show four pixels apart.
constexpr double kMaxGridLines = 5000.0;

/// Calls `draw` with the multiples of `step` from `low` to `high`. Counted, because far from 0 a step added to a double
/// no longer changes it.
template <class Draw>
void for_each_multiple(double low, double high, double step, Draw draw) {
  const double first = std::ceil(low / step);
  const double count = std::min(std::floor(high / step) - first + 1.0, kMaxGridLines);
  if (!std::isfinite(first) || !(count >= 1.0)) {
    return;
  }
  for (int i = 0; i < static_cast<int>(count); ++i) {
    draw((first + i) * step);
  }
}

double bottom_m(std::span<const Ball> balls, const WorldPose& world) {
  double bottom = 1e300;
  for (const Ball& ball : balls) {
    bottom = std::min(bottom, ball.centre(world).y() - ball.radius_m);
  }
  return bottom;
}

}  // namespace

Path footprint(const Skeleton& skeleton, const BodyShape& shape, const WorldPose& world, JointIndex joint,
               double ground_m, const Projection& projection) {
  const std::vector<Ball> balls = foot_balls(skeleton, shape, joint);
  const double foot_m = bottom_m(balls, world);
  const bool near_ground = std::abs(foot_m - ground_m) < 0.035 * shape.size_m;
  return on_plane(balls, world, near_ground ? ground_m : foot_m, 1.0, projection);
}

void draw_contact_mark(Canvas& canvas, const Skeleton& skeleton, const BodyShape& shape, const WorldPose& world,
                       JointIndex joint, double ground_m, const Projection& projection, const Colour& colour) {
  const double width_px = std::clamp(0.022 * shape.size_m * projection.px_per_m, 2.5, 6.0);
  Path path = footprint(skeleton, shape, world, joint, ground_m, projection);
  if (!sees_ground(projection.view)) {
    // A bar that hangs below the ground line.
    path.move_by({0.0, 0.5 * width_px + 1.5});
  }
  canvas.shape(std::move(path), Fill{.colour = colour, .stops = {}}, Stroke{colour, width_px, {}});
}

void draw_shadow(Canvas& canvas, const BodyShape& shape, const WorldPose& world, double ground_m,
                 const Projection& projection, const Colour& colour) {
  if (!sees_ground(projection.view)) {
    return;
  }
  Path shadow;
  for (const BodyPart& part : shape.parts) {
    shadow.append(on_plane(part.balls, world, ground_m, 0.9, projection));
  }
  canvas.fill(std::move(shadow), colour);
}

double round_length_m(double at_most_m) {
  const double power = std::pow(10.0, std::floor(std::log10(at_most_m)));
  return power * (at_most_m >= 5.0 * power ? 5.0 : at_most_m >= 2.0 * power ? 2.0 : 1.0);
}

void draw_ground(Canvas& canvas, double ground_m, const PageBox& box, const Projection& projection, double step_m) {
  if (box.empty()) {
    return;
  }
  if (sees_ground(projection.view) && step_m * projection.px_per_m < 4.0) {
    return;
  }
  if (!sees_ground(projection.view)) {
    const double y = projection.to_px({projection.centre_m.x(), ground_m, projection.centre_m.z()}).y();
    canvas.line({box.low.x(), y}, {box.high.x(), y}, {kGround, 1.2, {}});
    return;
  }

  // The squares are laid along the page, so that the grid is a rectangle that fills the box.
  const Vec3d right = projection.view.right();
  const Vec3d away = Vec3d(-std::sin(projection.view.yaw_rad), 0.0, -std::cos(projection.view.yaw_rad));
  const Vec3d origin(projection.centre_m.x(), ground_m, projection.centre_m.z());
  const Point origin_px = projection.to_px(origin);
  const double across_px = projection.px_per_m;
  const double deep_px = projection.px_per_m * std::sin(projection.view.pitch_rad);
  const double left_m = (box.low.x() - origin_px.x()) / across_px;
  const double right_m = (box.high.x() - origin_px.x()) / across_px;
  const double near_m = (origin_px.y() - box.high.y()) / deep_px;
  const double far_m = (origin_px.y() - box.low.y()) / deep_px;
  const auto at = [&](double x_m, double deep_m) { return projection.to_px(origin + x_m * right + deep_m * away); };
  const Stroke faint{kGrid, 1.0, {}};
  for_each_multiple(left_m, right_m, step_m, [&](double x) { canvas.line(at(x, near_m), at(x, far_m), faint); });
  for_each_multiple(near_m, far_m, step_m,
                    [&](double deep) { canvas.line(at(left_m, deep), at(right_m, deep), faint); });
}

}  // namespace shosa::draw
