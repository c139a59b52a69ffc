#pragma once

#include <vector>

#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

/// Goals this near to the reference ask for nothing: there the change, none, keeps clear of the smoothing around it. A
/// change this small is none.
inline constexpr double kUnasked_m = 1e-5, kUnasked_rad = 1e-5, kUnaskedWeight = 1e4;

/// 1 within, falling smoothly over the fade on both sides.
double share_of(const TimeInterval& within, double fade_s, double time_s);

/// What an edit asks for, frame by frame.
class EditGoals {
 public:
  EditGoals(const Clip& reference, const MotionEditParams& params);

  void aim(int frame);

  /// The reference in that frame.
  const Articulation& ghost() const { return ghost_; }
  /// One a pin, then one a drag.
  const std::vector<Goal>& all() const { return goals_; }
  /// Whether a goal leads its joint away from the reference, or only holds it.
  bool leads(std::size_t goal) const {
    return goal >= params_.pins.size() || params_.pins[goal].position_m.has_value();
  }
  /// The place that was asked for, which may be farther away than the body is led.
  const Vec3d& asked_m(std::size_t goal) const {
    return goal < params_.pins.size() ? goals_[goal].position_m : asked_m_[goal - params_.pins.size()];
  }
  /// Whether a goal is asked for in full in that frame: it does not fade.
  bool in_full(std::size_t goal) const;
  /// Whether the reference meets all of them as it is.
  bool ask_nothing() const;

 private:
  /// Where a joint is led whose body stands: no farther than people reach without leaving their feet.
  Vec3d led_to(JointIndex joint, JointIndex top, const Vec3d& asked_m) const;

  /// Of the body at a joint: how firmly what it is drawn to holds it there.
  double stiffness_at(JointIndex joint) const;

  double of_key(const DragLayer& layer, double time_s) const;

  const Clip& reference_;
  const MotionEditParams& params_;
  Articulation ghost_;
  std::vector<double> desired_;  ///< How firmly each joint keeps to the reference.
  double time_s_ = 0.0;
  std::vector<Vec3d> asked_m_;  ///< Of every drag.
  std::vector<double> leg_m_;   ///< Of every pin; 0 where it holds no leg.
  std::vector<Goal> goals_;
};

}  // namespace shosa::posing
