#pragma once

#include <array>

#include "documents/json_reader.h"
#include "shosa/segment/terrain.h"

namespace shosa::documents {

inline constexpr double kFarthestStep_m = 1e5, kMostSlope_percent = 200.0, kMostTurn_deg = 1e6;
inline constexpr int kMostSteps = 10000;

/// [x, z].
std::array<double, 2> read_at(const Place& place);
/// `heading_deg`; 0 where it is left out.
double read_heading_rad(const Place& place);
/// {"amplitude_m", "wavelength_m", "seed"}.
segment::TerrainBumps read_bumps(const Place& place);
/// {"level_m", "edges", "slope", "rough", "heights"}, as a footstep plan and a run script have it.
segment::Terrain read_terrain(const Place& place);

}  // namespace shosa::documents
