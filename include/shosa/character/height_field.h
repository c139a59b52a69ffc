#pragma once

#include "shosa/feet/ground.h"

namespace shosa::character {

/// Heights on a square grid, linear in between and constant beyond its edges: a ground for `Character::set_ground`.
struct HeightField {
  const float* heights_m = nullptr;  ///< `rows` rows along z of `columns` heights along x.
  int columns = 0, rows = 0;         ///< Each >= 1.
  double cell_m = 1.0;               ///< > 0.
  double x_m = 0.0, z_m = 0.0;       ///< Of the first height.

  feet::GroundPoint operator()(double x_m, double z_m) const;
};

}  // namespace shosa::character
