#pragma once

#include <string>
#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/body/foot_points.h"
#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/result.h"

namespace shosa::analysis {

/// Finds when each foot stands, for heel and toe apart and together.
///
/// 1. Positions are low-passed lightly; the speed of a point is the smaller of the differences taken forward and
///    backward over `difference_s`, which keeps the edges of a stance sharp.
/// 2. Stretches in which heel or toe is slow are rests. The lowest level of a rest is the ground under that foot then.
/// 3. A rest counts when its level is near the clip's own ground, or when it carries the body: while it lasts, no other
///    foot stands lower. That takes in stairs and slopes and leaves out a leg held in the air.
/// 4. Within a rest that counts, a contact of the heel or the toe is a run of frames below the `leave_` bounds of
///    height above that ground and of speed, with at least one frame below the `enter_` bounds.
/// 5. A stretch of up to 0.35 s in which no foot stands is given to a neighbouring stance whose foot stays slow and
///    low in it.
/// 6. Gaps shorter than `close_gap_s` are closed, the slow edges inside a stance (heel off, toe down) are trimmed to
///    `edge_speed_mps`, contacts shorter than `min_duration_s` dropped.
///
/// The heel is a point of the sole 8 cm below and 4.5 cm behind the ankle (scaled), which stands still while the ankle
/// still rolls over it; the toe is the ball or the tip, whichever rests. A foot without toes is its ankle alone.
/// Heights are scaled by s = leg length / 0.85 m (sqrt(s) for smaller bodies, as noise does not shrink), speeds by the
/// square root of that. O(frames log frames + rests^2). Deterministic.
/// Not handled: moving ground, rolling shoes. Figures and failure cases: docs/methods/foot_contacts.md
struct FootContactParams {
  bool hands = false;             ///< Also the hands of a humanoid.
  double enter_height_m = 0.020;  ///< Above the point's resting height; <= leave_height_m.
  double leave_height_m = 0.030;
  double enter_speed_mps = 0.35;  ///< <= leave_speed_mps.
  double leave_speed_mps = 0.60;
  double level_tolerance_m = 0.06;   ///< How far a rest may lie above the clip's ground and count without proof.
  double still_tolerance_m = 0.10;   ///< The same for rests slower than `support_speed_mps` by their median.
  double support_speed_mps = 0.15;   ///< A point that hardly moves.
  double carry_speed_mps = 0.25;     ///< Median speed up to which a rest above the tolerances can carry the body.
  double edge_speed_mps = 0.20;      ///< Below it a heel leaves and a toe comes down while the other stands.
  double smoothing_s = 0.008;        ///< Standard deviation of the low-pass; 0 switches it off.
  double difference_s = 1.0 / 60.0;  ///< Span of a speed; at least one frame is used.
  double close_gap_s = 0.05;
  double min_duration_s = 0.05;  ///< Contacts cut by the clip's ends may be shorter.
};

/// One stance of one foot.
struct FootContact {
  TimeInterval time;
  double ground_m = 0.0;  ///< World y of the lowest foot point (toe, tip or heel) while it stands: the local ground.
};

struct FootContactTrack {
  body::FootPoints points;
  std::vector<TimeInterval> heel;    ///< Sorted, disjoint. Empty when the foot has no heel point.
  std::vector<TimeInterval> toe;     ///< Sorted, disjoint. Empty when the foot has no toe point.
  std::vector<TimeInterval> joined;  ///< Heel or toe: when the foot stands.
  std::vector<FootContact> stances;  ///< `joined`, with the ground under each.
  double heel_rest_m = 0.0;          ///< Height of the heel point above the local ground in a flat stance.
  double toe_rest_m = 0.0;           ///< Same for the toe point.
};

struct FootContacts {
  std::vector<FootContactTrack> feet;  ///< In the order of `find_foot_points`.
  double ground_m = 0.0;               ///< The clip's own (lowest) ground.
  double scale = 1.0;                  ///< Leg length / 0.85 m.
  int dropped = 0;                     ///< Diagnostic: runs shorter than `min_duration_s`.
  int closed = 0;                      ///< Diagnostic: gaps shorter than `close_gap_s`.
  int unsupported = 0;                 ///< Diagnostic: rests that were high and carried nothing.

  /// By `FootPoints::name`; null when there is no such foot.
  const FootContactTrack* find(std::string_view name) const;
};

/// Fails when a rule above is broken (the error names it) or the body map knows no feet.
Result<FootContacts> find_foot_contacts(const Clip& clip, const ClipPositions& positions, const body::BodyMap& map,
                                        const FootContactParams& params = {});

/// Times in which no foot of the list stands. Contacts end and begin on frames, so feet that take turns from one frame
/// to the next leave a gap of one frame: give `longer_than_s` a frame and a half to leave those out.
std::vector<TimeInterval> flight_intervals(const FootContacts& contacts, const TimeInterval& whole,
                                           double longer_than_s = 0.0);
/// Times in which at least two feet stand.
std::vector<TimeInterval> double_support(const FootContacts& contacts);

}  // namespace shosa::analysis
