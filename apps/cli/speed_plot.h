#pragma once

#include "shosa/core/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/draw/plot.h"

namespace shosa::cli {

/// Height and speed of each foot over time with its contacts shaded, and the speed of the hips.
/// Fails where the body has no feet.
Result<draw::Canvas> speed_plot(const Clip& clip, const BodyMap& map, double width_px);

}  // namespace shosa::cli
