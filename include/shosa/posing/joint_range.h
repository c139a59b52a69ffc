#pragma once

#include <array>
#include <span>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/core/types.h"

namespace shosa::posing {

/// Corner of a swing region with the twist allowed there.
///
/// The swing turns the bone away from the range frame's x axis about an axis in its y-z plane: (a_y, a_z) is that axis
/// times the sine of half the swing angle, so the region lies in the unit disc. The twist is the turn about x that
/// comes first.
struct RangeVertex {
  double a_y = 0.0;
  double a_z = 0.0;
  double twist_min_rad = 0.0;
  double twist_max_rad = 0.0;
};

/// A rotation taken apart: swing * twist about x.
struct SwingTwist {
  double a_y = 0.0;
  double a_z = 0.0;
  double twist_rad = 0.0;  ///< In (-pi, pi].
};
SwingTwist swing_twist(const Quatd& rotation);
/// a_y^2 + a_z^2 <= 1 (clamped).
Quatd rotation_of(const SwingTwist& parts);

/// Where a joint outside its range is driven.
enum class RangeTarget {
  nearest,    ///< The closest point of the swing region, the twist clamped there.
  reference,  ///< A fixed orientation inside: the middle of the first triangle and of its twist.
};

/// How far a rotation is out of a range.
struct RangeExcess {
  double swing = 0.0;      ///< From the swing region, twice the distance in its plane: radians near the zero.
  double twist_rad = 0.0;  ///< Beyond the bounds of the closest point of the region.
};

/// One bound that a rotation is over. A small turn, a rotation vector in the parent's frame, adds `gradient` . turn to
/// how far it is over.
struct RangeBound {
  Vec3d gradient = Vec3d::Zero();
  double excess = 0.0;     ///< >= 0, less what is allowed.
  double share = 1.0;      ///< Of a range's strength, along `gradient`.
  double curvature = 0.0;  ///< Bound of how much the gradient itself changes in a turn, 1/rad.
};

/// Swing and twist are bounds of their own, and a swing also has the direction along the rim of its region (`excess` 0;
/// `share` 1 past a corner, 0 past an edge): sum share * gradient * gradient^T + excess * curvature bounds the second
/// derivative of half the squared excess.
struct RangeBounds {
  std::array<RangeBound, 3> bound;
  int count = 0;

  std::span<const RangeBound> all() const { return std::span(bound).first(static_cast<std::size_t>(count)); }
};

/// The orientations a ball joint may take: triangles in the (a_y, a_z) plane with twist bounds at each corner.
///
/// Rules, checked by `create`: at least one triangle; corners inside the unit disc, finite; twist_min <= twist_max,
/// both in [-pi, pi]; indices valid; no triangle without area.
class JointRange {
 public:
  static Result<JointRange> create(std::vector<RangeVertex> vertices, std::vector<std::array<int, 3>> triangles,
                                   const Quatd& parent_from_zero = Quatd::Identity(),
                                   const Quatd& joint_from_frame = Quatd::Identity());

  const std::vector<RangeVertex>& vertices() const { return vertices_; }
  const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }
  /// Orientation of the range frame, in the parent, when the joint is at its anatomical zero.
  const Quatd& parent_from_zero() const { return parent_from_zero_; }
  /// The range frame in the joint: x along the bone.
  const Quatd& joint_from_frame() const { return joint_from_frame_; }

  struct Nearest {
    bool inside = true;
    Quatd rotation = Quatd::Identity();  ///< parent_from_joint, inside the range; the given one when that is inside.
    Vec3d correction_rad =
        Vec3d::Zero();  ///< Rotation vector in the parent's frame that leads there; zero when inside.
  };
  /// `triangle`, where given, is where the search begins and then where it ended: neighbouring questions are cheap.
  Nearest nearest(const Quatd& parent_from_joint, RangeTarget target = RangeTarget::nearest,
                  int* triangle = nullptr) const;

  RangeExcess excess(const Quatd& parent_from_joint) const;
  /// The bounds that a rotation is over by more than `allowed`; none inside.
  RangeBounds bounds(const Quatd& parent_from_joint, const RangeExcess& allowed = {}, int* triangle = nullptr) const;

 private:
  JointRange() = default;
  struct Place;
  Place locate(const Quatd& rotation, int* triangle) const;

  std::vector<RangeVertex> vertices_;
  std::vector<std::array<int, 3>> triangles_;
  Quatd parent_from_zero_ = Quatd::Identity();
  Quatd joint_from_frame_ = Quatd::Identity();
  Quatd reference_ = Quatd::Identity();  // in the range frame
};

/// A range that lets a joint turn about one axis of its own, from rest. Rules: axis not 0; -180 <= min_deg <= max_deg
/// <= 180; 0 < sideways_deg < 90.
Result<JointRange> hinge_range(const Quatd& rest_rotation, const Vec3d& axis, double min_deg, double max_deg,
                               double sideways_deg = 2.0);

}  // namespace shosa::posing
