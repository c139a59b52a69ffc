#pragma once

#include <span>

#include "shosa/submovement/decompose.h"

namespace shosa::submovement::detail {

/// Seed 003, section 3: positions in two stages (timings from the tangential speed, then displacements), rotations all
/// five parameters at once, by CMA-ES over E = alpha1 alpha2 alpha3 sum (Data - Original)^2 (eqs. 6-11). Rules are
/// checked by the caller.
Result<PositionDecomposition> seed_positions(std::span<const Vec3d> samples_m, double frame_time_s,
                                             const DecomposeParams& params);
Result<RotationDecomposition> seed_rotations(std::span<const Quatd> samples, double frame_time_s,
                                             const DecomposeParams& params);

}  // namespace shosa::submovement::detail
