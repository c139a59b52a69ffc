#pragma once

#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/draw/canvas.h"
#include "shosa/posing/human_ranges.h"

namespace shosa::demo {

/// The regions of joint ranges, with where the posture at `at_s` of the clip lies in each.
Result<draw::Canvas> draw_ranges(const Clip& clip, const body::BodyMap& map,
                                 const std::vector<posing::HumanRange>& ranges, double at_s);

}  // namespace shosa::demo
