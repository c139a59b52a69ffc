#include "segment/match_postures.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/pose_distance.h"

namespace shosa::segment {

GroundMove match_postures(const WorldPose& a, const WorldPose& b, double level_m) {
  const std::vector<double> weights(a.positions.size(), 1.0);
  GroundMove move;
  if (const auto match = analysis::match_clouds(a.positions, b.positions, weights)) move = match->a_from_b;
  const auto lowest = [](const WorldPose& world) {
    double y = world.positions[0].y();
    for (const Vec3d& p : world.positions) y = std::min(y, p.y());
    return y;
  };
  const double rise = lowest(a) - lowest(b);
  if (std::abs(rise) > level_m) move.shift_m.y() = rise;
  return move;
}

}  // namespace shosa::segment
