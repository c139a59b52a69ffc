#include "retarget/measured_motion.h"

#include <utility>

#include "shosa/analysis/heading.h"

namespace shosa::retarget {

MeasuredMotion measure_motion(const Clip& clip, const body::BodyMap& map) {
  MeasuredMotion motion{.clip = &clip, .positions = clip_positions(clip)};
  motion.headings_rad = analysis::clip_headings_rad(clip, motion.positions, map);
  if (auto contacts = analysis::find_foot_contacts(clip, motion.positions, map)) motion.contacts = std::move(*contacts);
  return motion;
}

}  // namespace shosa::retarget
