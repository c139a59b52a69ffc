#include "shosa/segment/terrain.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shosa::segment {
namespace {

/// Height and its slopes along x and z.
struct Rise {
  double y = 0.0, by_x = 0.0, by_z = 0.0;
  Rise& operator+=(const Rise& more) {
    y += more.y, by_x += more.by_x, by_z += more.by_z;
    return *this;
  }
};

double along(double x, double z, double of_x, double of_z, double heading_rad) {
  return (x - of_x) * std::sin(heading_rad) + (z - of_z) * std::cos(heading_rad);
}

Rise rise_of(const TerrainSlope& plane, double x, double z) {
  return {plane.slope * along(x, z, plane.x_m, plane.z_m, plane.heading_rad), plane.slope * std::sin(plane.heading_rad),
          plane.slope * std::cos(plane.heading_rad)};
}

// Three crossing waves whose directions and phases come from the seed.
Rise rise_of(const TerrainBumps& bumps, double x, double z) {
  Rise out;
  unsigned state = bumps.seed * 2654435761u + 1u;
  const auto next = [&state] {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0;
  };
  for (int i = 0; i < 3; ++i) {
    const double angle = std::numbers::pi * (i + next()) / 3.0, phase = 2.0 * std::numbers::pi * next();
    const double k = 2.0 * std::numbers::pi / bumps.wavelength_m * (1.0 + 0.3 * i), share = bumps.amplitude_m / 3.0;
    const double kx = k * std::cos(angle), kz = k * std::sin(angle), at = kx * x + kz * z + phase;
    out += {share * std::sin(at), share * kx * std::cos(at), share * kz * std::cos(at)};
  }
  return out;
}

// Bilinear.
Rise rise_of(const TerrainField& field, double x, double z) {
  const int rows = static_cast<int>(field.heights_m.size()) / field.columns;
  const double u = (x - field.x_m) / field.spacing_m, v = (z - field.z_m) / field.spacing_m;
  const double inside_u = std::clamp(u, 0.0, field.columns - 1.0), inside_v = std::clamp(v, 0.0, rows - 1.0);
  const int column = std::min(static_cast<int>(inside_u), field.columns - 2),
            row = std::min(static_cast<int>(inside_v), rows - 2);
  const auto at = [&](int r, int c) { return field.heights_m[r * field.columns + c]; };
  const double a = at(row, column), b = at(row, column + 1), c = at(row + 1, column), d = at(row + 1, column + 1);
  const double s = inside_u - column, t = inside_v - row;
  const double by_u = (b - a) + t * (a - b - c + d), by_v = (c - a) + s * (a - b - c + d);
  return {a + s * (b - a) + t * by_v, u == inside_u ? by_u / field.spacing_m : 0.0,
          v == inside_v ? by_v / field.spacing_m : 0.0};
}

}  // namespace

feet::GroundPoint Terrain::operator()(double x_m, double z_m) const {
  Rise sum{.y = level_m};
  // Going up a foot meets the riser at its edge; going down the tread ends there. Both are the same line.
  for (const TerrainEdge& edge : edges) {
    if (along(x_m, z_m, edge.x_m, edge.z_m, edge.heading_rad) >= 0.0) sum.y += edge.rise_m;
  }
  if (slope) sum += rise_of(*slope, x_m, z_m);
  if (bumps) sum += rise_of(*bumps, x_m, z_m);
  if (field) sum += rise_of(*field, x_m, z_m);
  return {sum.y, Vec3d(-sum.by_x, 1.0, -sum.by_z).normalized()};
}

Terrain flat_terrain(double height_m) {
  return {.level_m = height_m, .edges = {}, .slope = {}, .bumps = {}, .field = {}};
}

Terrain stairs_terrain(const StairsParams& p) {
  Terrain out = flat_terrain(p.first_edge_m.y());
  for (int i = 0; i < p.count; ++i) {
    out.edges.push_back({p.first_edge_m.x() + i * p.tread_m * std::sin(p.heading_rad),
                         p.first_edge_m.z() + i * p.tread_m * std::cos(p.heading_rad), p.heading_rad, p.rise_m});
  }
  return out;
}

Terrain slope_terrain(const Vec3d& through_m, double heading_rad, double slope) {
  Terrain out = flat_terrain(through_m.y());
  out.slope = {through_m.x(), through_m.z(), heading_rad, slope};
  return out;
}

Terrain rough_terrain(double level_m, double amplitude_m, double wavelength_m, unsigned seed) {
  Terrain out = flat_terrain(level_m);
  out.bumps = {amplitude_m, wavelength_m, seed};
  return out;
}

}  // namespace shosa::segment
