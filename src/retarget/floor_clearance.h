#pragma once

#include <array>
#include <vector>

#include "retarget/work_body.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::retarget {

/// Keeps hands and fingers above the floor: arms that are long for their body would go through it where the
/// source's hands come near. One per thread.
///
/// The lowest point of a hand, at height h over the floor, is brought to h where that is above a margin m, onto the
/// floor where it is below -m, and to (m + h)² / 4m between, so that its speed does not jump. For that the wrist is
/// drawn toward the shoulder by the smallest share that does it: the elbow bends to the side to which it is bent
/// already, a straight one backward, and the hand goes with the forearm; large shares also turn the arm outward. The
/// share follows from the posture alone. Elbows are not asked: those of a body that lies are on the floor.
class FloorClearance {
 public:
  FloorClearance(const WorkBody& body, double ground_m);

  /// True when an arm was changed; rotations of upper arm and forearm alone are. An arm whose shoulder is too low
  /// gets the share that brings it highest.
  bool lift(Pose& pose);

 private:
  struct Point {
    JointIndex joint = kNoJoint;
    Vec3d offset_m = Vec3d::Zero();  ///< In the joint's frame.
  };
  struct Arm {
    JointIndex upper = kNoJoint, lower = kNoJoint, hand = kNoJoint;
    std::vector<Point> points;  ///< All beyond the elbow: fingers hang on the forearm in some rigs.
    double margin_m = 0.0;
  };
  /// World rotations of the arm's bones and the places they lead to.
  struct Drawn {
    Quatd upper, lower;
    Vec3d elbow_m, wrist_m;
  };
  /// In the world.
  struct Ways {
    Vec3d bend = Vec3d::Zero();        ///< To where the elbow goes.
    Vec3d turn_axis = Vec3d::UnitZ();  ///< About which the arm is spread.
  };
  Drawn draw_in(const Arm& arm, const Ways& ways, double share) const;
  double lowest_m(const Arm& arm, const Drawn& drawn) const;
  bool lift_arm(const Arm& arm, Pose& pose);

  const WorkBody& body_;
  double ground_m_;
  std::array<Arm, 2> arms_;
  WorldPose world_;
};

}  // namespace shosa::retarget
