#pragma once

#include <vector>

#include "shosa/analysis/studied_clip.h"

namespace shosa::segment {

/// One flag per frame `first`..`last` in which a foot, or its toes, stands; frames beyond the clip repeat its last.
/// Empty where the joint is no foot.
std::vector<char> planted_flags(const analysis::StudiedClip& studied, JointIndex joint, int first, int last);

}  // namespace shosa::segment
