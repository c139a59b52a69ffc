#pragma once

#include <span>
#include <vector>

#include "demo/figure.h"
#include "shosa/analysis/foot_contacts.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/result.h"
#include "shosa/feet/ground.h"

namespace shosa::demo {

// What a stranger measures on a clip that was read from a file: forward kinematics and contacts, nothing that a solver
// said.

/// Mean horizontal speed of foot points while they stand, and the deepest foot point under its local ground.
struct FeetQuality {
  double slide_mps = 0.0;
  double penetration_m = 0.0;
};
/// What a motion that was made may have.
inline constexpr FeetQuality kGoodFeet = {.slide_mps = 0.01, .penetration_m = 0.005};
/// NaN where the body has no feet, so that no check passes.
FeetQuality feet_quality(const FigureClip& shown);
/// Where the feet should stand as they do in another clip of the same length and body.
FeetQuality feet_quality(const FigureClip& shown, const FigureClip& stands);

/// How a joint's path breaks between frames f - 1 and f: the two sides are carried on in straight lines to the middle.
struct Break {
  double position_m = 0.0;
  double velocity_mps = 0.0;
};
/// The worst joint. `frame` in [2, frames - 2].
Break break_at(const ClipPositions& positions, int frame, double frame_time_s);
/// The worst of all frames but those listed.
Break worst_break(const ClipPositions& positions, double frame_time_s, std::span<const int> except = {});

/// Largest change of the root's velocity from one frame to the next.
double root_velocity_step_mps(const FigureClip& shown);

/// Largest deviation from going on evenly, |x(f+1) - 2 x(f) + x(f-1)|, of every joint's place, and the same of its turn
/// relative to its parent.
struct Unevenness {
  std::vector<double> step_m;  ///< One per joint.
  std::vector<double> turn_deg;
  int worst_step_frame = 0;
  int worst_turn_frame = 0;
  void take_worst(const Unevenness& other);
};
Unevenness unevenness(const Clip& clip);
/// What of `made` lies over `source`, of the worst joint; 0 where nothing does. Sources that are smoother than people
/// who run count as those: legs of captured runs reach `kRunStep_m` and `kRunTurn_deg` at 60 Hz (CMU 127_03, 127_04 and
/// 09_01: 2.9 to 4.0 cm, 7.1 to 9 degrees).
struct Excess {
  double step_m = 0.0;
  double turn_deg = 0.0;
};
Excess excess(const Unevenness& made, const Unevenness& source, double least_step_m = 0.0, double least_turn_deg = 0.0);
inline constexpr double kRunStep_m = 0.03, kRunTurn_deg = 7.0;

/// Where a foot stood flat: ankle place where it is stillest in the longest time in which heel and toe stand.
struct Landing {
  std::string foot;  ///< As in analysis: "left".
  TimeInterval time;
  Vec3d ankle_m = Vec3d::Zero();
  double ground_m = 0.0;
};
/// Every stance of both feet by time.
std::vector<Landing> landings(const FigureClip& shown);

/// Largest distance of a role's joint between two clips of the same length; NaN where a role is not played.
double largest_distance_m(const FigureClip& a, const FigureClip& b, std::span<const body::Role> roles);
/// Largest turn of a role's joint in the world between two clips of the same length; NaN where a role is not played.
double largest_turn_deg(const FigureClip& a, const FigureClip& b, std::span<const body::Role> roles);
/// Largest distance of a role's joint from where it is in the first frame.
double largest_drift_m(const FigureClip& shown, std::span<const body::Role> roles);
/// Where a role's joint is at a time, by the nearest frame.
Vec3d place_at(const FigureClip& shown, body::Role role, double time_s);
/// The roles that are there, of those asked for.
std::vector<body::Role> roles_of(const body::BodyMap& map, std::initializer_list<body::Role> roles);

/// How far a joint is out of a human's range, in degrees: per frame, for every joint with a range.
struct RangeUse {
  std::vector<JointIndex> joints;
  std::vector<std::vector<double>> out_deg;  ///< [joint][frame]
  double worst_deg() const;
};
Result<RangeUse> range_use(const FigureClip& shown);

/// Deepest heel, ball or toe tip of any frame under a terrain, for the body that ships (its sole is 8 cm below the
/// ankle). Terrains of footstep plans lie at the level of the foot's lowest point: `kSole_m` over the floor.
double deepest_sole_m(const Clip& clip, const feet::GroundView& ground);
inline constexpr double kSole_m = 0.01;

/// Longest time in which no foot stands.
double longest_flight_s(const FigureClip& shown);

}  // namespace shosa::demo
