#pragma once

#include <algorithm>
#include <cmath>

#include "shosa/core/rotations.h"
#include "shosa/core/types.h"

namespace shosa::segment {

/// Exactly the identity: nothing is to be turned.
inline bool same_rotation(const Quatd& turn) {
  return turn.x() == 0.0 && turn.y() == 0.0 && turn.z() == 0.0;
}

/// Columns: `first` normalised, then what of `second` is square to it.
inline Eigen::Matrix3d frame_of(const Vec3d& first, const Vec3d& second) {
  Eigen::Matrix3d frame;
  frame.col(0) = first.normalized();
  Vec3d square = second - second.dot(frame.col(0)) * frame.col(0);
  const double length = square.norm();
  square = length > 1e-12 ? Vec3d(square / length) : frame.col(0).unitOrthogonal();
  frame.col(1) = square;
  frame.col(2) = frame.col(0).cross(frame.col(1));
  return frame;
}

/// The turn that takes direction `a` to `a_now` and, as far as that leaves it free, `b` to `b_now`.
inline Quatd turn_between(const Vec3d& a, const Vec3d& b, const Vec3d& a_now, const Vec3d& b_now) {
  if (a.squaredNorm() < 1e-18 || a_now.squaredNorm() < 1e-18) return Quatd::Identity();
  return Quatd(Eigen::Matrix3d(frame_of(a_now, b_now) * frame_of(a, b).transpose()));
}

/// `v` turned as direction `a` is turned to `b` by the shortest way; both unit (Rodrigues' formula without angles).
inline Vec3d carried_along(const Vec3d& a, const Vec3d& b, const Vec3d& v) {
  const double cosine = a.dot(b);
  if (cosine < -0.999999) return shortest_turn(a, b) * v;
  const Vec3d axis = a.cross(b);
  return cosine * v + axis.cross(v) + axis.dot(v) / (1.0 + cosine) * axis;
}

/// The side the middle joint of a limb lies on: its own where it is bent, else `taught`, the one its clip has on the
/// mean (a captured knee may be straight or bent the wrong way).
inline Vec3d bend_side(const Vec3d& upper, const Vec3d& middle, const Vec3d& end, const Vec3d& taught) {
  const Vec3d line = end - upper, out = middle - upper;
  const double square = line.squaredNorm();
  Vec3d side = taught;
  if (square < 1e-12) return side;
  Vec3d off = out - out.dot(line) / square * line;
  side -= side.dot(line) / square * line;
  if (side.squaredNorm() < 1e-12) return off;
  side.normalize();
  // Below this much off the line the limb counts as straight.
  const double missing = 0.06 * out.norm() - off.dot(side);
  if (missing <= 0.0) return off;
  return off + missing * side;
}

/// A limb bent anew: positions, and the world turns of its two bones.
struct BentBones {
  Vec3d middle, end;
  Quatd upper_turn = Quatd::Identity();
  Quatd lower_turn = Quatd::Identity();
};

/// Two bones and the side their hinge lies on.
struct LimbBones {
  Vec3d upper, middle, end;
  Vec3d bend;  ///< Any length; square to the line from upper to end where that is known.
  /// A direction amid those that the limb takes (unit), or 0. The bend side is carried along the shortest turns from
  /// the line to here and from here to the new line, so that it is undefined only opposite to this direction; without
  /// one, opposite to the line itself, which an arm that hangs meets when it is raised.
  Vec3d amid = Vec3d::Zero();

  /// The same bones from `new_upper` toward `target`: met where the bones reach, else straight toward it. The bend side
  /// turns with the line between the ends by the shortest way.
  BentBones bent_to(const Vec3d& new_upper, const Vec3d& target) const {
    BentBones out;
    const Bend b = bend_to(new_upper, target);
    out.middle = new_upper + b.foot * b.along + b.height * b.side;
    out.end = new_upper + b.reach * b.along;
    const Vec3d side_before = bend - bend.dot(b.along_before) * b.along_before;
    const Vec3d hinge_before = b.along_before.cross(side_before).normalized(), hinge = b.along.cross(b.side);
    out.upper_turn = turn_between(middle - upper, hinge_before, out.middle - new_upper, hinge);
    out.lower_turn = turn_between(end - middle, hinge_before, out.end - out.middle, hinge);
    return out;
  }
  /// Only where the middle joint then is.
  Vec3d middle_of(const Vec3d& new_upper, const Vec3d& target) const {
    const Bend b = bend_to(new_upper, target);
    return new_upper + b.foot * b.along + b.height * b.side;
  }

 private:
  struct Bend {
    Vec3d along_before, along, side;
    double reach, foot, height;  // of the triangle: along the line, and off it
  };
  Bend bend_to(const Vec3d& new_upper, const Vec3d& target) const {
    Bend out;
    const double a = (middle - upper).norm(), b = (end - middle).norm();
    const Vec3d line = end - upper, way = target - new_upper;
    const double distance = way.norm(), length = line.norm();
    out.reach = std::clamp(distance, std::abs(a - b) + 1e-9, a + b);
    out.along = distance > 1e-9 ? Vec3d(way / distance) : line.normalized();
    out.along_before = length > 1e-9 ? Vec3d(line / length) : out.along;
    Vec3d side = amid.isZero(0.0) ? carried_along(out.along_before, out.along, bend)
                                  : carried_along(amid, out.along, carried_along(out.along_before, amid, bend));
    side -= side.dot(out.along) * out.along;
    const double width = side.norm();
    out.side = width > 1e-12 ? Vec3d(side / width) : out.along.unitOrthogonal();
    out.foot = out.reach > 1e-9 ? (a * a - b * b + out.reach * out.reach) / (2.0 * out.reach) : 0.0;
    out.height = std::sqrt(std::max(a * a - out.foot * out.foot, 0.0));
    return out;
  }
};

}  // namespace shosa::segment
