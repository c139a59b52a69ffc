#include "draw/figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "draw/depth_order.h"
#include "draw/round_hull.h"

namespace shosa::draw {
namespace {

/// Light from the upper left, in front of the page (x right, y down, z towards the viewer).
const Vec3d kLight = Vec3d(-0.42, -0.62, 0.66).normalized();

Colour lit(const Colour& base, double brightness) {
  // Bright parts go towards white, dark ones towards a cool shadow, so that the hue stays.
  return brightness > 1.0 ? mixed(base, rgb(0xffffff), std::min(1.0, brightness - 1.0))
                          : mixed(rgb(0x1d2433), base, std::max(0.0, brightness));
}

/// A round limb lit from one side: across a cylinder the normal turns from -across over the viewer to +across.
/// The axis runs from the first ball to the middle of the others.
Fill shading(const SeenHull& balls, const Colour& base) {
  Vec3d axis = Vec3d::Zero();
  for (const SeenBall& ball : balls) {
    axis += ball.centre - balls.front().centre;
  }
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
    fill.stops.push_back({0.5 * (u + 1.0), lit(base, brightness)});
  }
  fill.colour = base;
  return fill;
}

/// All balls of a body, led by the middle of its first hull: `shading` takes that for the lower end of the axis.
SeenHull as_one(const SeenBody& body) {
  SeenHull all(1);
  for (const SeenBall& ball : body.front()) {
    all.front().centre += ball.centre / static_cast<double>(body.front().size());
  }
  for (const SeenHull& hull : body) {
    all.insert(all.end(), hull.begin(), hull.end());
  }
  return all;
}

SeenHull seen(const BodyPart& part, const WorldPose& world, const Projection& projection) {
  SeenHull balls;
  for (const Ball& ball : part.balls) {
    const Vec3d centre = ball.centre(world);
    const Point at = projection.to_px(centre);
    balls.push_back(
        {Vec3d(at.x(), at.y(), projection.depth_m(centre) * projection.px_per_m), ball.radius_m * projection.px_per_m});
  }
  return balls;
}

Path outline(const SeenHull& balls) {
  std::vector<Disc> discs;
  for (const SeenBall& ball : balls) {
    discs.push_back({ball.centre.head<2>(), ball.radius});
  }
  return round_hull_path(discs);
}

/// The parts of each body that is painted as one, in order of first appearance.
std::vector<std::vector<std::size_t>> groups_of(const BodyShape& shape) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    const int group = shape.parts[i].group;
    const auto same = std::ranges::find_if(
        groups, [&](const auto& members) { return group >= 0 && shape.parts[members.front()].group == group; });
    if (same == groups.end()) {
      groups.push_back({i});
    } else {
      same->push_back(i);
    }
  }
  return groups;
}

}  // namespace

FigureColours ghost_colours() {
  return {.silhouette = with_alpha(kGhost, 0.3)};
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
  std::vector<SeenHull> hulls;
  for (const BodyPart& part : shape.parts) {
    hulls.push_back(seen(part, world, projection));
  }
  if (colours.silhouette) {
    Path silhouette;
    for (const SeenHull& hull : hulls) {
      silhouette.append(outline(hull));
    }
    canvas.fill(std::move(silhouette), *colours.silhouette);
    return;
  }

  // Outlines must not swallow a small figure.
  const double outline_px = std::clamp(0.006 * shape.size_m * projection.px_per_m, 0.35, 1.1);
  const std::vector<std::vector<std::size_t>> groups = groups_of(shape);
  std::vector<SeenBody> bodies;
  for (const std::vector<std::size_t>& group : groups) {
    SeenBody& body = bodies.emplace_back();
    for (const std::size_t part : group) {
      body.push_back(hulls[part]);
    }
  }
  for (const std::size_t index : depth_order(bodies)) {
    // All outlines of a body lie under all its fills, so that only its silhouette shows one.
    const SeenBody& body = bodies[index];
    const Side side = shape.parts[groups[index].front()].side;
    const Colour base = side == Side::left ? colours.left : side == Side::right ? colours.right : colours.middle;
    const Stroke edge{mixed(base, rgb(0x1d2433), 0.62), 2.0 * outline_px, {}};
    for (const SeenHull& hull : body) {
      canvas.stroke(outline(hull), edge);
    }
    if (shape.parts[groups[index].front()].lit_as_group) {
      Path whole;
      for (const SeenHull& hull : body) {
        whole.append(outline(hull));
      }
      canvas.shape(std::move(whole), shading(as_one(body), base));
      continue;
    }
    std::vector<SeenBody> members;
    for (const SeenHull& hull : body) {
      members.push_back({hull});
    }
    for (const std::size_t member : depth_order(members)) {
      canvas.shape(outline(body[member]), shading(body[member], base));
    }
  }
}

}  // namespace shosa::draw
