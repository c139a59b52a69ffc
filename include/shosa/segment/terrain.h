#pragma once

#include <functional>

#include "shosa/core/types.h"

namespace shosa::segment {

/// The ground as feet meet it. Both functions must give the same answer for the same place.
struct Terrain {
  /// World y of the ground at (x, z).
  std::function<double(double x_m, double z_m)> height_m;
  /// Up, unit. Empty: level everywhere (stairs are level on every tread).
  std::function<Vec3d(double x_m, double z_m)> normal;
};

Terrain flat_terrain(double height_m);

/// A straight flight: level up to the first edge, then treads of `tread_m` that rise by `rise_m` each, `count` of them,
/// then level again. Endless to the sides.
struct StairsParams {
  Vec3d first_edge_m = Vec3d::Zero();  ///< A point of the first edge; its y is the level before it.
  double heading_rad = 0.0;            ///< Way up the flight, about +Y, 0 = +Z.
  double rise_m = 0.15;                ///< Per step; negative goes down.
  double tread_m = 0.3;                ///< > 0.
  int count = 4;                       ///< >= 1.
};
Terrain stairs_terrain(const StairsParams& params);

/// A plane through a point that rises by `slope` (rise over run) along a heading.
Terrain slope_terrain(const Vec3d& through_m, double heading_rad, double slope);

/// Smooth bumps of a given height and wavelength; seeded, the same everywhere.
Terrain rough_terrain(double level_m, double amplitude_m, double wavelength_m, unsigned seed);

}  // namespace shosa::segment
