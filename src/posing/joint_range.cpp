#include "shosa/posing/joint_range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "shosa/core/rotations.h"

namespace shosa::posing {

namespace {

using Point = Eigen::Vector2d;

Point place(const RangeVertex& vertex) {
  return {vertex.a_y, vertex.a_z};
}

// Twice the area that two sides span.
double spanned(const Point& a, const Point& b) {
  return a.x() * b.y() - a.y() * b.x();
}

// Barycentric weights of a point in a triangle; negative outside.
Vec3d barycentric(const Point& p, const std::array<Point, 3>& corner) {
  const double area = spanned(corner[1] - corner[0], corner[2] - corner[0]);
  const double b1 = spanned(p - corner[0], corner[2] - corner[0]) / area;
  const double b2 = spanned(corner[1] - corner[0], p - corner[0]) / area;
  return {1.0 - b1 - b2, b1, b2};
}

// Weights of the closest point on the triangle's rim.
Vec3d closest_on_rim(const Point& p, const std::array<Point, 3>& corner) {
  double best = std::numeric_limits<double>::infinity();
  Vec3d weights = Vec3d::UnitX();
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3;
    const Point from = corner[i];
    const Point edge = corner[next] - from;
    const double along = std::clamp((p - from).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
    const double distance = (from + along * edge - p).squaredNorm();
    if (distance < best) {
      best = distance;
      weights.setZero();
      weights[i] = 1.0 - along;
      weights[next] = along;
    }
  }
  return weights;
}

}  // namespace

SwingTwist swing_twist(const Quatd& rotation) {
  const double length = std::hypot(rotation.w(), rotation.x());
  // At a half turn of swing every twist is right: take none.
  const Quatd twist =
      length < 1e-12 ? Quatd::Identity() : Quatd(rotation.w() / length, rotation.x() / length, 0.0, 0.0);
  const Quatd swing = rotation * twist.conjugate();
  // The half-angle atan2 covers (-2 pi, 2 pi]; one turn is taken off to come back to (-pi, pi].
  double angle = 2.0 * std::atan2(twist.x(), twist.w());
  if (angle > M_PI) angle -= 2.0 * M_PI;
  if (angle <= -M_PI) angle += 2.0 * M_PI;
  const double sign = swing.w() < 0.0 ? -1.0 : 1.0;
  return {sign * swing.y(), sign * swing.z(), angle};
}

Quatd rotation_of(const SwingTwist& parts) {
  const double w = std::sqrt(std::max(0.0, 1.0 - parts.a_y * parts.a_y - parts.a_z * parts.a_z));
  const Quatd swing(w, 0.0, parts.a_y, parts.a_z);
  const Quatd twist(std::cos(0.5 * parts.twist_rad), std::sin(0.5 * parts.twist_rad), 0.0, 0.0);
  return (swing * twist).normalized();
}

Result<JointRange> JointRange::create(std::vector<RangeVertex> vertices, std::vector<std::array<int, 3>> triangles,
                                      const Quatd& parent_from_zero, const Quatd& joint_from_frame) {
  if (triangles.empty()) return fail(ErrorCode::invalid_argument, "joint range: no triangles, expected at least one");
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const RangeVertex& v = vertices[i];
    const bool in_disc = v.a_y * v.a_y + v.a_z * v.a_z <= 1.0;  // false for NaN too
    const bool bounded = v.twist_min_rad >= -M_PI && v.twist_max_rad <= M_PI && v.twist_min_rad <= v.twist_max_rad;
    if (!in_disc || !bounded) {
      return fail(
          ErrorCode::invalid_argument,
          "joint range: vertex {} is ({}, {}) with twist {} to {}, expected the unit disc and -pi <= min <= max <= pi",
          i, v.a_y, v.a_z, v.twist_min_rad, v.twist_max_rad);
    }
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const int index : triangles[t]) {
      if (index < 0 || index >= static_cast<int>(vertices.size())) {
        return fail(ErrorCode::invalid_argument, "joint range: triangle {} names vertex {}, expected 0 to {}", t, index,
                    static_cast<int>(vertices.size()) - 1);
      }
    }
    const auto at = [&](int corner) { return place(vertices[triangles[t][corner]]); };
    if (std::abs(spanned(at(1) - at(0), at(2) - at(0))) < 1e-12) {
      return fail(ErrorCode::invalid_argument, "joint range: triangle {} has no area", t);
    }
  }
  if (!parent_from_zero.coeffs().allFinite() || !joint_from_frame.coeffs().allFinite() ||
      parent_from_zero.norm() == 0.0 || joint_from_frame.norm() == 0.0) {
    return fail(ErrorCode::invalid_argument, "joint range: a frame of length {} or {}, expected unit quaternions",
                parent_from_zero.norm(), joint_from_frame.norm());
  }

  JointRange range;
  range.vertices_ = std::move(vertices);
  range.triangles_ = std::move(triangles);
  range.parent_from_zero_ = parent_from_zero.normalized();
  range.joint_from_frame_ = joint_from_frame.normalized();
  // The reference is the middle of the first triangle, at the middle of its twist.
  SwingTwist middle;
  for (const int index : range.triangles_[0]) {
    const RangeVertex& v = range.vertices_[index];
    middle.a_y += v.a_y / 3.0;
    middle.a_z += v.a_z / 3.0;
    middle.twist_rad += (v.twist_min_rad + v.twist_max_rad) / 6.0;
  }
  range.reference_ = rotation_of(middle);
  return range;
}

