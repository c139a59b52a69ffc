#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/blend/layers.h"
#include "shosa/core/result.h"
#include "shosa/core/types.h"

namespace shosa::documents {

/// A clip that a score names, and how its file is to be read where that is not as usual.
struct ScoreClip {
  std::string clip;                ///< File, relative to the score.
  std::string take;                ///< Which clip of the file, by name or number; the first when empty.
  std::optional<bool> drop_tpose;  ///< True when empty: an added T-pose is no part of a motion.
  std::optional<std::string> unit, up, body_map, asf;
  std::optional<double> fps_is;
};

/// One motion of a score as it is written.
struct ScoreLine : ScoreClip {
  std::optional<TimeInterval> core;  ///< Analysed when empty.
  std::optional<double> at_s;        ///< "auto" when empty.
  bool keep_place = false;           ///< Stays where its clip has it, in the world of the clip before.
  std::map<std::string, std::vector<TimeInterval>> contacts;  ///< By foot ("left"); found where a foot is not named.
};

/// A clip over what was composed.
struct ScoreLayer : ScoreClip {
  blend::Layer layer;                  ///< Without clip and mask.
  std::string mask;                    ///< "upper_body", "lower_body", or empty.
  std::vector<body::Role> mask_roles;  ///< Instead: these and what hangs on them.
};

struct Score {
  double smoothness = 0.5;
  bool bridge = true;         ///< Gaps between clips are bridged by both ends' velocities.
  std::optional<double> fps;  ///< That of the first clip when empty.
  std::vector<ScoreLine> motions;
  std::vector<ScoreLayer> layers;
};

/// Farthest from 0 that a score may put a motion: an hour.
inline constexpr double kLatest_s = 3600.0;

/// {"smoothness": 0.5, "motions": [{"clip": "a.bvh", "core": [b, e], "at": 0.0}, {"clip": "b.bvh", "at": "auto"}]}
/// Errors name the place in the text.
Result<Score> parse_score(std::string_view text, const std::string& file);

}  // namespace shosa::documents
