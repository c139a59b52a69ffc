#pragma once

#include <optional>
#include <vector>

#include "shosa/feet/ground.h"

namespace shosa::segment {

/// A line across the ground, beyond which it is higher, or lower.
struct TerrainEdge {
  double x_m = 0.0, z_m = 0.0;  ///< A point of the line.
  double heading_rad = 0.0;     ///< Across the line and beyond it, about +Y, 0 = +Z.
  double rise_m = 0.0;
};

/// A plane that rises along a heading; 0 at its point.
struct TerrainSlope {
  double x_m = 0.0, z_m = 0.0;
  double heading_rad = 0.0;
  double slope = 0.0;  ///< Rise over run.
};

/// Smooth bumps; seeded, the same everywhere.
struct TerrainBumps {
  double amplitude_m = 0.05;
  double wavelength_m = 1.5;  ///< > 0.
  unsigned seed = 1;
};

/// Heights on a square grid, linear in between and level beyond its border.
struct TerrainField {
  double x_m = 0.0, z_m = 0.0;    ///< Of the first height.
  double spacing_m = 1.0;         ///< > 0.
  int columns = 0;                ///< Along +X; >= 2.
  std::vector<double> heights_m;  ///< Row after row; rows follow along +Z; at least two.
};

/// The ground as feet meet it: the sum of its parts. A plain value that can be written down and read back.
struct Terrain {
  double level_m = 0.0;
  std::vector<TerrainEdge> edges;
  std::optional<TerrainSlope> slope;
  std::optional<TerrainBumps> bumps;
  std::optional<TerrainField> field;

  feet::GroundPoint operator()(double x_m, double z_m) const;
  double height_m(double x_m, double z_m) const { return (*this)(x_m, z_m).height_m; }
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

/// Smooth bumps of a given height and wavelength.
Terrain rough_terrain(double level_m, double amplitude_m, double wavelength_m, unsigned seed);

}  // namespace shosa::segment
