#pragma once

#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/skeleton.h"

namespace shosa::posing {

/// What moving a body costs: a turn of a joint the inertia of all that hangs on it, about it, and a shift of the whole
/// body its mass, so that the smallest change is the one of least kinetic energy. Masses are human_masses; a body that
/// is no humanoid has bones of one weight per metre. Measured on the rest pose.
struct BodyWeights {
  std::vector<double> inertia_m2;  ///< Per joint, for a body of mass 1: sum of mass * distance^2; > 0.
  std::vector<JointIndex> limbs;   ///< Where arms and legs meet the trunk: the limb is what hangs there.
  std::vector<JointIndex> arms;    ///< Those of them that hang free.
};
BodyWeights body_weights(const Skeleton& skeleton, const body::BodyMap& map);

}  // namespace shosa::posing