/// Where a rotation, seen from the zero, stands against the region.
struct JointRange::Place {
  SwingTwist parts;
  Point closest = Point::Zero();                    // of the region; the swing itself inside
  Eigen::Matrix2d along = Eigen::Matrix2d::Zero();  // how the closest point follows the swing: nothing at a corner
  double twist_min = 0.0, twist_max = 0.0;          // at the closest point
  Point min_slope = Point::Zero(), max_slope = Point::Zero();  // how those follow the swing
  bool swing_inside = true, at_corner = false;

  /// The twist bound that is nearer; one beyond the far side of the half turn is nearer to the other.
  double twist_bound() const {
    const auto away = [&](double bound) { return std::abs(std::remainder(parts.twist_rad - bound, 2.0 * M_PI)); };
    return away(twist_min) < away(twist_max) ? twist_min : twist_max;
  }
  bool twist_inside() const {
    constexpr double kSlack = 1e-12;
    return parts.twist_rad >= twist_min - kSlack && parts.twist_rad <= twist_max + kSlack;
  }
};

JointRange::Place JointRange::locate(const Quatd& rotation, int* triangle) const {
  Place place_found;
  place_found.parts = swing_twist(rotation);
  const Point p(place_found.parts.a_y, place_found.parts.a_z);

  // The triangle that holds the swing, or else the one whose rim comes closest.
  constexpr double kOnRim = -1e-12;
  double best = std::numeric_limits<double>::infinity();
  Vec3d best_weights = Vec3d::UnitX();
  int best_index = 0;
  const auto corners_of = [&](int index) {
    const auto& c = triangles_[index];
    return std::array<Point, 3>{place(vertices_[c[0]]), place(vertices_[c[1]]), place(vertices_[c[2]])};
  };
  const auto consider = [&](int index) {
    const std::array<Point, 3> corner = corners_of(index);
    Vec3d weights = barycentric(p, corner);
    const bool holds = weights.minCoeff() >= kOnRim;
    if (!holds) weights = closest_on_rim(p, corner);
    const Point closest = weights[0] * corner[0] + weights[1] * corner[1] + weights[2] * corner[2];
    const double distance = holds ? 0.0 : (closest - p).squaredNorm();
    if (distance >= best) return;
    best = distance;
    best_weights = weights;
    best_index = index;
    place_found.closest = holds ? p : closest;
  };
  const int count = static_cast<int>(triangles_.size());
  if (triangle && *triangle >= 0 && *triangle < count) consider(*triangle);
  for (int index = 0; index < count && best > 0.0; ++index) consider(index);
  if (triangle) *triangle = best_index;
  place_found.swing_inside = best == 0.0;

  // Inside the closest point is the swing itself; on an edge it moves along that, at a corner not at all.
  const std::array<Point, 3> corner = corners_of(best_index);
  place_found.at_corner = !place_found.swing_inside;
  if (place_found.swing_inside) place_found.along.setIdentity();
  for (int i = 0; i < 3 && !place_found.swing_inside; ++i) {
    const int next = (i + 1) % 3;
    if (best_weights[i] <= 0.0 || best_weights[next] <= 0.0) continue;
    const Point edge = (corner[next] - corner[i]).normalized();
    place_found.along = edge * edge.transpose();
    place_found.at_corner = false;
  }
  // Twist bounds are linear within the triangle.
  Eigen::Matrix2d sides;
  sides << corner[1] - corner[0], corner[2] - corner[0];
  const auto interpolate = [&](double RangeVertex::*bound, double& value, Point& slope) {
    const auto& c = triangles_[best_index];
    const Vec3d at(vertices_[c[0]].*bound, vertices_[c[1]].*bound, vertices_[c[2]].*bound);
    value = best_weights.dot(at);
    slope.setZero();
    const Point rise(at[1] - at[0], at[2] - at[0]);
    if (!rise.isZero(0.0)) slope = place_found.along * (sides.transpose().inverse() * rise);
  };
  interpolate(&RangeVertex::twist_min_rad, place_found.twist_min, place_found.min_slope);
  interpolate(&RangeVertex::twist_max_rad, place_found.twist_max, place_found.max_slope);
  return place_found;
}

JointRange::Nearest JointRange::nearest(const Quatd& parent_from_joint, RangeTarget target, int* triangle) const {
  const Quatd rotation = parent_from_zero_.conjugate() * parent_from_joint * joint_from_frame_;
  const Place at = locate(rotation, triangle);
  Nearest result;
  result.inside = at.swing_inside && at.twist_inside();
  if (result.inside) {
    result.rotation = parent_from_joint;
    return result;
  }
  const double twist = at.twist_inside() ? at.parts.twist_rad : at.twist_bound();
  const Quatd wanted =
      target == RangeTarget::nearest ? rotation_of({at.closest.x(), at.closest.y(), twist}) : reference_;
  result.rotation = (parent_from_zero_ * wanted * joint_from_frame_.conjugate()).normalized();
  result.correction_rad = parent_from_zero_ * log_rotation(wanted * rotation.conjugate());
  return result;
}

