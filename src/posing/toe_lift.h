#pragma once

#include "shosa/analysis/foot_contacts.h"
#include "shosa/core/clip.h"

namespace shosa::posing {

/// Step 4 of `keep_feet`: bends a toe joint up where its tip would be below the ground. Feet without a tip stay.
void lift_toes(Clip& clip, const analysis::FootContactTrack& foot, double ground_m, double envelope_s);

}  // namespace shosa::posing
