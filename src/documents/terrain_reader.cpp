#include "documents/terrain_reader.h"

#include <cmath>

#include "shosa/core/angles.h"

namespace shosa::documents {

std::array<double, 2> read_at(const Place& place) {
  const std::vector<double> at = place.numbers(2, "[x, z]");
  if (at.size() != 2) return {};
  if (!(std::abs(at[0]) <= kFarthestStep_m && std::abs(at[1]) <= kFarthestStep_m)) {
    place.expected(fmt::format("[x, z] within {} km", kFarthestStep_m / 1000.0));
  }
  return {at[0], at[1]};
}

double read_heading_rad(const Place& place) {
  double heading_deg = 0.0;
  place.read("heading_deg", heading_deg, -kMostTurn_deg, kMostTurn_deg);
  return heading_deg * kRadPerDeg;
}

segment::TerrainBumps read_bumps(const Place& place) {
  place.only({"amplitude_m", "wavelength_m", "seed"});
  segment::TerrainBumps bumps;
  int seed = 1;
  place.read("amplitude_m", bumps.amplitude_m, 0.0, kFarthestStep_m);
  place.read("wavelength_m", bumps.wavelength_m, kAboveZero);
  place.read("seed", seed, 0, kMostSteps);
  bumps.seed = static_cast<unsigned>(seed);
  return bumps;
}

namespace {

segment::TerrainField read_heights(const Place& place) {
  place.only({"at", "spacing_m", "rows"});
  segment::TerrainField field;
  const auto [x, z] = read_at(place.at("at"));
  field.x_m = x, field.z_m = z;
  field.spacing_m = place.at("spacing_m").number(1e-3, kFarthestStep_m);
  for (const Place& row : place.at("rows").list(2)) {
    const std::vector<Place> heights = row.list(2);
    if (field.columns == 0) field.columns = static_cast<int>(heights.size());
    if (static_cast<int>(heights.size()) != field.columns) {
      row.wrong(fmt::format("{} heights, expected {} as in the first row", heights.size(), field.columns));
      break;
    }
    for (const Place& height : heights) field.heights_m.push_back(height.number(-kFarthestStep_m, kFarthestStep_m));
  }
  return field;
}

}  // namespace

segment::Terrain read_terrain(const Place& place) {
  place.only({"level_m", "edges", "slope", "rough", "heights"});
  segment::Terrain terrain;
  place.read("level_m", terrain.level_m, -kFarthestStep_m, kFarthestStep_m);
  for (const Place& edge : place.list_or_none("edges")) {
    edge.only({"at", "heading_deg", "rise_m"});
    const auto [x, z] = read_at(edge.at("at"));
    terrain.edges.push_back(
        {x, z, read_heading_rad(edge), edge.at("rise_m").number(-kFarthestStep_m, kFarthestStep_m)});
  }
  if (place.has("slope")) {
    const Place slope = place.at("slope");
    slope.only({"at", "heading_deg", "percent"});
    const auto [x, z] = read_at(slope.at("at"));
    terrain.slope = {x, z, read_heading_rad(slope),
                     slope.at("percent").number(-kMostSlope_percent, kMostSlope_percent) / 100.0};
  }
  if (place.has("rough")) terrain.bumps = read_bumps(place.at("rough"));
  if (place.has("heights")) terrain.field = read_heights(place.at("heights"));
  return terrain;
}

}  // namespace shosa::documents
