#pragma once

#include <span>
#include <vector>

#include "segment/path_coefficients.h"
#include "shosa/core/types.h"

namespace shosa::segment {

/// Where and how fast a path is to end, as changes of what it does by itself.
struct EndChange {
  Vec3d position = Vec3d::Zero();  ///< d_n = y_0 - x_n.
  Vec3d velocity = Vec3d::Zero();  ///< Delta v_n = w_0 - v_n, per frame.
  bool has_velocity = false;       ///< False: only the position is asked for.
};

/// How far sample `i` (0..n + 1) moves. Depends on nothing but the coefficients of that sample.
Vec3d path_offset(const PathCoefficients& coefficients, EditMethod method, const EndChange& change, int i);

/// |x_{i+1} - x_i| for i = 0..n of samples 0..n + 1. Samples of a planted stretch count as at rest: `planted`, where
/// given, has one flag per sample, and r_i is 0 where samples i and i + 1 are both planted. Speeds at or below
/// `rest_speed` (per frame) are 0.
std::vector<double> path_speeds(std::span<const Vec3d> samples, std::span<const char> planted = {},
                                double rest_speed = 0.0);

/// Samples 0..n + 1 of a path that has n + 1 of them: the missing one repeats the last velocity.
std::vector<Vec3d> with_next_sample(std::span<const Vec3d> samples);

/// A path that is edited while it plays.
///
/// The rule: what has been played stays, and so does the velocity it was played with. A new end, given while sample k
/// is shown, changes only samples after k + 1; the change of the plan (not the plan) is spread by delta over the
/// samples that remain, with speeds weighed by a minimum-jerk ramp that begins with 0 at k and takes
/// `ramp_frames`. So a rest stays a rest, position and velocity do not jump, and the new end is met exactly. The
/// velocity still missing at the end is made up after the last rest (`tail_epsilon` of the remaining samples).
/// A path that rests for all of what remains is eased instead (`eased()`). No allocation after the constructor.
class PlayingPath {
 public:
  /// `samples` are 0..n + 1 and stay with the caller; `speeds` r_0..r_n. n >= 2 (assert).
  PlayingPath(std::span<const Vec3d> samples, std::vector<double> speeds, int ramp_frames = 12);

  int last() const { return static_cast<int>(offsets_.size()) - 2; }

  /// Asks for a new end while sample `now` is shown; -1: before the start, which is the plain two-step edit. False, and
  /// nothing changes, when fewer than three samples remain: then the end can no longer be met without a jump.
  bool set_end(int now, const EndChange& change);

  Vec3d offset(int i) const { return offsets_[i]; }
  Vec3d at(int i) const;
  bool eased() const { return eased_; }

 private:
  double share_out(int now);

  std::span<const Vec3d> samples_;
  std::vector<double> speeds_;
  std::vector<Vec3d> offsets_;
  std::vector<double> share_, tail_;
  int ramp_frames_;
  bool eased_ = false;
};

}  // namespace shosa::segment
