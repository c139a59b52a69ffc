#pragma once

#include "motions/body.h"

namespace shosa::motions {

/// A walk or run as a function of time, from `Gait`'s figures and a posture that it swings about.
///
/// Feet strike every `step_s`; each is set down so that the hips pass over it `behind_m` ahead in the middle of its
/// stance. Hips, trunk and arms swing with the step, in proportion to the speed. In a run (duty below one half) the
/// hips follow a 9.81 m/s² parabola while no foot stands.
class GaitMotion {
 public:
  GaitMotion(const Gait& gait, const Posture& posture, double duration_s);

  const std::array<FootScript, 2>& feet() const { return feet_; }
  bool running() const { return gait_.duty < 0.5; }
  double swing_s() const { return 2.0 * gait_.step_s * (1.0 - gait_.duty); }
  double stance_s() const { return 2.0 * gait_.step_s * gait_.duty; }
  double strike_s(int k) const { return gait_.first_s + k * gait_.step_s; }
  int side(int k) const { return (k % 2 == 0) == (gait_.first_side == left) ? left : right; }
  int first() const { return first_; }
  int last() const { return last_; }

  double speed(double time_s) const;
  double way(double time_s) const;

  /// Hips at a height of which only the bounce is meant; `highest_hips` says where that can be.
  UpperBody at(const Skeleton& skeleton, double time_s) const;

 private:
  std::vector<Via> run_swing(const Step& step) const;
  double bounce(double time_s) const;
  /// How much the body shifts from foot to foot: before the first step and after the last it stands.
  double stepping(double time_s) const;

  Gait gait_;
  Posture posture_;
  int first_ = 0, last_ = 0;
  std::array<FootScript, 2> feet_;
};

}  // namespace shosa::motions
