#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/blend/compose.h"
#include "shosa/blend/layers.h"
#include "shosa/documents/clip_source.h"

namespace shosa::documents {

/// One motion of a score as it is written.
struct ScoreLine : ClipReference {
  std::optional<TimeInterval> core;  ///< Analysed when empty.
  std::optional<double> at_s;        ///< "auto" when empty.
  bool keep_place = false;           ///< Stays where its clip has it, in the world of the clip before.
  blend::GivenBlends blend;          ///< Into it, by hand.
};

/// A clip over what was composed.
struct ScoreLayer : ClipReference {
  blend::ClipLayer layer;              ///< Without clip and mask.
  std::string mask;                    ///< "upper_body", "lower_body", or empty.
  std::vector<body::Role> mask_roles;  ///< Instead: these and what hangs on them.
};

/// {"smoothness": 0.5, "motions": [{"clip": "a.bvh", "core": [b, e], "at": 0.0}, {"clip": "b.bvh", "at": "auto"}]}
struct Score {
  std::string file;  ///< For messages; empty: no file, the clips were named otherwise.
  double smoothness = 0.5;
  blend::Technique technique = blend::Technique::optimal;  ///< `method`
  bool bridge = true;                                      ///< Gaps between clips are bridged by both ends' velocities.
  std::optional<double> fps;                               ///< That of the first clip when empty.
  std::vector<ScoreLine> motions;
  std::vector<ScoreLayer> layers;
  std::optional<TimeInterval> trim;  ///< The part of the whole that is wanted, in its time.
  std::optional<double> duration_s;  ///< Or its length from the start on.
};

/// Farthest from 0 that a score may put a motion: an hour.
inline constexpr double kLatestMotion_s = 3600.0;

Result<Score> parse_score(std::string_view text, const std::string& file);

/// What a score became.
struct ComposedScore {
  io::MotionFile motion;           ///< What is wanted of the composition, in the form of the first clip's file.
  double begin_s = 0.0;            ///< Of `motion`, in the time of the composition.
  blend::Composition composition;  ///< The whole; its clip has the score's layers.
  std::vector<blend::ScoreMotion> motions;  ///< On the body and at the rate of the first.
  std::vector<std::string> names;           ///< Of them, as the source calls them.
  blend::ComposeParams params;
  Notes warnings;  ///< Each once.
};
/// Clips are cleaned as the source says (`ClipOptions::as_captured`), each once; those of other bodies are retargeted
/// onto that of the first. Errors name the motion's place in the score.
Result<ComposedScore> evaluate(const Score& score, const ClipSource& source);

}  // namespace shosa::documents
