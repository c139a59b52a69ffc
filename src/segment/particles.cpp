#include "segment/particles.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace shosa::segment {

double max_link_error_m(std::span<const Vec3d> positions, std::span<const PointLink> links) {
  double worst = 0.0;
  for (const PointLink& link : links) {
    const Vec3d between = positions[link.b] - positions[link.a];
    worst = std::max(worst, std::abs(between.norm() - link.length_m));
  }
  return worst;
}

RelaxReport relax(std::span<Vec3d> positions, std::span<const double> mobility, std::span<const PointLink> links,
                  const RelaxParams& params) {
  assert(positions.size() == mobility.size());
  RelaxReport report;
  report.max_link_error_m = max_link_error_m(positions, links);
  while (report.iterations < params.iterations && report.max_link_error_m > params.tolerance_m) {
    for (const PointLink& link : links) {
      const auto a = static_cast<std::size_t>(link.a), b = static_cast<std::size_t>(link.b);
      const double sum = mobility[a] + mobility[b];
      if (!(sum > 0.0)) continue;
      const Vec3d between = positions[b] - positions[a];
      const double distance = between.norm();
      const Vec3d along = distance > 1e-12 ? Vec3d(between / distance) : Vec3d::UnitY();
      const double correction = (distance - link.length_m) / sum;
      if (mobility[a] > 0.0) positions[a] += mobility[a] * correction * along;
      if (mobility[b] > 0.0) positions[b] -= mobility[b] * correction * along;
    }
    ++report.iterations;
    report.max_link_error_m = max_link_error_m(positions, links);
  }
  return report;
}

}  // namespace shosa::segment
