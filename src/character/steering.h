#pragma once

#include <optional>

#include "character/min_jerk.h"
#include "shosa/analysis/root_motion.h"
#include "shosa/core/ground_move.h"

namespace shosa::character {

/// Lays the plane that the graph is played on into the world, and turns and shifts it while the character goes.
///
/// Turning is about the feet that stand, so that a stance only twists. It is bounded by what looks right: the sideways
/// acceleration v w of a body in a bend, and how far a foot can twist in a stance.
class Steering {
 public:
  struct Wish {
    std::optional<double> heading_rad;  ///< To face; empty: as the clips go.
    Vec3d drift_mps = Vec3d::Zero();    ///< Shift of the body that the clips do not have.
    double twist_rad = 0.0;             ///< Of the trunk against the hips.
  };
  void begin(const analysis::GroundPlace& place);
  /// One step. `pivot_m`: what stands; `facing_rad` and `speed_mps` of the body now.
  void step(const Wish& wish, const Vec3d& pivot_m, double facing_rad, double speed_mps, double step_s);

  /// A push: from now on the plane moves by this too, as a pendulum over the feet does.
  void push(const Vec3d& velocity_mps) { pushed_mps_ += Vec3d(velocity_mps.x(), 0.0, velocity_mps.z()); }
  /// `offset_m`: how far the foot that brakes most stands ahead along the push (`braking_offset_m`); `pendulum_m`: its
  /// length.
  void fall(double offset_m, double pendulum_m, double step_s);
  const Vec3d& pushed_mps() const { return pushed_mps_; }
  /// Where a foot must come down, from where it would, to catch the push: v sqrt(h / g), as far as it can step.
  Vec3d capture_m(double longest_m, double pendulum_m) const;
  /// Cut to what so many steps of `longest_m` can catch, each of which takes g / h longest_m^2 from v^2; false when
  /// that was less.
  bool limit_push(double longest_m, int steps, double pendulum_m);

  const GroundMove& world_from_plane() const { return world_from_plane_; }
  double turn_radps() const { return turn_.value[0]; }
  Vec3d drift_mps() const { return Vec3d(drift_.value[0], 0.0, drift_.value[1]) + pushed_mps_; }
  bool idle() const { return turn_.is_zero() && drift_.is_zero() && pushed_mps_.isZero(0.0); }

  static double most_turn_radps(double speed_mps);
  void visit_state(StateBytes& bytes) {
    bytes(world_from_plane_.yaw_rad, world_from_plane_.shift_m, turn_, drift_, pushed_mps_);
  }

 private:
  GroundMove world_from_plane_;
  MinJerk<1> turn_;
  MinJerk<2> drift_;
  Vec3d pushed_mps_ = Vec3d::Zero();
};

}  // namespace shosa::character
