#include "shosa/posing/balance.h"

#include <algorithm>
#include <limits>

#include "shosa/body/body_segments.h"

namespace shosa::posing {

namespace {

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// The trunk bends: its mass lies along its bones, by their length.
void add_along(const Skeleton& skeleton, JointIndex from, JointIndex to, double mass, std::vector<PointMass>& masses) {
  double length = 0.0;
  const std::size_t first = masses.size();
  for (JointIndex j = to; j != from && j != kNoJoint; j = skeleton.parent(j)) {
    const Vec3d bone = skeleton.joint(j).rest_translation_m.cast<double>();
    masses.push_back({skeleton.parent(j), 0.5 * bone, bone.norm()});
    length += bone.norm();
  }
  for (std::size_t i = first; i < masses.size() && length > 0.0; ++i) masses[i].mass *= mass / length;
}

}  // namespace

Result<std::vector<PointMass>> human_masses(const Skeleton& skeleton, const body::BodyMap& map) {
  std::vector<PointMass> masses;
  for (const body::BodySegment& segment : body::kHumanSegments) {
    if (!map.has(segment.from)) continue;
    // A missing far end leaves the mass at the joint.
    const JointIndex joint = map.joint(segment.from);
    const auto index = static_cast<std::size_t>(joint);
    if (map.has(segment.to) && segment.from == body::Role::hips) {
      add_along(skeleton, joint, map.joint(segment.to), segment.mass, masses);
      continue;
    }
    Vec3d offset = Vec3d::Zero();
    if (map.has(segment.to)) {
      const Vec3d across = skeleton.rest_positions()[map.joint(segment.to)] - skeleton.rest_positions()[index];
      offset = skeleton.rest_rotations()[index].conjugate() * (segment.place * across);
    }
    masses.push_back({joint, offset, segment.mass});
  }
  if (masses.empty()) return fail(ErrorCode::not_possible, "balance: the body map knows no segment of a human");
  return masses;
}

std::vector<SupportPoint> human_support(const Skeleton& skeleton, const body::BodyMap& map) {
  std::vector<SupportPoint> points;
  for (const body::Role role :
       {body::Role::left_foot, body::Role::left_toes, body::Role::right_foot, body::Role::right_toes}) {
    if (!map.has(role)) continue;
    points.push_back({map.joint(role), Vec3d::Zero()});
    for (const EndSite& site : skeleton.end_sites()) {
      if (site.parent == map.joint(role)) points.push_back({site.parent, site.offset_m.cast<double>()});
    }
  }
  return points;
}

Eigen::Vector2d way_into_hull(const Eigen::Vector2d& point, std::span<const Eigen::Vector2d> others) {
  // Few points, so all pairs are tried: the rim of the hull is among them, and what lies within the hull is no nearer.
  double nearest = std::numeric_limits<double>::infinity();
  Eigen::Vector2d way = Eigen::Vector2d::Zero();
  bool outside = others.size() < 3;
  for (std::size_t i = 0; i < others.size(); ++i) {
    for (std::size_t k = i; k < others.size(); ++k) {
      const Eigen::Vector2d edge = others[k] - others[i];
      const double length2 = edge.squaredNorm();
      const double along = length2 > 0.0 ? std::clamp((point - others[i]).dot(edge) / length2, 0.0, 1.0) : 0.0;
      const Eigen::Vector2d to_rim = others[i] + along * edge - point;
      if (to_rim.squaredNorm() < nearest) {
        nearest = to_rim.squaredNorm();
        way = to_rim;
      }
      if (length2 < 1e-12) continue;
      // Across the edge and along it: beyond all others in one direction is outside.
      double low = 0.0, high = 0.0, first = 0.0, last = 0.0;
      for (const auto& other : others) {
        low = std::min(low, cross(edge, other - others[i]));
        high = std::max(high, cross(edge, other - others[i]));
        first = std::min(first, edge.dot(other - others[i]));
        last = std::max(last, edge.dot(other - others[i]));
      }
      constexpr double kSlack = 1e-12;
      const double side = cross(edge, point - others[i]), ahead = edge.dot(point - others[i]);
      outside =
          outside || side > high + kSlack || side < low - kSlack || ahead > last + kSlack || ahead < first - kSlack;
    }
  }
  return outside ? way : Eigen::Vector2d(Eigen::Vector2d::Zero());
}

}  // namespace shosa::posing
