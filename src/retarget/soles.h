#pragma once

#include "retarget/reference.h"
#include "retarget/transfer.h"

namespace shosa::retarget {

/// How high one foot's points lie above its lowest one when it stands flat.
struct Sole {
  double heel_m = 0.0;  ///< The ankle. 0 for a paw, which stands on its toes alone.
  double toe_m = 0.0;
  double ground_m = 0.0;  ///< World y of the lowest point.
};

/// From the rest pose where that stands, else from the stances of `motion`. One per entry of `feet`.
/// A rest pose that stands on y = 0 says where the file's ground is; elsewhere the ground is that of the motion, or 0.
std::vector<Sole> find_soles(const Skeleton& skeleton, const Reference& reference,
                             const std::vector<body::FootPoints>& feet, const analysis::StudiedClip* motion);

/// Hip to ankle along the bones (of a quadruped to the tip of the toes), the mean of both legs; 0 when unknown.
double leg_reach_m(const Skeleton& skeleton, const body::BodyMap& map, const WorldPose& pose);

/// When and where the target's feet stand: the source's times on the target's points and ground. Feet that only one of
/// the two has are left out.
analysis::FootContacts target_contacts(const analysis::FootContacts& source, const std::vector<body::FootPoints>& feet,
                                       const std::vector<Sole>& soles, const Standing& standing, double target_leg_m);

/// Hands that stand on the floor in the source (cartwheels, crawling) as further feet of the target. Their height is
/// the wrist's, scaled.
void add_hand_contacts(const analysis::StudiedClip& source, const WorkBody& body, const Standing& standing,
                       double source_leg_m, analysis::FootContacts& contacts);

}  // namespace shosa::retarget
