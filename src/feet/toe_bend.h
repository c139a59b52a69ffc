#pragma once

#include <optional>
#include <vector>

#include "shosa/feet/stance_plan.h"

namespace shosa::feet {

/// Bends from one to another, radians.
struct BendRange {
  double first_rad = 0.0, last_rad = 0.0;

  bool holds(double rad) const { return rad >= first_rad && rad <= last_rad; }
  double nearest_rad(double rad) const { return rad < first_rad ? first_rad : rad > last_rad ? last_rad : rad; }
};

/// The toes of one frame: a bone that bends about one axis across the foot. A bend is a turn about it, from how they
/// are; above 0 it lifts the tip toward the knee.
struct ToeBend {
  Vec3d bone_m = Vec3d::Zero();  ///< From ball to tip.
  Vec3d axis = Vec3d::UnitX();   ///< Unit.
  BendRange range;               ///< What toes do; 0 is in it.

  Vec3d bent_m(double rad) const;
  /// The bend in `range` that takes the tip farthest along `up` (unit).
  double highest_rad(const Vec3d& up) const;
  /// The bends in `range` with a tip at least `height_m` above the ball: of two such stretches, toes bent up and toes
  /// bent down, the one nearer to `near_rad`. Where none is high enough, the highest alone; everything where a bend
  /// does not lift the tip.
  BendRange over(double height_m, double near_rad) const;
  /// The bend nearest to 0 with the tip at this height above the ball, or as near to it as bends come.
  double level_rad(double height_m) const;
};

/// A toe joint that carries its own tip, and the axis about which it bends.
struct Toes {
  JointIndex joint = kNoJoint;
  EndSite tip;
  Vec3d axis_in_parent = Vec3d::UnitX();
  std::vector<BendRange> range;  ///< One per frame.

  /// With the bone and the axis as a posture has them.
  ToeBend seen(const Skeleton& skeleton, const WorldPose& world, std::size_t frame) const;
};

/// Toes bend as far as people's do from how they lie in a flat foot, or as far as the motion itself has them.
/// Empty: a foot without a toe joint and tip, or whose toes never lie so that one could tell where up is.
std::optional<Toes> observe_toes(const Clip& clip, const FootPlan& plan);
/// `Toes::seen` in every frame of a motion.
std::vector<ToeBend> every_bend(const Clip& clip, const Toes& toes);

}  // namespace shosa::feet
