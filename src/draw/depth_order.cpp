#include "draw/depth_order.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace shosa::draw {
namespace {

using Vec2 = Eigen::Vector2d;

struct Box {
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity());
  Vec2 high = Vec2::Constant(-std::numeric_limits<double>::infinity());
};

Box box_of(const SeenHull& hull) {
  Box box;
  for (const SeenBall& ball : hull) {
    box.low = box.low.cwiseMin((ball.centre.head<2>().array() - ball.radius).matrix());
    box.high = box.high.cwiseMax((ball.centre.head<2>().array() + ball.radius).matrix());
  }
  return box;
}

bool apart(const Box& a, const Box& b) {
  return (a.low.array() > b.high.array()).any() || (b.low.array() > a.high.array()).any();
}

double mean_depth(const SeenHull& hull) {
  double sum = 0.0;
  for (const SeenBall& ball : hull) {
    sum += ball.centre.z();
  }
  return hull.empty() ? 0.0 : sum / static_cast<double>(hull.size());
}

double mean_depth(const SeenBody& body) {
  double sum = 0.0;
  for (const SeenHull& hull : body) {
    sum += mean_depth(hull);
  }
  return body.empty() ? 0.0 : sum / static_cast<double>(body.size());
}

/// Where the segments p + s u and q + t v (s, t in [0, 1]) come closest on the page. After Ericson, "Real-Time
/// Collision Detection" (2005), 5.1.9.
Vec2 closest_on_page(const Vec2& p, const Vec2& u, const Vec2& q, const Vec2& v) {
  const double a = u.squaredNorm();
  const double e = v.squaredNorm();
  const Vec2 r = p - q;
  const double f = v.dot(r);
  const double c = u.dot(r);
  constexpr double kTiny = 1e-18;
  if (a <= kTiny && e <= kTiny) {
    return {0.0, 0.0};
  }
  if (a <= kTiny) {
    return {0.0, std::clamp(f / e, 0.0, 1.0)};
  }
  if (e <= kTiny) {
    return {std::clamp(-c / a, 0.0, 1.0), 0.0};
  }
  const double b = u.dot(v);
  const double denominator = a * e - b * b;
  double s = denominator > 1e-12 * a * e ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0.5;
  double t = (b * s + f) / e;
  if (t < 0.0 || t > 1.0) {
    t = std::clamp(t, 0.0, 1.0);
    s = std::clamp((b * t - c) / a, 0.0, 1.0);
  }
  return {s, t};
}

/// At one depth the later in the list covers the earlier, so that a head on its neck does not flicker between postures.
constexpr double kTie = 1e-9;

/// How deep two solids lie in each other on the page, and by how much the first is nearer there.
struct Overlap {
  double depth = 0.0;
  double nearer_by = 0.0;
};

/// Every two balls of a hull span a segment; a lone ball is one as well.
std::size_t segment_count(const SeenHull& hull) {
  return hull.size() == 1 ? 1 : hull.size() * (hull.size() - 1) / 2;
}

std::pair<const SeenBall&, const SeenBall&> segment(const SeenHull& hull, std::size_t index) {
  std::size_t second = 1;
  while (index >= second && second + 1 < hull.size()) {
    index -= second;
    ++second;
  }
  return {hull[index], hull[std::min(second, hull.size() - 1)]};
}

Overlap overlap(const SeenHull& a, const SeenHull& b) {
  Overlap best;
  double reach = 0.0;
  for (std::size_t i = 0; i < segment_count(a); ++i) {
    const auto [a0, a1] = segment(a, i);
    for (std::size_t j = 0; j < segment_count(b); ++j) {
      const auto [b0, b1] = segment(b, j);
      const Vec3d along_a = a1.centre - a0.centre;
      const Vec3d along_b = b1.centre - b0.centre;
      const Vec2 at = closest_on_page(a0.centre.head<2>(), along_a.head<2>(), b0.centre.head<2>(), along_b.head<2>());
      const Vec3d on_a = a0.centre + at.x() * along_a;
      const Vec3d on_b = b0.centre + at.y() * along_b;
      const double radii = a0.radius + at.x() * (a1.radius - a0.radius) + b0.radius + at.y() * (b1.radius - b0.radius);
      const double depth = radii - (on_a - on_b).head<2>().norm();
      if (depth > best.depth) {
        best = {depth, on_a.z() - on_b.z()};
        reach = radii;
      }
    }
  }
  // Middle lines nearer than this run into each other: the depth at one point says little.
  constexpr double kTouching = 0.15;
  if (best.depth > 0.0 && std::abs(best.nearer_by) <= kTouching * reach) {
    const double mean = mean_depth(a) - mean_depth(b);
    best.nearer_by = std::abs(mean) <= kTouching * reach ? kTie : mean;
  }
  return best;
}

/// Greater than zero when `a` is nearer to the viewer where the two overlap most; 0 when they do not overlap.
double nearer_by(const SeenBody& a, const std::vector<Box>& a_boxes, const SeenBody& b,
                 const std::vector<Box>& b_boxes) {
  Overlap best;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (a[i].empty() || b[j].empty() || apart(a_boxes[i], b_boxes[j])) {
        continue;
      }
      const Overlap found = overlap(a[i], b[j]);
      if (found.depth > best.depth) {
        best = found;
      }
    }
  }
  return best.nearer_by;
}

}  // namespace

std::vector<std::size_t> depth_order(std::span<const SeenBody> bodies) {
  const std::size_t count = bodies.size();
  std::vector<std::vector<Box>> boxes(count);
  std::vector<double> depths(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::ranges::transform(bodies[i], std::back_inserter(boxes[i]), box_of);
    depths[i] = mean_depth(bodies[i]);
  }

  // in_front_of[i]: bodies that cover body i; behind[i]: how many must be painted before body i.
  std::vector<std::vector<std::size_t>> in_front_of(count);
  std::vector<int> behind(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double difference = nearer_by(bodies[i], boxes[i], bodies[j], boxes[j]);
      if (difference != 0.0) {
        const auto [far, near] = difference > 0.0 ? std::pair{j, i} : std::pair{i, j};
        in_front_of[far].push_back(near);
        ++behind[near];
      }
    }
  }

  std::vector<std::size_t> order;
  std::vector<bool> painted(count, false);
  while (order.size() < count) {
    std::size_t next = count;
    const auto better = [&](std::size_t i) {
      if (next == count) {
        return true;
      }
      const bool i_free = behind[i] == 0;
      const bool next_free = behind[next] == 0;
      return i_free != next_free ? i_free : depths[i] < depths[next];
    };
    for (std::size_t i = 0; i < count; ++i) {
      if (!painted[i] && better(i)) {
        next = i;
      }
    }
    painted[next] = true;
    order.push_back(next);
    for (const std::size_t near : in_front_of[next]) {
      --behind[near];
    }
  }
  return order;
}

}  // namespace shosa::draw
