#pragma once

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/draw/plot.h"

namespace shosa::cli {

/// Height and speed of each foot over time with its contacts shaded, and the speed of the hips.
/// `shown` is cut to the clip. Fails where the body has no feet, or nothing is left to show.
Result<draw::Canvas> speed_plot(const Clip& clip, const body::BodyMap& map, const TimeInterval& shown, double width_px);

}  // namespace shosa::cli
