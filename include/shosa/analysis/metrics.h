#pragma once

#include <span>
#include <vector>

#include "shosa/analysis/studied_clip.h"

namespace shosa::analysis {

// Quality figures of a motion. Formulas and sources: docs/methods/metrics.md

struct MotionQuality {
  bool has_feet = false;                ///< False: the first three figures are 0.
  double foot_skate_mps = 0.0;          ///< Mean horizontal speed of standing foot points over their contact frames.
  double penetration_m = 0.0;           ///< Deepest foot point below its local ground.
  double mean_penetration_m = 0.0;      ///< Mean over frames of the deepest foot point then.
  double mean_jerk_mps3 = 0.0;          ///< Mean over joints and frames of |third difference| / dt^3.
  double peak_acceleration_mps2 = 0.0;  ///< Largest |second difference| / dt^2 of any joint in any frame.
};
/// The contacts say when feet should stand: those of the clip itself, or of the motion it was made from.
MotionQuality measure_quality(const StudiedClip& studied);

/// Distance from a true motion, as the LAFAN1 benchmark defines it (positions in metres, not normalised by training
/// data).
struct ReferenceError {
  double l2p_m = 0.0;  ///< Mean over frames of the norm of all joints' global position differences.
  double l2q = 0.0;    ///< Mean over frames of the norm of all joints' global quaternion differences.
  double npss = 0.0;   ///< Normalised power spectrum similarity of the global quaternions; 0 is equal.
};
/// Fails when joint names or parents, frame counts or frame times (beyond 0.1 %) differ; resample or cut first.
Result<ReferenceError> compare_with_reference(const Clip& clip, const Clip& reference);

/// |Re DFT|^2 per frequency, any length, O(n log n). The spectrum NPSS is made of.
std::vector<double> real_power_spectrum(std::span<const double> signal);

}  // namespace shosa::analysis
