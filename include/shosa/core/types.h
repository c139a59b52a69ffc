#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>

namespace shosa {

// World: metres, seconds, right-handed, Y up. See CONVENTIONS.md.

using JointIndex = std::int32_t;
inline constexpr JointIndex kNoJoint = -1;

using Vec3f = Eigen::Vector3f;
using Vec3d = Eigen::Vector3d;
using Quatf = Eigen::Quaternionf;
using Quatd = Eigen::Quaterniond;

/// Closed interval of a clip's own time.
struct TimeInterval {
  double begin_s = 0.0;
  double end_s = 0.0;
  double length_s() const { return end_s - begin_s; }
  bool contains(double time_s) const { return time_s >= begin_s && time_s <= end_s; }
  bool operator==(const TimeInterval&) const = default;
};

}  // namespace shosa
