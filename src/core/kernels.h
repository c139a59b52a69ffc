#pragma once

#include <cstddef>

#include "shosa/core/types.h"

// The inner loops, on raw lanes (see lanes.h). Compiled for several instruction sets, chosen at run time; none uses
// fused multiply-add or approximate reciprocals, so that every machine gives the same bits.

namespace shosa::kernels {

/// Normalised linear interpolation along the shorter arc, `blocks` blocks of rotation lanes. `weight` is in
/// [0, 1]: its sign is lost. `out` may alias an input.
void nlerp_rotations(const float* a, const float* b, float weight, int blocks, float* out);

/// out = a + (b - a) * weight. `out` may alias an input.
void lerp_values(const float* a, const float* b, float weight, std::ptrdiff_t count, float* out);

/// Column-major world_from_joint matrices, 16 floats each. Parents come before their children; parents[0] < 0.
void world_matrices(const float* rotations, const float* translations, const JointIndex* parents, int joint_count,
                    float* matrices);

}  // namespace shosa::kernels
