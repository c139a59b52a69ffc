#pragma once

#include <string>
#include <vector>

#include "shosa/blend/compose.h"
#include "shosa/blend/layers.h"
#include "shosa/documents/clip_file.h"
#include "shosa/documents/score.h"

namespace shosa::documents {

/// What a score asks for, read: every motion on the skeleton and at the rate of the first.
struct Stage {
  io::MotionFile first;
  std::vector<blend::ScoreMotion> motions;
  std::vector<std::string> names;  ///< Files, one per motion.
  std::vector<Clip> layer_clips;
  std::vector<blend::Layer> layers;   ///< Without their clips, which lie in `layer_clips`.
  std::vector<std::string> warnings;  ///< Each once.
};

/// Reads the clips of a score. `input` holds for every clip that does not say otherwise. Errors name the motion's place
/// in the score.
Result<Stage> read_stage(const Score& score, const std::string& score_file, const ClipOptions& input);

}  // namespace shosa::documents
