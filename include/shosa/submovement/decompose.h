#pragma once

#include <cstdint>
#include <span>

#include "shosa/core/result.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement {

enum class Solver {
  fast,    ///< Variable projection with analytic gradients; chooses the count. The default.
  cma_es,  ///< The seed's method: CMA-ES over its weighted cost. The reference, hundreds of times slower.
};

/// Splits the path of a point, or the turning of a frame, into minimum-jerk submovements.
///
/// `fast` looks for the fewest submovements whose model stays within `max_error`; where a few more explain everything
/// down to the noise of the samples, for these. Motion before the first and after the last sample may belong to a
/// submovement: t0 can be negative and tf beyond the end. Time and memory grow with the number of samples.
/// Deterministic. How it works, how well and where it fails: docs/methods/submovements.md
struct DecomposeParams {
  Solver solver = Solver::fast;
  double max_error_m = 0.005;           ///< Positions: root mean square of the distance; > 0.
  double max_error_rad = 0.0349065850;  ///< Rotations: root mean square of the angle, 2 degrees; > 0.
  double min_duration_s = 0.1;          ///< Of a submovement; > 0.
  double min_gap_s = 0.0;               ///< Of the starts of two displacements (fast, positions); >= 0.
  double max_duration_s = 12.0;         ///< Of a displacement; > min_duration_s.
  double max_turn_s = 4.0;              ///< Of a turn; > min_duration_s.
  bool thorough = true;                 ///< fast: also rearrange to do with fewer; several times slower.
  int count = 0;                        ///< cma_es: how many; 0: one more at a time until within the bound, at most 6.
  long max_evaluations = 60000;         ///< cma_es: of its cost, for each count; >= 1.
  std::uint64_t seed = 1;               ///< cma_es.
};

struct PositionDecomposition {
  PositionModel model;
  double rms_m = 0.0;        ///< Of the distance between samples and model.
  double max_error_m = 0.0;  ///< Largest distance.
  double noise_m = 0.0;      ///< Estimated standard deviation of the samples, per axis.
  long evaluations = 0;      ///< Of a cost, over all trials.
};

struct RotationDecomposition {
  RotationModel model;
  double rms_rad = 0.0;  ///< Of the angle between samples and model.
  double max_error_rad = 0.0;
  double noise_rad = 0.0;
  long evaluations = 0;
};

/// Sample i stands at i * frame_time_s. One sample is a model without submovements.
/// Fails when there is no sample, a value is not finite, a rotation is zero, or a rule above is broken.
Result<PositionDecomposition> decompose_positions(std::span<const Vec3d> samples_m, double frame_time_s,
                                                  const DecomposeParams& params = {});
Result<RotationDecomposition> decompose_rotations(std::span<const Quatd> samples, double frame_time_s,
                                                  const DecomposeParams& params = {});

}  // namespace shosa::submovement
