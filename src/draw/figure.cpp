#include "shosa/draw/figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "shosa/draw/depth_order.h"
#include "shosa/draw/round_hull.h"

namespace shosa::draw {
namespace {

/// Light from the upper left, in front of the page (x right, y down, z towards the viewer).
const Vec3d kLight = Vec3d(-0.42, -0.62, 0.66).normalized();

Colour lit(const Colour& base, double brightness, double alpha) {
  // Bright parts go towards white, dark ones towards a cool shadow, so that the hue stays.
  const Colour shade = brightness > 1.0 ? mixed(base, rgb(0xffffff), std::min(1.0, brightness - 1.0))
                                        : mixed(rgb(0x1d2433), base, std::max(0.0, brightness));
  return with_alpha(shade, alpha);
}

/// A round limb lit from one side: across a cylinder the normal turns from -across over the viewer to +across.
Fill shading(const std::vector<SeenBall>& balls, const Colour& base, double alpha) {
  Vec3d axis = balls.back().centre - balls.front().centre;
  if (axis.norm() < 1e-9) {
    axis = Vec3d::UnitZ();
  }
  axis.normalize();
  Point across(-axis.y(), axis.x());
  if (across.norm() < 0.2) {
    across = Point(kLight.x(), kLight.y());
  }
  across.normalize();

  double low = 1e300;
  double high = -1e300;
  for (const SeenBall& ball : balls) {
    const double middle = ball.centre.head<2>().dot(across);
    low = std::min(low, middle - ball.radius);
    high = std::max(high, middle + ball.radius);
  }
  const Vec3d side(across.x(), across.y(), 0.0);
  Vec3d front = Vec3d::UnitZ() - axis.z() * axis;
  front = front.norm() > 0.2 ? Vec3d(front.normalized()) : Vec3d::UnitZ();

  Fill fill;
  const Point foot = balls.front().centre.head<2>() - across * balls.front().centre.head<2>().dot(across);
  fill.from = foot + across * low;
  fill.to = foot + across * high;
  for (const double u : {-1.0, -0.45, 0.1, 0.6, 1.0}) {
    const Vec3d normal = u * side + std::sqrt(1.0 - u * u) * front;
    const double brightness = 0.66 + 0.52 * std::max(0.0, normal.dot(kLight));
    fill.stops.push_back({0.5 * (u + 1.0), lit(base, brightness, alpha)});
  }
  fill.colour = base;
  return fill;
}

std::vector<SeenBall> seen(const BodyPart& part, const WorldPose& world, const Projection& projection) {
  std::vector<SeenBall> balls;
  for (const Ball& ball : part.balls) {
    const Vec3d centre = ball.centre(world);
    const Point at = projection.to_px(centre);
    balls.push_back(
        {Vec3d(at.x(), at.y(), projection.depth_m(centre) * projection.px_per_m), ball.radius_m * projection.px_per_m});
  }
  return balls;
}

Path outline(const std::vector<SeenBall>& balls) {
  std::vector<Disc> discs;
  for (const SeenBall& ball : balls) {
    discs.push_back({ball.centre.head<2>(), ball.radius});
  }
  return round_hull_path(discs);
}

}  // namespace

FigureColours ghost_colours() {
  return {.left = kGhost, .right = kGhost, .middle = kGhost, .shaded = false, .alpha = 0.28};
}

void PageBox::include(const Point& point, double radius_px) {
  low = low.cwiseMin(Point(point.x() - radius_px, point.y() - radius_px));
  high = high.cwiseMax(Point(point.x() + radius_px, point.y() + radius_px));
}

void PageBox::include(const PageBox& other) {
  if (!other.empty()) {
    include(other.low);
    include(other.high);
  }
}

PageBox figure_box(const BodyShape& shape, const WorldPose& world, const Projection& projection) {
  PageBox box;
  for (const BodyPart& part : shape.parts) {
    for (const Ball& ball : part.balls) {
      box.include(projection.to_px(ball.centre(world)), ball.radius_m * projection.px_per_m);
    }
  }
  return box;
}

double lowest_m(const BodyShape& shape, const WorldPose& world) {
  double lowest = 1e300;
  for (const BodyPart& part : shape.parts) {
    for (const Ball& ball : part.balls) {
      lowest = std::min(lowest, ball.centre(world).y() - ball.radius_m);
    }
  }
  return lowest;
}

void draw_figure(Canvas& canvas, const BodyShape& shape, const WorldPose& world, const Projection& projection,
                 const FigureColours& colours) {
  std::vector<std::vector<SeenBall>> bodies;
  for (const BodyPart& part : shape.parts) {
    bodies.push_back(seen(part, world, projection));
  }
  // Outlines must not swallow a small figure.
  const double outline_px = std::clamp(0.006 * shape.size_m * projection.px_per_m, 0.35, 1.1);

  if (!colours.shaded) {
    // One silhouette: overlapping parts of a see-through figure must not add up.
    Path silhouette;
    for (const std::vector<SeenBall>& balls : bodies) {
      silhouette.append(outline(balls));
    }
    canvas.fill(std::move(silhouette), with_alpha(colours.middle, colours.alpha));
    return;
  }
  for (const std::size_t index : depth_order(bodies)) {
    const Side side = shape.parts[index].side;
    const Colour base = side == Side::left ? colours.left : side == Side::right ? colours.right : colours.middle;
    const Colour edge = with_alpha(mixed(base, rgb(0x1d2433), 0.62), colours.alpha);
    canvas.shape(outline(bodies[index]), shading(bodies[index], base, colours.alpha), Stroke{edge, outline_px, {}});
  }
}

}  // namespace shosa::draw
