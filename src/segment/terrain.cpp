#include "shosa/segment/terrain.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shosa::segment {

Terrain flat_terrain(double height_m) {
  return {.height_m = [height_m](double, double) { return height_m; }, .normal = {}};
}

Terrain stairs_terrain(const StairsParams& p) {
  const double s = std::sin(p.heading_rad), c = std::cos(p.heading_rad);
  return {.height_m =
              [p, s, c](double x, double z) {
                const double along = (x - p.first_edge_m.x()) * s + (z - p.first_edge_m.z()) * c;
                // Going up a foot meets the riser at its edge; going down the tread ends there. Both are the same line.
                const double steps = std::clamp(std::floor(along / p.tread_m) + 1.0, 0.0, static_cast<double>(p.count));
                return p.first_edge_m.y() + steps * p.rise_m;
              },
          .normal = {}};
}

Terrain slope_terrain(const Vec3d& through, double heading_rad, double slope) {
  const double s = std::sin(heading_rad), c = std::cos(heading_rad);
  const Vec3d up = Vec3d(-slope * s, 1.0, -slope * c).normalized();
  return {.height_m = [=](double x,
                          double z) { return through.y() + slope * ((x - through.x()) * s + (z - through.z()) * c); },
          .normal = [up](double, double) { return up; }};
}

Terrain rough_terrain(double level_m, double amplitude_m, double wavelength_m, unsigned seed) {
  // Three crossing waves whose phases come from the seed.
  struct Wave {
    double kx, kz, phase;
  };
  Wave waves[3];
  unsigned state = seed * 2654435761u + 1u;
  for (int i = 0; i < 3; ++i) {
    state = state * 1664525u + 1013904223u;
    const double angle = std::numbers::pi * (i + (state >> 8) / 16777216.0) / 3.0;
    state = state * 1664525u + 1013904223u;
    const double k = 2.0 * std::numbers::pi / wavelength_m * (1.0 + 0.3 * i);
    waves[i] = {k * std::cos(angle), k * std::sin(angle), 2.0 * std::numbers::pi * ((state >> 8) / 16777216.0)};
  }
  const double share = amplitude_m / 3.0;
  const Wave a = waves[0], b = waves[1], c = waves[2];
  const auto at = [](const Wave& w, double x, double z) { return w.kx * x + w.kz * z + w.phase; };
  return {.height_m =
              [=](double x, double z) {
                return level_m + share * (std::sin(at(a, x, z)) + std::sin(at(b, x, z)) + std::sin(at(c, x, z)));
              },
          .normal =
              [=](double x, double z) {
                double dx = 0.0, dz = 0.0;
                for (const Wave& w : {a, b, c}) {
                  dx += share * w.kx * std::cos(at(w, x, z));
                  dz += share * w.kz * std::cos(at(w, x, z));
                }
                return Vec3d(-dx, 1.0, -dz).normalized();
              }};
}

}  // namespace shosa::segment
