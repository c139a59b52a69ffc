#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/core/types.h"

namespace shosa::cli {

/// One line of a score as it is written.
struct ScoreLine {
  std::string clip;                  ///< File, relative to the score.
  std::string take;                  ///< Which clip of the file, by name or number; the first when empty.
  std::optional<TimeInterval> core;  ///< Analysed when empty.
  std::optional<double> at_s;        ///< "auto" when empty.
  bool keep_place = false;           ///< Stays where its clip has it, in the world of the clip before.
  std::map<std::string, std::vector<TimeInterval>> contacts;  ///< By foot ("left"); found where a foot is not named.
};

struct Score {
  double smoothness = 0.5;
  std::optional<double> fps;  ///< That of the first clip when empty.
  std::vector<ScoreLine> motions;
};

/// {"smoothness": 0.5, "motions": [{"clip": "a.bvh", "core": [b, e], "at": 0.0}, {"clip": "b.bvh", "at": "auto"}]}
/// Errors name the place in the text.
Result<Score> parse_score(std::string_view text, const std::string& file);

}  // namespace shosa::cli
