#pragma once

#include <array>

#include "retarget/work_body.h"
#include "shosa/posing/pin_drag_solver.h"

namespace shosa::retarget {

/// Where a hand is asked to be, and how much.
struct Hold {
  Vec3d place_m = Vec3d::Zero();
  double weight = 0.0;  ///< 0: the hand is free.
};

struct HandHolds {
  std::array<Hold, 2> holds;  ///< Left, right.
};

/// Brings the hands of single postures to their places by upper arm, forearm and wrist. One per thread.
class ArmSolver {
 public:
  explicit ArmSolver(const WorkBody& body);
  void solve(const HandHolds& frame, Pose& pose);

 private:
  const WorkBody& body_;
  posing::PinDragSolver solver_;
};

}  // namespace shosa::retarget
