#pragma once

#include <span>
#include <string>

#include "shosa/blend/compose.h"

namespace shosa::cli {

/// Writes a time line of a composition (cores, contacts, blend intervals, methods) and below it the mean speed of upper
/// and lower body for the techniques optimal, constraint and pose.
Result<void> draw_composition(std::span<const blending::ScoreMotion> score, const blending::Composition& made,
                              const blending::ComposeParams& params, const std::string& path);

}  // namespace shosa::cli
