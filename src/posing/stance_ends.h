#pragma once

#include <vector>

#include "posing/foot_path.h"

namespace shosa::posing {

/// Takes the ends of stances out of the contacts where the captured foot is not at rest yet, or no longer.
///
/// A contact begins and ends while its foot still moves at up to 0.6 m/s. A foot that has to stand from the first of
/// these frames on comes down early and fast, and one that has to stand to the last of them leaves late and fast; the
/// knee shows it most. So frames are left out from both ends while the point that stands (the toe point over the
/// ground, or the heel where only that stands) moves faster than `params.still_mps`, for `params.ease_share` of the
/// stance and `params.ease_s` at most. Ends that the clip cuts stay. `heel_in_foot_m`: the heel of the sole in the
/// foot's frame.
void ease_stance_ends(const SourceFoot& source, const Vec3d& heel_in_foot_m, double frame_time_s,
                      const KeepFeetParams& params, std::vector<char>& heel_on, std::vector<char>& toe_on);

}  // namespace shosa::posing
