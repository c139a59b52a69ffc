#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "shosa/analysis/studied_clip.h"

namespace shosa::library {

/// A posture and how it moves, wherever the body stands and faces: what frames are compared by.
///
/// The body is seen from the ground below its hips, facing +Z, its left at +X, lengths times 0.85 m / leg length.
/// Millimetres; velocities are lengths travelled in `kAhead_s`. Entries:
///
///     0       height of the hips                     16-18  velocity of the hips
///     1-3     head                                   19-30  velocities of the feet and hands, likewise
///     4-15    left foot, right foot,                 31     turning: what a point `kTurnArm_m` from the axis travels
///             left hand, right hand
///
/// A quadruped's front feet are its hands. A part that the body map does not name lies at the hips. Heights count from
/// the ground under the feet (the mean of both grounds on stairs). Values are cut to +-4 m, so that sums of squares of
/// differences fit 31 bits.
inline constexpr int kFeatureCount = 32;
inline constexpr int kFeaturePoints = 6;  ///< Hips, head, feet, hands.
inline constexpr double kFeatureRate_hz = 30.0;
inline constexpr double kAhead_s = 0.2;
inline constexpr double kTurnArm_m = 0.25;
using Feature = std::array<std::int16_t, kFeatureCount>;

/// Root mean square over the six points, metres of a body with a leg of 0.85 m.
double feature_distance_m(const Feature& a, const Feature& b);
/// Left and right exchanged.
Feature mirrored(const Feature& feature);

/// Eight postures of a clip from the side, for thumbnails: 17 points each, forward and up from the ground below the
/// first posture's hips, in units of 2 cm (of a body with a leg of 0.85 m), the body's way left out.
inline constexpr int kStripPostures = 8;
inline constexpr int kStripPoints = 17;
/// The points, in their order, and which of them are joined by bones.
extern const std::array<body::Role, kStripPoints> kStripRoles;

struct NamedIntervals {
  std::string name;  ///< "left", "right", "front_left", …
  std::vector<TimeInterval> intervals;
};

/// What is known of one clip.
struct ClipFacts {
  std::string name;  ///< Inside its file; often empty.
  body::BodyKind kind = body::BodyKind::unknown;
  int joints = 0;
  int frames = 0;
  double fps = 0.0;
  double duration_s = 0.0;
  double unit_m = 1.0;  ///< Of the file.
  double scale = 1.0;   ///< Leg length / 0.85 m.
  double root_speed_mps = 0.0;
  double turn_deg = 0.0;  ///< From the first heading to the last, unwound; left is positive.
  std::vector<TimeInterval> flights;
  TimeInterval cycle;  ///< Empty (0 to 0) where none was found.
  TimeInterval core;   ///< What must survive when clips are joined.
  std::vector<NamedIntervals> contacts;
  double foot_skate_mps = 0.0;
  double penetration_m = 0.0;
  double mean_jerk_mps3 = 0.0;
  double peak_acceleration_mps2 = 0.0;
  std::vector<std::string> warnings;
  std::vector<Feature> features;   ///< At `kFeatureRate_hz`, from the clip's start on.
  std::vector<std::int8_t> strip;  ///< kStripPostures * kStripPoints * 2.

  bool has_cycle() const { return cycle.end_s > cycle.begin_s; }
  double flight_s() const;
};

/// O(frames * joints). Deterministic.
ClipFacts facts_of(const analysis::StudiedClip& studied);

/// Of a clip, at `kFeatureRate_hz`.
std::vector<Feature> features_of(const analysis::StudiedClip& studied);

/// The same, and what people say: person, human, dog, animal.
std::optional<body::BodyKind> find_kind(std::string_view name);

}  // namespace shosa::library
