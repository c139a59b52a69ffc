#include "shosa/character/height_field.h"

#include <algorithm>

namespace shosa::character {

feet::GroundPoint HeightField::operator()(double x, double z) const {
  const double u = std::clamp((x - x_m) / cell_m, 0.0, columns - 1.0);
  const double v = std::clamp((z - z_m) / cell_m, 0.0, rows - 1.0);
  const int i = std::min(static_cast<int>(u), std::max(0, columns - 2));
  const int j = std::min(static_cast<int>(v), std::max(0, rows - 2));
  const int right = std::min(i + 1, columns - 1), below = std::min(j + 1, rows - 1);
  const double a = u - i, b = v - j;
  const auto height = [&](int column, int row) { return static_cast<double>(heights_m[row * columns + column]); };
  const double h00 = height(i, j), h10 = height(right, j), h01 = height(i, below), h11 = height(right, below);
  const double slope_x = ((1.0 - b) * (h10 - h00) + b * (h11 - h01)) / cell_m;
  const double slope_z = ((1.0 - a) * (h01 - h00) + a * (h11 - h10)) / cell_m;
  return {(1.0 - b) * ((1.0 - a) * h00 + a * h10) + b * ((1.0 - a) * h01 + a * h11),
          Vec3d(-slope_x, 1.0, -slope_z).normalized()};
}

}  // namespace shosa::character
