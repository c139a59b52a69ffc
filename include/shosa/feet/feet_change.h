#pragma once

#include <vector>

#include "shosa/core/types.h"

namespace shosa::feet {

/// How root and feet leave their paths, one entry per frame. World.
struct FootChange {
  std::vector<Vec3d> ball_m;
  std::vector<Vec3d> turn_rad;  ///< Rotation vector about the ball.
};
struct FeetChange {
  std::vector<Vec3d> root_m;
  std::vector<FootChange> feet;
};

}  // namespace shosa::feet
