#pragma once

#include <string>

#include "shosa/core/pose.h"
#include "shosa/core/skeleton.h"

namespace shosa::scenes {

inline constexpr double kGravity_mps2 = 9.81;
inline const Vec3d kBallFromAnkle(0.0, -0.06, 0.13);

/// Cubic Hermite: from p0 with speed v0 to p1 with speed v1 over `length_s`, at x = t / length_s in [0, 1].
template <class T>
T hermite(const T& p0, const T& v0, const T& p1, const T& v1, double length_s, double x) {
  const double x2 = x * x, x3 = x2 * x;
  return (2 * x3 - 3 * x2 + 1) * p0 + (x3 - 2 * x2 + x) * length_s * v0 + (3 * x2 - 2 * x3) * p1 +
         (x3 - x2) * length_s * v1;
}

/// Sets joints of a pose by world rotation; the skeleton's rest rotations must be the identity.
class PoseWriter {
 public:
  PoseWriter(const Skeleton& skeleton, Pose& pose) : skeleton_(skeleton), pose_(pose) {}

  void root(const Vec3d& position, const Quatd& world_from_hips);
  /// Relative to the parent.
  void rotate(const std::string& joint, const Quatd& parent_from_joint);
  void rotate_world(const std::string& joint, const Quatd& world_from_joint);
  Vec3d position(const std::string& joint) const;
  Quatd rotation(const std::string& joint) const;

  /// Two bones from `upper` to `end` reach `target`; the middle joint points along `bend` (world). Bones must lie in
  /// the YZ plane at rest. A target out of reach is approached along the straight line.
  void reach(const std::string& upper, const std::string& middle, const std::string& end, const Vec3d& target,
             const Vec3d& bend);

 private:
  JointIndex index(const std::string& joint) const;
  const Skeleton& skeleton_;
  Pose& pose_;
};

}  // namespace shosa::scenes
