#pragma once

#include "blend/foot_setup.h"

namespace shosa::blend {

/// Puts the next motion onto the ground (section 4.1 of the seed, last paragraph: support foot and heading of the
/// body) and returns where each foot that stands meets itself; one entry per foot, empty for the others.
std::vector<FootMeeting> place_next(SourceFeet& feet, Junction& junction);

}  // namespace shosa::blend
