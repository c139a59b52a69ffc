#pragma once

#include "motions/dog.h"

namespace shosa::motions {

struct DogLegNames {
  std::string upper, middle, end, toes;
  bool front;
};
DogLegNames dog_leg_names(int leg);

/// Lengths of a leg, and the point that stands: the toe joint, or the tip of a front paw.
struct DogLegBuild {
  double upper_m = 0.0, lower_m = 0.0;
  Vec3d segment = Vec3d::Zero();  ///< From the joint above the paw to that point.
  Vec3d rest = Vec3d::Zero();     ///< Where it stands in the rest pose.
  bool front = false;
};

/// Where a paw stands or flies, and the pitch of its last segment.
struct Paw {
  Vec3d point = Vec3d::Zero();
  double pitch_rad = 0.0;
  bool stands = true;
  double air = 0.0;                   ///< Share of the swing that is over.
  Vec3d joint_above = Vec3d::Zero();  ///< Shoulder or hip that the leg reaches from, world.
};

/// The ways of the paws as the description gives them.
class Paws {
 public:
  Paws(const Skeleton& skeleton, const DogDescription& description);

  const DogLegBuild& build(int leg) const { return build_[leg]; }
  Paw at(int leg, double time_s, const DogPosture& posture) const;
  std::vector<TimeInterval> standing(int leg, double end_s) const;

 private:
  Paw walking(int leg, double time_s) const;
  Paw stepping(int leg, double time_s, const DogPosture& posture) const;

  const DogDescription& description_;
  std::array<DogLegBuild, 4> build_;
};

/// Lets a leg swing smoothly between its stances: elbow or knee, direction and wrist or hock are relaxed as a human's
/// leg is (`relax_swings`). The ways given leave and meet the ground with speeds that the standing leg does not have;
/// taken as they are, an elbow reverses within one frame.
void relax_paws(const DogLegBuild& build, std::vector<Paw>& way);

}  // namespace shosa::motions
