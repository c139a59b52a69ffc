#pragma once

#include <string>
#include <vector>

#include "shosa/analysis/studied_clip.h"

namespace shosa::analysis {

// What the eye sees of the body above the feet. Formulas and reasons: docs/methods/metrics.md

/// One knee or elbow over a clip, one entry per frame.
struct HingeMotion {
  std::string name;              ///< "left knee", "right elbow".
  bool is_knee = true;           ///< Otherwise an elbow.
  std::vector<double> bend_rad;  ///< Between the two bones; 0 is straight.
  std::vector<double> kink_rad;  ///< |Second difference| of the bend over `kKink_s`; 0 where the clip has no neighbour.
  std::vector<char> flips;       ///< 1: its plane turned over since the frame before.
};

/// How a body moves, one entry per frame. World.
struct BodyMotion {
  double frame_time_s = 0.0;
  std::vector<Vec3d> com_velocity_mps;       ///< Centre of mass by segment masses, smoothed by `kComSmoothing_s`.
  std::vector<Vec3d> com_acceleration_mps2;  ///< Of the same.
  std::vector<HingeMotion> hinges;           ///< Those that the body map names.
  std::vector<double> ball_bend_rad;         ///< Toes against the foot, the larger of both feet, off its median.
};

/// Spans that the figures are defined with.
inline constexpr double kComSmoothing_s = 0.04;  ///< Standard deviation of a Gaussian: a step's push lasts 0.1 s.
inline constexpr double kKink_s = 1.0 / 60.0;    ///< A frame of a screen.

/// O(frames * joints).
BodyMotion observe_body(const StudiedClip& studied);

/// The largest values over some frames.
struct BodyFigures {
  double com_acceleration_mps2 = 0.0;  ///< Over the ground. A person on their feet does about 10.
  double com_fall_mps2 = 0.0;          ///< Downward; nobody falls faster than 9.81.
  double com_speed_mps = 0.0;          ///< Over the ground.
  double knee_kink_rad = 0.0;
  double elbow_kink_rad = 0.0;
  double mean_knee_bend_rad = 0.0;  ///< The mean, not the largest.
  double ball_bend_rad = 0.0;
  int plane_flips = 0;  ///< Knees and elbows that turn over: how often.
};
/// Over frames `first` to `last`, cut to the clip. The centre of mass counts from 3 `kComSmoothing_s` inside the clip's
/// ends on, where its smoothing knows both sides.
BodyFigures measure_body(const BodyMotion& motion, int first, int last);
/// Over the whole clip.
BodyFigures measure_body(const StudiedClip& studied);

/// What an edit did to a body, frame by frame against the motion that it was made from.
struct BodyChange {
  double knee_kink_rad = 0.0;  ///< Largest kink of a knee beyond the source's in the same frame …
  double elbow_kink_rad = 0.0;
  double knee_change_rad = 0.0;       ///< Largest change of a knee's bend.
  double mean_knee_change_rad = 0.0;  ///< Of the mean bend: > 0 where the result crouches more.
};
/// Hinges are compared by name. Fails when the frame counts differ.
Result<BodyChange> compare_bodies(const BodyMotion& result, const BodyMotion& source);

}  // namespace shosa::analysis
