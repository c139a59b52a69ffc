#pragma once

#include <span>
#include <vector>

#include "shosa/core/types.h"

namespace shosa::segment {

/// Two points that keep their distance.
struct PointLink {
  int a = 0;
  int b = 0;
  double length_m = 0.0;
};

struct RelaxParams {
  int iterations = 32;        ///< At most; >= 0.
  double tolerance_m = 1e-5;  ///< Stops when no link is off by more; 0 runs all iterations.
};
struct RelaxReport {
  int iterations = 0;
  double max_link_error_m = 0.0;
};

/// The seed's particle method: mass points moved pair by pair along their link until all lengths hold.
///
/// One sweep goes over the links in their order; a link shares its correction between its ends by their `mobility` (the
/// inverse of a mass). A point of mobility 0 is fixed: it is never written, so it is exact after any number of
/// iterations. Contradictory links settle on a compromise; coincident points move along an arbitrary fixed axis. No
/// allocation. `positions` and `mobility` have one entry per point (assert).
RelaxReport relax(std::span<Vec3d> positions, std::span<const double> mobility, std::span<const PointLink> links,
                  const RelaxParams& params = {});

/// The largest difference between a link's length and the distance of its points.
double max_link_error_m(std::span<const Vec3d> positions, std::span<const PointLink> links);

}  // namespace shosa::segment
