#pragma once

#include <vector>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::retarget {

/// A motion of a body, measured once.
struct MeasuredMotion {
  const Clip* clip = nullptr;
  ClipPositions positions;
  std::vector<double> headings_rad;
  analysis::FootContacts contacts;  ///< No feet: none stand, or the body has none.
};
MeasuredMotion measure_motion(const Clip& clip, const body::BodyMap& map);

}  // namespace shosa::retarget
