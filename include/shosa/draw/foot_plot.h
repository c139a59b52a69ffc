#pragma once

#include "shosa/analysis/studied_clip.h"
#include "shosa/draw/canvas.h"

namespace shosa::draw {

/// Height and speed of each foot over time with its contacts shaded, and the speed of the hips.
/// `shown` is cut to the clip. Fails where the body has no feet, or nothing is left to show.
Result<Canvas> draw_feet_over_time(const analysis::StudiedClip& studied, const TimeInterval& shown, double width_px);

}  // namespace shosa::draw
