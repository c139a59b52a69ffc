#pragma once

#include <algorithm>
#include <vector>

#include "shosa/core/types.h"

namespace shosa::scenes {

/// Appends what of `interval` lies inside `whole`, unless nothing does.
inline void add_clipped(std::vector<TimeInterval>& list, const TimeInterval& interval, const TimeInterval& whole) {
  const TimeInterval part{std::max(interval.begin_s, whole.begin_s), std::min(interval.end_s, whole.end_s)};
  if (part.begin_s < part.end_s) list.push_back(part);
}

}  // namespace shosa::scenes
