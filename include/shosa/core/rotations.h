#pragma once

#include <span>

#include "shosa/core/types.h"

namespace shosa {

/// The rotation by |vector| radians about the vector.
Quatd exp_rotation(const Vec3d& vector_rad);

/// The inverse, for a unit quaternion: an angle in [0, pi], or past that by rounding. Half a turn, whose sign is
/// rounding, is about the axis whose first coordinate of more than 0.4 is positive.
Vec3d log_rotation(const Quatd& rotation);

/// [v]x, with [v]x u = v x u.
Eigen::Matrix3d cross_matrix(const Vec3d& v);

/// exp(v), and how it turns in the world when v changes: exp(v + dv) = exp(left dv) exp(v) to first order. Then
/// d(exp(v) u) = -[exp(v) u]x left dv, and in its own frame it turns by left^T dv.
struct ExpDerivative {
  Quatd turn;
  Eigen::Matrix3d left;
};
ExpDerivative exp_derivative(const Vec3d& vector_rad);

/// The mean of rotations that lie near each other: of their quaternions, each with the sign that is nearer to the rest.
class MeanRotation {
 public:
  void add(const Quatd& q) {
    sum_ += sum_.dot(q.coeffs()) < 0.0 ? Eigen::Vector4d(-q.coeffs()) : Eigen::Vector4d(q.coeffs());
    ++count_;
  }
  int count() const { return count_; }
  bool known() const { return sum_.norm() > 1e-6; }
  Quatd value() const { return Quatd(Eigen::Vector4d(sum_.normalized())); }

 private:
  Eigen::Vector4d sum_ = Eigen::Vector4d::Zero();
  int count_ = 0;
};

/// Of entries `first` to `last`, both included.
Quatd mean_rotation(std::span<const Quatd> rotations, int first, int last);

/// The smallest turn that takes direction `from` to direction `to`; neither need be unit. Opposite directions turn
/// about any axis across them. The identity where one of them is zero.
Quatd shortest_turn(const Vec3d& from, const Vec3d& to);

/// The rotation about +Y that takes heading 0 (+Z) to `heading_rad`, positive towards +X.
Quatd about_y(double heading_rad);

/// The heading of a direction, seen from above: 0 = +Z, positive towards +X, in (-pi, pi].
double heading_of(const Vec3d& direction);

/// Brings an angle into (-pi, pi].
double wrap_angle(double angle_rad);

}  // namespace shosa
