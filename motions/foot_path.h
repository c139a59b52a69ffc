#pragma once

#include "motions/description.h"
#include "shosa/body/leg_proportions.h"

namespace shosa::motions {

// Measures of `scenes::humanoid()`'s foot.
inline const Vec3d kBallFromAnkle(0.0, -0.06, 0.13);
inline const Vec3d kHeelFromAnkle(0.0, -body::kHeelBelowAnkle_m, -body::kHeelBehindAnkle_m);
inline const Vec3d kTipFromBall(0.0, -0.01, 0.07);
inline constexpr double kAnkleHeight_m = body::kHeelBelowAnkle_m;

struct FootState {
  Vec3d ankle = Vec3d::Zero();
  double pitch_rad = 0.0;      ///< Positive with the heel up.
  double toe_pitch_rad = 0.0;  ///< Of the toes against the foot.
  double yaw_rad = 0.0;
  bool stands = true;
  bool free_air = false;  ///< On a way of its own (kick): the hips need not follow.
  // In the air, see `relax_swings`:
  double air = 0.0;          ///< Share of the swing that is over.
  double clear_m = 0.0;      ///< Wanted between sole and ground in the middle.
  double ground_m = 0.0;     ///< The lower of the grounds left and met.
  double guide_share = 0.5;  ///< How closely the way is kept to.
};

Quatd foot_rotation(const FootState& state);

/// Lowest point of the sole, world.
double lowest_m(const FootState& state);

/// The way of one foot through a script: still while it stands, rolled over heel and ball, smooth through the air.
class FootPath {
 public:
  explicit FootPath(FootScript script) : script_(std::move(script)) {}

  FootState at(double time_s) const;
  const FootScript& script() const { return script_; }

  /// When heel, ball or either is still, within [0, end_s].
  std::vector<TimeInterval> heel_contacts(double end_s) const;
  std::vector<TimeInterval> toe_contacts(double end_s) const;

 private:
  const Foothold& hold_after(int steps) const;
  /// State on the ground after `steps` steps.
  FootState standing(int steps, double time_s) const;
  FootState flying(const Step& step, int index, double time_s) const;

  FootScript script_;
};

}  // namespace shosa::motions
