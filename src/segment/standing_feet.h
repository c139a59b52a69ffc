#pragma once

#include <string>
#include <vector>

#include "segment/point_body.h"
#include "shosa/analysis/studied_clip.h"

namespace shosa::segment {

/// One stance of one foot, in frames of the clip.
struct StillStance {
  int first = 0;       ///< The foot stands from here …
  int last = 0;        ///< … to here.
  int flat_first = 0;  ///< Heel and toe both stand from here …
  int flat_last = 0;   ///< … to here; the stance's middle where they never do.
  bool flat = true;    ///< False: they never do (cut by the clip's end); `turn` and `place_m` as if they did.
  int heel_first = 0;  ///< The heel stands from here to flat_first without a break.
  int ball_last = 0;   ///< The ball stands from flat_first to here without a break.
  Vec3d place_m = Vec3d::Zero();   ///< Of the ankle while flat.
  Quatd turn = Quatd::Identity();  ///< world_from_foot while flat.
  double ground_m = 0.0;           ///< World y of the lowest foot point (ankle, ball, tip) while flat.
  double heading_rad = 0.0;        ///< Where the foot points, about +Y, 0 = +Z.
};

/// A foot that stands still when it stands.
struct StandingFoot {
  std::string name;  ///< "left", "right", …, as in analysis.
  const Limb* limb = nullptr;
  std::vector<StillStance> stances;
  std::vector<Vec3d> place_m;          ///< Ankle, per frame.
  std::vector<Quatd> turn;             ///< world_from_foot, per frame.
  std::vector<Quatd> toe_local;        ///< parent_from_toes, per frame; empty where there are no toes.
  Vec3d heel_in_foot = Vec3d::Zero();  ///< The heel of the sole.
  Vec3d ball_in_foot = Vec3d::Zero();  ///< The ball; the ankle where there are no toes.
  Vec3d forward = Vec3d::UnitZ();   ///< Where the body goes, on the mean over the stances: what the foot rolls along.
  std::vector<Vec3d> tips_in_toes;  ///< End sites beyond the toes (or the foot, without toes).
};

/// What captured feet would do if they did not slide.
///
/// A stance has a flat part, in which the foot is frozen at its mean; before it the foot turns about the point that
/// stands (heel, or ball), after it about the ball (or heel), by the captured turning, while the toes stay on the
/// ground. What this changes at the ends of a stance is shared out over the swing by delta (path_coefficients.h).
/// Between neighbouring frames the point that stands does not move at all. O(frames).
struct StandingFeet {
  std::vector<StandingFoot> feet;
  double ground_m = 0.0;  ///< The clip's own (lowest) ground, as analysis finds it.
};
/// `body` must be of the same clip. Fails when no foot ever stands.
Result<StandingFeet> standing_feet(const analysis::StudiedClip& studied, const PointBody& body);

}  // namespace shosa::segment
