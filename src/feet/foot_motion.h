#pragma once

#include <vector>

#include "feet/toe_bend.h"
#include "shosa/body/two_bones.h"
#include "shosa/feet/stance_plan.h"

namespace shosa::feet {

/// One leg of a motion as the solve sees it. World, metres, one entry per frame.
struct FootMotion {
  body::TwoBones bones;
  bool has_ball = false, has_heel = false;
  std::vector<Vec3d> hip_m, ankle_m;
  std::vector<Vec3d> ball_m;             ///< The ankle where the foot has no ball.
  std::vector<Vec3d> heel_m;             ///< Heel of the sole; the ankle where the foot has none.
  std::vector<Vec3d> tip_m;              ///< Tip of the toes, where it is to stay out of the ground; else empty.
  std::vector<ToeBend> toes;             ///< Where toes will be bent: their tip can stay out of the ground; else empty.
  std::vector<Quatd> rotation;           ///< world_from_foot.
  std::vector<double> thigh_m, shank_m;  ///< Bones of some files change their length.
  std::vector<double> knee_rad;          ///< Between thigh and shank; < 0 where the knee is bent to the other side.
  double straightest_rad = 0.0;          ///< The least size of `knee_rad` …
  double most_overstretched_rad = 0.0;   ///< … and the least below 0.
};

/// The heel of the sole, `heel_rest_m` below the ankle and behind it, in the foot's frame: the mean over the frames in
/// `flat`; over all where it has none. `scale`: leg length / 0.85 m.
Vec3d heel_in_foot_m(const FootMotion& foot, const std::vector<char>& flat, double heel_rest_m, double scale);

/// Everything but `heel_m`, which is set to the ankle. Fails when the foot does not hang on its leg.
Result<FootMotion> observe_foot(const Clip& clip, const ClipPositions& positions, const body::FootPoints& points);
/// The same with the heel; flat frames are those in which `plan` gives a rotation.
Result<FootMotion> observe_foot(const Clip& clip, const ClipPositions& positions, const FootPlan& plan, double scale);

}  // namespace shosa::feet
