#include "segment/match_postures.h"

#include <algorithm>

#include "shosa/analysis/pose_distance.h"

namespace shosa::segment {

GroundMove match_postures(const WorldPose& a, const WorldPose& b) {
  const std::vector<double> weights(a.positions.size(), 1.0);
  const auto match = analysis::match_clouds(a.positions, b.positions, weights);
  return match ? match->a_from_b : GroundMove{};
}

double height_apart_m(const WorldPose& a, const WorldPose& b) {
  const auto lowest = [](const WorldPose& world) {
    double y = world.positions[0].y();
    for (const Vec3d& p : world.positions) y = std::min(y, p.y());
    return y;
  };
  return lowest(a) - lowest(b);
}

}  // namespace shosa::segment
