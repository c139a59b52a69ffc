#pragma once

#include <span>

#include "shosa/blend/compose.h"
#include "shosa/draw/canvas.h"

namespace shosa::demo {

/// A time line of a composition (cores, contacts, blend intervals, methods) and below it the mean speed of upper
/// and lower body for the techniques optimal, constraint and pose.
Result<draw::Canvas> draw_composition(std::span<const blend::ScoreMotion> score, const blend::Composition& made,
                                      const blend::ComposeParams& params);

}  // namespace shosa::demo
