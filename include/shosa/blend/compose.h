#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/blend/player.h"

namespace shosa::blend {

/// How motions are joined: ours, and what it is compared with.
enum class Technique {
  optimal,     ///< Searched intervals, weight functions, kept feet.
  constraint,  ///< The same methods with intervals straight from the constraints and linear weights.
  pose,        ///< A linear blend of fixed length, centred where the poses are nearest.
  inertial,    ///< Inertialization: the next motion at once, the offset decays; feet are locked.
  dead         ///< Dead blending: the previous motion is extrapolated and faded out; feet are locked.
};
std::string_view technique_name(Technique technique);
std::optional<Technique> find_technique(std::string_view name);

/// One line of a score.
struct ScoreMotion {
  std::shared_ptr<const Motion> motion;
  std::optional<double> at_s;  ///< As early as possible when empty. The first one begins at 0 then.
  bool keep_place = false;     ///< As in `AddParams`, and so is the next.
  GivenBlends given;
};

struct ComposeParams {
  PlanParams plan;
  Technique technique = Technique::optimal;
};

struct Join {
  int from = 0;  ///< Index into the score: the motion that plays before.
  int to = 0;
  AddReport report;
};

struct Composition {
  Clip clip;                        ///< From time 0 to the end of the last motion.
  std::vector<Join> joins;          ///< One per motion but the first, in the order they were joined.
  analysis::FootContacts contacts;  ///< When the feet of the motions stand, by ours or by the technique's own lights.
};

/// One continuous motion from a score.
///
/// Where every motion has a time they are taken in that order, otherwise as they stand. A motion that cannot be
/// executed is left out, and its join says why. Times found for `auto` are those of `Technique::optimal` for every
/// technique, so that comparisons are of the same length. Fails when the score is empty, a time is negative or not
/// finite, motions do not fit each other (the error names the line, counted from 0), or a parameter is out of bounds.
Result<Composition> compose(std::span<const ScoreMotion> score, const ComposeParams& params = {});

}  // namespace shosa::blend