RangeExcess JointRange::excess(const Quatd& parent_from_joint) const {
  const Place at = locate(parent_from_zero_.conjugate() * parent_from_joint * joint_from_frame_, nullptr);
  RangeExcess out;
  out.swing = 2.0 * (Point(at.parts.a_y, at.parts.a_z) - at.closest).norm();
  if (!at.twist_inside()) out.twist_rad = std::abs(std::remainder(at.parts.twist_rad - at.twist_bound(), 2.0 * M_PI));
  return out;
}

RangeBounds JointRange::bounds(const Quatd& parent_from_joint, const RangeExcess& allowed, int* triangle) const {
  const Place at = locate(parent_from_zero_.conjugate() * parent_from_joint * joint_from_frame_, triangle);
  RangeBounds out;
  if (at.swing_inside && at.twist_inside()) return out;

  // How swing (a_y, a_z) and twist follow a turn in the frame of the zero, with c = cos(swing / 2): from a_y = -d_z /
  // 2c, a_z = d_y / 2c, d_x = 2 c^2 - 1 for a bone d that follows turn x d. Near a half turn of swing both have no
  // bound; there c stays away from 0.
  constexpr double kLeastCosine = 0.05;
  const double a_y = at.parts.a_y, a_z = at.parts.a_z;
  const double c = std::max(kLeastCosine, std::sqrt(std::max(0.0, 1.0 - a_y * a_y - a_z * a_z)));
  const double even = (2.0 * c * c - 1.0) / (2.0 * c);
  const Vec3d y_slope(-a_z, even + a_y * a_y / (2.0 * c), a_y * a_z / (2.0 * c));
  const Vec3d z_slope(a_y, a_y * a_z / (2.0 * c), even + a_z * a_z / (2.0 * c));
  const Vec3d twist_slope(1.0, a_z / c, -a_y / c);
  const auto follow = [&](const Point& direction) -> Vec3d {
    return direction.x() * y_slope + direction.y() * z_slope;
  };
  // Largest eigenvalue of the second derivative: 1/2 at the zero, from -a_z turn_x, and steeper toward the half turn.
  const double curvature = 0.5 / c;
  const auto add = [&](const Vec3d& gradient, double excess, double share) {
    out.bound[static_cast<std::size_t>(out.count++)] = {parent_from_zero_ * gradient, excess, share, curvature};
  };

  const Point off = Point(a_y, a_z) - at.closest;
  const double swing = 2.0 * off.norm();
  if (!at.swing_inside && swing > allowed.swing) {
    const Point normal = off.normalized();
    add(2.0 * follow(normal), swing - allowed.swing, 1.0);
    // Past a corner the closest point stays where it is, and a step aside leads away from it too.
    const double aside = at.at_corner ? 1.0 - allowed.swing / swing : 0.0;
    add(2.0 * follow(Point(-normal.y(), normal.x())), 0.0, aside);
  }
  if (!at.twist_inside()) {
    const double bound = at.twist_bound();
    const double over = std::remainder(at.parts.twist_rad - bound, 2.0 * M_PI);
    if (std::abs(over) > allowed.twist_rad) {
      const Point& slope = bound == at.twist_min ? at.min_slope : at.max_slope;
      add(std::copysign(1.0, over) * (twist_slope - follow(slope)), std::abs(over) - allowed.twist_rad, 1.0);
    }
  }
  return out;
}

Result<JointRange> hinge_range(const Quatd& rest_rotation, const Vec3d& axis, double min_deg, double max_deg,
                               double sideways_deg) {
  if (!(axis.norm() > 1e-6) || !axis.allFinite()) return fail(ErrorCode::invalid_argument, "an axis without direction");
  if (!(min_deg >= -180.0) || !(max_deg <= 180.0) || !(min_deg <= max_deg)) {
    return fail(ErrorCode::invalid_argument, "{} to {} deg, expected -180 <= min <= max <= 180", min_deg, max_deg);
  }
  if (!(sideways_deg > 0.0) || !(sideways_deg < 90.0)) {
    return fail(ErrorCode::invalid_argument, "sideways {} deg, expected more than 0 and less than 90", sideways_deg);
  }
  // The turn about the axis is the twist of a frame whose x axis it is; the swing is nearly none.
  constexpr double kDeg = std::numbers::pi / 180.0;
  const double a = std::sin(0.5 * sideways_deg * kDeg);
  const double low = min_deg == -180.0 ? -M_PI : min_deg * kDeg, high = max_deg == 180.0 ? M_PI : max_deg * kDeg;
  const Quatd frame = shortest_turn(Vec3d::UnitX(), axis);
  return JointRange::create({{a, 0, low, high}, {0, a, low, high}, {-a, 0, low, high}, {0, -a, low, high}},
                            {{0, 1, 2}, {0, 2, 3}}, rest_rotation * frame, frame);
}

}  // namespace shosa::posing
