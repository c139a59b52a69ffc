#pragma once

#include <string>

#include "shosa/segment/footsteps.h"

namespace shosa::documents {

/// A plan file for a clip: its steps, or what they are made from (docs/cli.md). Errors name the file and the place in
/// it.
Result<segment::StepPlan> read_footstep_plan(const std::string& path, const analysis::StudiedClip& studied);

/// The same from text; `path` is for messages.
Result<segment::StepPlan> parse_footstep_plan(const std::string& text, const std::string& path,
                                              const analysis::StudiedClip& studied);

}  // namespace shosa::documents
