#pragma once

#include <array>

#include "motions/foot_path.h"
#include "shosa/body/body_map.h"
#include "shosa/core/angles.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/pose.h"

namespace shosa::motions {

inline constexpr double kStandingHips_m = 0.9485;
inline constexpr double kLegLength_m = 0.84;

inline double radians(double degrees) {
  return degrees * kRadPerDeg;
}

inline const Vec3d kX = Vec3d::UnitX(), kY = Vec3d::UnitY(), kZ = Vec3d::UnitZ();

inline Quatd about(double degrees, const Vec3d& axis) {
  return Quatd(Eigen::AngleAxisd(radians(degrees), axis));
}

/// Hips and everything above them: what keys and gaits give.
struct UpperBody {
  Vec3d hips_m = Vec3d::Zero();
  std::vector<Quatd> rotations;  ///< parent_from_joint of every joint; those of the legs are not read.
  std::array<double, 2> knee_out_rad{0, 0};
};

/// The rotations that a posture's angles mean. The hips' place is left at zero.
UpperBody upper_body(const Skeleton& skeleton, const Posture& posture);

/// Where the leg of a side begins, world.
Vec3d hip_joint(const UpperBody& body, int side);

/// The highest the hips can be (world y) with no leg longer than `extension` of its length; feet on ways of their own
/// do not count.
double highest_hips(const UpperBody& body, const std::array<FootState, 2>& feet, double extension);

/// The whole posture: legs reach from the hips to the feet.
Pose whole_pose(const Skeleton& skeleton, const UpperBody& body, const std::array<FootState, 2>& feet);

Vec3d center_of_mass(const WorldPose& world, const body::BodyMap& map);

}  // namespace shosa::motions
